import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the generated pages are up to date', () => {
  for (const name of ['generate-rules', 'generate-docs', 'terminal-picture']) {
    const script = fileURLToPath(new URL(`../scripts/${name}.mjs`, import.meta.url))
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  }
})
