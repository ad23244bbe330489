// The demo: the tools that the bookshop gives to an agent, then one of them called for real against the API in examples/.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createBookshopApi } from '../examples/bookshop-api.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))

await openapiMcp('preview', 'examples/bookshop.yaml')

const api = createBookshopApi()
api.listen(0, '127.0.0.1')
await once(api, 'listening')
const baseUrl = `http://127.0.0.1:${api.address().port}`
console.log(`\nThe bookshop's API runs on ${baseUrl}.`)
try {
  await openapiMcp('call', 'examples/bookshop.yaml', 'shop_list_books', '{"query":"murder"}', '--base-url', baseUrl)
  await openapiMcp('call', 'examples/bookshop.yaml', 'shop_get_book', '{"id":"b4"}', '--base-url', baseUrl)
} finally {
  api.close()
  api.closeAllConnections()
}

/** Shows the command line, runs it, and remembers a failure in the exit code. */
async function openapiMcp(...args) {
  console.log(`\n$ npx openapi-mcp ${args.map(quoted).join(' ')}\n`)
  const program = spawn(process.execPath, ['packages/cli/bin/openapi-mcp.js', ...args], { cwd: root, stdio: 'inherit' })
  const [code] = await once(program, 'close')
  if (code !== 0) process.exitCode = code ?? 1
}

function quoted(arg) {
  return /^[\w./:=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`
}
