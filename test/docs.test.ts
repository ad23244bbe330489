import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the generated pages are up to date', () => {
  const script = fileURLToPath(new URL('../scripts/generate-docs.mjs', import.meta.url))
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
})
