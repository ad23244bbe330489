// What a call costs besides the network, and how many calls `serve` answers over HTTP beside a bare server of the same bytes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from '../../packages/core/dist/node/index.js'

const ROWS = 100
const COLUMNS = 12
const CALLS = 300
const REQUESTS = 2000
const CONCURRENCY = 16

const columns = Array.from({ length: COLUMNS }, (_, i) => `column_${i}`)
const document = {
  openapi: '3.1.0',
  info: { title: 'Rows', version: '1' },
  servers: [{ url: 'https://rows.example' }],
  paths: {
    '/rows': {
      get: {
        operationId: 'listRows',
        'x-agent': { response: { rows: '/results' } },
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'string', maxLength: 80 } },
          { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } }
        ],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    results: {
                      type: 'array',
                      items: {
                        type: 'object',
                        properties: Object.fromEntries(columns.map((name) => [name, { type: 'string' }]))
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
const body = JSON.stringify({
  results: Array.from({ length: ROWS }, (_, r) =>
    Object.fromEntries(columns.map((name, c) => [name, `cell ${r} of column ${c}`]))
  )
})

/** Lines of figures: { name, measured, against, ratio }. */
export async function measureCalls() {
  return [await overhead(), await throughput()]
}

async function overhead() {
  const answer = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }))
  const { tools } = await load(document, { fetch: answer })
  const args = { q: 'lamp', size: 100 }
  const time = async (work) => {
    for (let i = 0; i < CALLS; i++) await work()
    const started = performance.now()
    for (let i = 0; i < CALLS; i++) await work()
    return (performance.now() - started) / CALLS
  }
  const call = await time(() => tools[0].execute(args))
  const bare = await time(async () => JSON.parse(await (await answer()).text()))
  return {
    name: `call, ${ROWS} rows of ${COLUMNS} columns`,
    measured: `${call.toFixed(2)} ms`,
    against: `read and JSON.parse ${bare.toFixed(2)} ms`,
    ratio: call / bare
  }
}

async function throughput() {
  const folder = mkdtempSync(path.join(tmpdir(), 'openapi-mcp-bench-'))
  const file = path.join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const api = http.createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  )
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const cli = fileURLToPath(new URL('../../packages/cli/bin/openapi-mcp.js', import.meta.url))
  const base = `http://127.0.0.1:${api.address().port}`
  const server = spawn(
    process.execPath,
    [cli, 'serve', file, '--transport', 'http', '--port', '0', '--base-url', base],
    { stdio: ['ignore', 'ignore', 'pipe'] }
  )
  let bare
  try {
    const url = await printedUrl(server)
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_rows', arguments: { q: 'lamp' } }
    }
    const answer = await post(url, message)
    const script = `require('node:http').createServer((q, r) => { q.resume().on('end', () => r.writeHead(200, { 'content-type': 'application/json' }).end(${JSON.stringify(answer)})) }).listen(0, '127.0.0.1', function () { console.error('serving on http://127.0.0.1:' + this.address().port + '/mcp') })`
    bare = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
    const bareUrl = await printedUrl(bare)
    const served = await rate(url, message)
    const plain = await rate(bareUrl, message)
    return {
      name: 'serve over HTTP, calls',
      measured: `${Math.round(served)}/s`,
      against: `bare node:http ${Math.round(plain)}/s`,
      ratio: plain / served
    }
  } finally {
    server.kill()
    bare?.kill()
    api.close()
    api.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function printedUrl(child) {
  let text = ''
  for await (const chunk of child.stderr) {
    text += chunk
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(text)?.[0]
    if (url) return url
  }
  throw new Error(`the server did not start: ${text}`)
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY })

function post(url, message) {
  const text = JSON.stringify(message)
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(text)
    }
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
      response.on('end', () =>
        response.statusCode === 200 ? resolve(answer) : reject(new Error(`HTTP ${response.statusCode}: ${answer}`))
      )
    })
    request.on('error', reject)
    request.end(text)
  })
}

async function rate(url, message) {
  const run = async (total) => {
    let left = total
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (left-- > 0) await post(url, message)
      })
    )
  }
  await run(REQUESTS / 4)
  const started = performance.now()
  await run(REQUESTS)
  return REQUESTS / ((performance.now() - started) / 1000)
}
