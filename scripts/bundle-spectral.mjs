// Writes what Spectral needs, which loads rulesets with `require`: rules/dist/ruleset.cjs, the ruleset as data, and rules/dist/spectral.cjs, what its
// rules do. Spectral bundles the first of them anew at every start, so it is small, and names the second as a package, which stays outside.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ruleset from '../rules/dist/index.js'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const rules = Object.entries(ruleset.rules).map(([name, { then, ...rule }]) => {
  const data = JSON.stringify(rule).slice(0, -1)
  return `  ${JSON.stringify(name)}: ${data},"then":{"function":findings,"functionOptions":${JSON.stringify(then.functionOptions)}}}`
})
writeFileSync(
  path.join(root, 'rules/dist/ruleset.cjs'),
  `'use strict'
const findings = (target, options, context) =>
  import('@openapi-mcp/rules/spectral').then((own) => own.findings(target, options, context))
module.exports = { rules: {
${rules.join(',\n')}
} }
`
)

await build({
  absWorkingDir: root,
  entryPoints: ['rules/src/spectral/findings.ts'],
  outfile: 'rules/dist/spectral.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  // Large tables that are read on first need, and an optional package.
  external: ['gpt-tokenizer', '@json-layout/core'],
  mainFields: ['module', 'main'],
  alias: { '@openapi-mcp/core': path.join(root, 'packages/core/src/node/index.ts') },
  minifySyntax: true,
  logLevel: 'warning'
}).catch(() => process.exit(1)) // esbuild has printed its errors
