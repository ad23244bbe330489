// Bundles packages/cli/src/main.ts into packages/cli/dist/main.js and its lazy chunks.
//
// The core is taken from its sources, not from its compiled dist: one pass, and what the CLI does not use is left out.
// Every dynamic import() becomes a chunk that is read on first need; start-up time is what the static part costs.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const entry = 'packages/cli/src/main.ts'
const outdir = 'packages/cli/dist'
const { version } = JSON.parse(readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'))

/** Packages that no command needs before it knows what it reads. A static import of one fails the build. */
const lazyPackages = [
  '@modelcontextprotocol/server',
  'ajv',
  'chokidar',
  'gpt-tokenizer',
  'js-yaml',
  'jsonc-parser',
  're2js',
  'yaml'
]

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { main: entry, 'lint-worker': 'packages/cli/src/lint/worker.ts' },
  outdir,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // An optional package of 13 MB: the form tools import it where it is installed, and say so where it is not.
  external: ['@json-layout/core', 'jiti'],
  // jsonc-parser's "main" is a UMD file whose requires cannot be followed.
  mainFields: ['module', 'main'],
  alias: {
    '@openapi-mcp/core': path.join(root, 'packages/core/src/node/index.ts'),
    '@openapi-mcp/rules/clients': path.join(root, 'rules/src/clients.ts'),
    '@openapi-mcp/rules/config/node': path.join(root, 'rules/src/config/node.ts'),
    '@openapi-mcp/rules/config': path.join(root, 'rules/src/config/index.ts'),
    '@openapi-mcp/rules': path.join(root, 'rules/src/index.ts'),
    '@openapi-mcp/mcp-server': path.join(root, 'packages/mcp-server/src/index.ts')
  },
  // CommonJS dependencies call require for Node's own modules.
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);"
  },
  define: { __VERSION__: JSON.stringify(version) },
  minify: true,
  metafile: true,
  write: false,
  logLevel: 'warning'
}).catch(() => process.exit(1)) // esbuild has printed its errors

const eager = eagerPackages(metafile, `${outdir}/main.js`).filter((name) => lazyPackages.includes(name))
if (eager.length > 0) {
  console.error(`bundle-cli: ${eager.join(', ')} would be loaded at start-up. Import what uses it with import().`)
  process.exit(1)
}

// A command line that is started or running meanwhile must not miss a chunk: the new ones first, then who names them, then away
// with the old ones. Only those: the type declarations of `tsc -b` stand in the same folder.
const chunks = path.join(root, outdir, 'chunks')
mkdirSync(chunks, { recursive: true })
const isChunk = (file) => path.dirname(file) === chunks
for (const file of outputFiles.toSorted((a, b) => isChunk(b.path) - isChunk(a.path))) {
  writeFileSync(`${file.path}.new`, file.contents)
  renameSync(`${file.path}.new`, file.path)
}
const written = new Set(outputFiles.map((file) => file.path))
for (const name of readdirSync(chunks)) {
  const file = path.join(chunks, name)
  if (!written.has(file)) rmSync(file)
}

/** npm packages with code in the chunks that `output` imports statically. */
function eagerPackages(metafile, output) {
  const packages = new Set()
  const outputs = new Set([output])
  for (const name of outputs) {
    const { inputs, imports } = metafile.outputs[name]
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const match = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)
      if (match && bytesInOutput > 0) packages.add(match[1])
    }
    for (const { path: imported, kind, external } of imports) {
      if (kind === 'import-statement' && !external) outputs.add(imported)
    }
  }
  return [...packages]
}
