import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it.each([
  ['the core', '../packages/core/src/index.ts'],
  ['the rules', '../rules/src/browser.ts'],
  ['the configuration', '../rules/src/config/index.ts'],
  ['what finds the configuration', '../rules/src/config/load.ts'],
  ['what holds findings back', '../rules/src/suppressions/load.ts']
])('%s needs nothing of Node outside its own place for that', async (_, file) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
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
