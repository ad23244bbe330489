// Runs the official MCP conformance suite against `serve --transport http`: the scenarios that apply to a server whose tools
// are HTTP operations. Not part of `npm test`: the suite needs Node 24 and is fetched on first use, into .cache/.
//   npm run conformance [-- scenario…]
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const SUITE = '0.2.0-alpha.12'
const root = fileURLToPath(new URL('../', import.meta.url))
const tools = path.join(root, '.cache/conformance')

const scenarios = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-error',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'sep-2640-skills-enumeration',
    'sep-2640-skills-manifest',
    'caching',
    'http-header-validation',
    'dns-rebinding-protection'
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-error',
    'resources-list',
    'dns-rebinding-protection'
  ]
}

// The other scenarios want what such a server does not have: prompts, completion, sampling, elicitation and input-required
// results, tasks, log messages, resources beside skills (test://…), images and audio as content, tools with x-mcp-header, three
// steps of progress within one call, an input schema with $defs (they are written self-contained, without references), and for
// the clients of 2025 sessions, which the resumable streams of that revision need.

/** Checks inside those scenarios that do not apply. */
const notApplicable = {
  'sep-2549-prompts-list-caching-hints': 'there are no prompts',
  'sep-2575-server-rejects-undeclared-capability': 'no tool needs a capability of the client',
  'sep-2575-missing-capability-http-400': 'no tool needs a capability of the client'
}

// What the suite calls, as an API and its document. test_trigger_tool_change edits the document that is being watched.
const operation = (name) => ({
  get: {
    operationId: name,
    summary: `For the conformance suite: ${name}`,
    'x-agent': {},
    responses: { 200: { description: 'Done.', content: { 'text/plain': { schema: { type: 'string' } } } } }
  }
})
const names = [
  'test_simple_text',
  'test_error_handling',
  'test_trigger_tool_change',
  'test_logging_tool',
  'test_streaming_elicitation'
]
const document = (edition) => ({
  openapi: '3.1.0',
  info: { title: 'Conformance', version: '1' },
  'x-agent': {
    skills: [{ name: 'for-conformance', description: 'Call test_simple_text.', tools: ['test_simple_text'] }]
  },
  paths: Object.fromEntries([...names, `edition_${edition}`].map((name) => [`/${name}`, operation(name)]))
})

const folder = mkdtempSync(path.join(tmpdir(), 'openapi-mcp-conformance-'))
const file = path.join(folder, 'openapi.json')
let edition = 1
writeFileSync(file, JSON.stringify(document(edition)))

const api = createServer((request, response) => {
  if (request.url === '/test_trigger_tool_change') writeFileSync(file, JSON.stringify(document(++edition)))
  const isError = request.url === '/test_error_handling'
  response.writeHead(isError ? 500 : 200, { 'content-type': 'text/plain' })
  response.end(
    isError ? 'This tool intentionally returns an error for testing' : 'This is a simple text response for testing.'
  )
})
const baseUrl = await listening(api)

const port = await freePort()
const args = ['serve', file, '--transport', 'http', '--port', String(port), '--base-url', baseUrl, '--watch']
const server = spawn(process.execPath, [path.join(root, 'packages/cli/bin/openapi-mcp.js'), ...args], {
  stdio: ['ignore', 'ignore', 'pipe']
})
let log = ''
server.stderr.setEncoding('utf8').on('data', (text) => (log += text))

try {
  const node = prepareSuite()
  await healthy(`http://127.0.0.1:${port}/healthz`)
  const wanted = process.argv.slice(2)
  for (const [version, all] of Object.entries(scenarios)) {
    console.log(`\nProtocol ${version}`)
    for (const scenario of all) if (wanted.length === 0 || wanted.includes(scenario)) await run(node, version, scenario)
  }
} finally {
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'close')
  api.close()
  api.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}

/** One scenario: its checks, counted; what failed is told. */
async function run(node, version, scenario) {
  const output = mkdtempSync(path.join(folder, 'out-'))
  // Not spawnSync: the API answers from this process.
  const suite = spawn(
    node,
    [
      path.join(tools, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
      'server',
      ...['--url', `http://127.0.0.1:${port}/mcp`, '--scenario', scenario, '--output-dir', output],
      // Scenarios of an extension belong to no revision.
      ...(scenario.startsWith('sep-2640') ? [] : ['--spec-version', version])
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let printed = ''
  for (const stream of [suite.stdout, suite.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  await once(suite, 'close')
  const [report] = readdirSync(output) // one folder a run
  const checks = report ? JSON.parse(readFileSync(path.join(output, report, 'checks.json'), 'utf8')) : []
  const failed = checks.filter((c) => ['FAILURE', 'WARNING'].includes(c.status) && !(c.id in notApplicable))
  const count = (test) => checks.filter(test).length
  const passed = count((c) => c.status === 'SUCCESS')
  const skipped = count((c) => c.status === 'SKIPPED' || (c.id in notApplicable && c.status !== 'SUCCESS'))
  const ran = checks.length > 0
  console.log(
    `${ran && failed.length === 0 ? '✓' : '✗'} ${scenario}: ${passed} passed, ${failed.length} failed, ${skipped} not applicable`
  )
  for (const { id, status, errorMessage } of failed) console.log(`    ${status} ${id}: ${errorMessage}`)
  if (!ran) console.log(`    The suite gave no checks. ${printed.trim().split('\n').at(-1)}`)
  if (!ran || failed.length > 0) process.exitCode = 1
}

/** Installs the suite, and Node 24 where this Node is older. Gives the Node to run it with. */
function prepareSuite() {
  const isOld = Number(process.versions.node.split('.')[0]) < 24
  const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const packages = [`@modelcontextprotocol/conformance@${SUITE}`, ...(isOld ? [`${nodePackage}@24`] : [])]
  const installed = path.join(tools, 'installed.txt')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== packages.join('\n')) {
    console.log(`Installing ${packages.join(' and ')} into .cache/conformance`)
    mkdirSync(tools, { recursive: true })
    writeFileSync(path.join(tools, 'package.json'), '{ "private": true }\n')
    const npm = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '-E', ...packages], {
      cwd: tools,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32'
    })
    if (npm.status !== 0) throw new Error('The conformance suite could not be installed.')
    writeFileSync(installed, packages.join('\n'))
  }
  return isOld ? path.join(tools, 'node_modules', nodePackage, 'bin/node') : process.execPath
}

async function healthy(url) {
  for (let tries = 0; tries < 200 && server.exitCode === null; tries++, await sleep(50)) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error(`serve does not answer. ${log}`)
}

async function listening(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

async function freePort() {
  const probe = createServer()
  const { port } = new URL(await listening(probe))
  probe.close()
  await once(probe, 'close')
  return port
}
