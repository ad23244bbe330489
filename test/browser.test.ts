import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('the core needs nothing of Node outside its node folder', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../packages/core/src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['@json-layout/core'],
    logLevel: 'silent'
  })
  expect(outputFiles).toHaveLength(1)
  expect(outputFiles[0]!.text).not.toMatch(/from ?["']node:/)
})
