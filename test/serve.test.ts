// `openapi-mcp serve`, the built program, with real MCP clients and a real API.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  bookshop,
  CleanUp,
  connect,
  freePort,
  hello,
  kinds,
  program,
  Program,
  root,
  send,
  serveHttp,
  startBookshop,
  startServer,
  until,
  type Api,
  type Kind,
  type Peer,
  type Target
} from './support/serve.js'

const perFile = new CleanUp()
const perTest = new CleanUp()
let api: Api

beforeAll(async () => {
  api = await startBookshop(perFile)
})
afterEach(() => perTest.run())
afterAll(() => perFile.run())

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-mcp-serve-'))
  perTest.add(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tests', version: '1' } }
}
const mcpHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const initializeBody = JSON.stringify({ jsonrpc: '2.0', ...initialize })

const exploreTools = ['shop_list_books', 'shop_get_book', 'shop_list_authors']

describe.each(['stdio', 'http'] as const)('over %s', (transport) => {
  describe.each(kinds)('%s client', (kind: Kind) => {
    const clients = new CleanUp()
    let peer: Peer

    beforeAll(async () => {
      const args = [bookshop, '--base-url', api.url, '--profiles', 'admin']
      const target: Target = transport === 'stdio' ? { args } : { url: (await serveHttp(args, clients)).url }
      peer = await connect(kind, target, clients)
    })
    afterAll(() => clients.run())

    it('negotiates the newest revision that both know', () => {
      if (kind === 'v2 auto') expect(peer.protocol).toBe('2026-07-28')
      if (kind === 'v2 legacy') expect(peer.protocol).toBe('2025-11-25')
      expect(peer.instructions).toContain('Prices are in euros')
      expect(peer.instructions).toContain('Tools: shop_list_books, shop_get_book')
    })

    it('lists tools with their hints and examples', async () => {
      const tools = new Map((await peer.tools()).map((tool) => [tool.name, tool]))
      expect([...tools.keys()]).toEqual(
        expect.arrayContaining([...exploreTools, 'shop_set_on_sale', 'shop_delete_book', 'shop_place_order'])
      )
      expect(tools.get('shop_list_books')).toMatchObject({
        title: 'Search books',
        inputSchema: { type: 'object', properties: { query: { type: 'string' }, page_size: { maximum: 20 } } },
        annotations: { readOnlyHint: true, openWorldHint: false },
        _meta: { 'anthropic/inputExamples': [{ query: 'le guin' }, { genre: ['crime'] }] }
      })
      expect(tools.get('shop_delete_book')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
      expect(tools.get('shop_set_price')?.annotations).toMatchObject({ idempotentHint: true })
      expect(tools.get('shop_list_books')?.inputSchema.properties).not.toHaveProperty('debug')
      expect(tools.get('shop_list_books')?.outputSchema).toBeUndefined()
    })

    it('lists, creates, reads, updates and deletes', async () => {
      const found = await peer.call('shop_list_books', { query: 'LE guin', fields: ['id', 'stock'] })
      expect(found).toMatchObject({ isError: false, text: expect.stringContaining('| b1 | 7 |') })
      expect(found.text).toContain('> **stock**: 0 means ordered from the publisher.')

      const created = await peer.call('shop_create_book', { title: 'A | Wizard 😀', author_id: 'a1', price: 12 })
      const id = /\*\*id\*\*: (b\d+)/.exec(created.text)?.[1]
      expect(id).toBeDefined()
      expect((await peer.call('shop_get_book', { id })).text).toMatch(/^# A \| Wizard 😀\n/)
      expect((await peer.call('shop_set_price', { id, price: 9.5 })).text).toContain('**price**: 9.5')
      const replaced = { id, id__body: id, title: 'A Wizard of Earthsea', author_id: 'a1', price: 10 }
      expect((await peer.call('shop_replace_book', replaced)).text).toContain('**title**: A Wizard of Earthsea')
      expect((await peer.call('shop_set_on_sale', { id, on_sale: false })).text).toContain('**on_sale**: false')
      expect((await peer.call('shop_list_books', { query: 'earthsea' })).text).toContain('> Hint: No book on sale')
      expect((await peer.call('shop_delete_book', { id })).isError).toBe(false)
      expect(await peer.call('shop_get_book', { id })).toMatchObject({
        isError: true,
        text: expect.stringContaining('HTTP 404')
      })
    })

    it('takes an order with its fixed header and keeps the address out of the answer', async () => {
      const body = {
        customer: { name: 'Ada', email: 'ada@example.com' },
        lines: [{ book_id: 'b12', quantity: 1 }]
      }
      const placed = await peer.call('shop_place_order', { body })
      expect(placed.text).toContain('**channel**: agent')
      expect(placed.text).not.toContain('ada@example.com')
      const order = /\*\*id\*\*: (o\d+)/.exec(placed.text)?.[1]
      expect((await peer.call('shop_list_orders', { status: 'open' })).text).toContain(`| ${order} | open |`)
      expect((await peer.call('shop_cancel_order', { order })).isError).toBe(false)
    })

    it('answers mistakes with results that help, without a request', async () => {
      const before = api.requests.length
      const answer = await peer.call('shop_list_books', { page_size: 500, sort: 'stock', colour: 'red' })
      expect(answer.isError).toBe(true)
      for (const part of ['/page_size', '/sort', 'colour']) expect(answer.text).toContain(part)
      const body = { customer: { name: 'Ada', email: 'nowhere' }, lines: [] }
      const order = await peer.call('shop_place_order', { body })
      expect(order.isError).toBe(true)
      for (const part of ['/customer/email', '/lines']) expect(order.text).toContain(part)
      expect(api.requests).toHaveLength(before)
    })

    it('hands on the words of the API about its errors', async () => {
      const answer = await peer.call('shop_create_book', { title: 'X', author_id: 'a99', price: 1 })
      expect(answer.isError).toBe(true)
      expect(answer.text).toContain('HTTP 422')
      expect(answer.text).toContain('GET /authors lists them')
    })

    it('survives a tool that is not there', async () => {
      const answer = await peer.call('no_such_tool').then(
        ({ isError, text }) => ({ isError, text }),
        (error: Error) => ({ isError: true, text: error.message })
      )
      expect(answer.isError).toBe(true)
      expect(answer.text).toContain('no_such_tool')
      expect((await peer.call('shop_list_authors', {})).isError).toBe(false)
    })

    it('reports progress to a client that asks for it', async () => {
      const seen: number[] = []
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress)
      expect((await peer.call('shop_list_authors', {}, { onprogress })).isError).toBe(false)
      expect(seen.length).toBeGreaterThan(0)
      expect(seen).toEqual([...seen].sort((a, b) => a - b))
    })

    it('serves skills as SKILL.md resources', async () => {
      const resources = await peer.resources()
      expect(resources.map(({ uri }) => uri)).toEqual([
        'skill://finding-books/SKILL.md',
        'skill://taking-orders/SKILL.md'
      ])
      expect(resources[0]).toMatchObject({ mimeType: 'text/markdown' })
      const text = await peer.read('skill://taking-orders/SKILL.md')
      const [, frontmatter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
      expect(parse(frontmatter ?? '')).toEqual({
        name: 'taking-orders',
        description: 'How to take an order without a mistake.'
      })
      expect(body).toContain('A second call is a second order.')
      expect(body).toContain('shop_list_books, shop_place_order')
      await expect(peer.read('skill://no-such-skill/SKILL.md')).rejects.toThrow(/no-such-skill|not found/i)
    })
  })
})

describe('skills extension', () => {
  it.each(['v2 auto', 'v2 legacy'] as const)('is verified by the SDK (%s)', async (kind) => {
    const peer = await connect(kind, { args: [bookshop, '--profiles', 'edit'] }, perTest)
    const skills = new SkillsClient(peer.v2!)
    expect(skills.supported).toBe(true)
    const listing = await skills.list()
    expect(listing.skills.map((skill) => skill.frontmatter.name)).toEqual(['finding-books', 'taking-orders'])
    const file = await skills.read(listing.skills[1]!)
    expect(file).toMatchObject({ verified: true, body: expect.stringContaining('**place_order** once') })
  })
})

describe('structured content', () => {
  const args = [bookshop, '--structured-content']

  it.each(kinds)('stands beside the text on request, without what is excluded (%s)', async (kind) => {
    const peer = await connect(kind, { args: [...args, '--base-url', api.url] }, perTest)
    const tools = await peer.tools()
    expect(tools.every((tool) => tool.name === 'shop_get_book' || tool.outputSchema !== undefined)).toBe(true)
    const { structuredContent } = await peer.call('shop_list_books', { response_format: 'detailed', page_size: 2 })
    expect(structuredContent).toMatchObject({ total: expect.any(Number), items: [{ id: 'b11' }, { id: 'b2' }] })
    expect(JSON.stringify(structuredContent)).not.toContain('purchase_price')
    const authors = await peer.call('shop_list_authors', { page_size: 1 })
    const list = [{ id: 'a1', name: 'Ursula K. Le Guin', books: expect.any(Number) }]
    // Before 2026-07-28 structured content had to be an object.
    if (kind === 'v2 auto') expect(authors.structuredContent).toEqual(list)
    else expect(Object.values(authors.structuredContent as object)).toEqual([list])
  })
})

describe('what breaks the listed schema', () => {
  const answers: Record<string, { status?: number; type?: string; body?: string }> = {
    documented: { body: '{"id":1}' },
    typed: { body: '{"id":"one"}' },
    large: { body: '{"id":12345678901234567890}' },
    null: { body: 'null' },
    list: { body: '[1]' },
    text: { type: 'text/plain', body: 'Hello' },
    image: { type: 'image/png', body: 'x' },
    empty: { status: 204 },
    missing: { status: 404, body: '{"error":"no"}' }
  }
  const schemas = {
    object: '{ type: object, required: [id], properties: { id: { type: integer } } }',
    list: '{ type: array, minItems: 1, items: { type: object, required: [id] } }',
    scalar: '{ type: integer }',
    alternatives:
      '{ oneOf: [{ type: object, required: [id], properties: { id: { type: integer } } }, { type: "null" }] }'
  }

  it.each(kinds)('reaches the model all the same (%s)', async (kind) => {
    const upstream = await startServer((request, response) => {
      const { status = 200, type = 'application/json', body } = answers[request.url!.split('/').at(-1)!]!
      response.writeHead(status, body === undefined ? {} : { 'content-type': type }).end(body)
    }, perTest)
    const document = join(temporaryFolder(), 'openapi.yaml')
    const operation = ([name, schema]: [string, string]): string =>
      `  /${name}/{kind}: { get: { operationId: ${name}, summary: Read., x-agent: {}, parameters: [{ name: kind, in: path, required: true, schema: { type: string } }], responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }`
    writeFileSync(
      document,
      `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${Object.entries(schemas).map(operation).join('\n')}\n`
    )
    const peer = await connect(kind, { args: [document, '--structured-content', '--base-url', upstream.url] }, perTest)
    // The official clients keep the schemas of the list, and throw where an answer breaks one.
    await peer.tools()
    for (const tool of Object.keys(schemas)) {
      for (const answer of Object.keys(answers)) {
        const result = await peer.call(tool, { kind: answer })
        expect([tool, answer, result.isError ?? false]).toEqual([tool, answer, answer === 'missing'])
        expect(result.text).not.toBe('')
      }
    }
  })
})

describe('cancellation', () => {
  /** An API that never answers, and says when a caller has gone. */
  async function silentApi(): Promise<Api & { gone: () => number }> {
    let gone = 0
    const silent = await startServer((_, response) => void response.on('close', () => gone++), perTest)
    return { ...silent, gone: () => gone }
  }

  // Over HTTP the clients of 2025 cancel with a message of its own, which a server without sessions cannot relate to a call.
  it.each([
    ['stdio', 'v2 auto'],
    ['stdio', 'v2 legacy'],
    ['stdio', 'v1'],
    ['http', 'v2 auto']
  ] as const)('ends the request to the API (%s, %s)', async (transport, kind) => {
    const silent = await silentApi()
    const args = [bookshop, '--base-url', silent.url]
    const target: Target = transport === 'stdio' ? { args } : { url: (await serveHttp(args, perTest)).url }
    const peer = await connect(kind, target, perTest)
    const stop = new AbortController()
    const call = peer.call('shop_list_authors', {}, { signal: stop.signal }).then(
      () => 'answered',
      () => 'cancelled'
    )
    await until(() => silent.requests.length === 1, 'the API was asked')
    expect(silent.gone()).toBe(0)
    stop.abort()
    expect(await call).toBe('cancelled')
    await until(() => silent.gone() === 1, 'the request to the API ended')
    expect((await peer.tools()).length).toBe(exploreTools.length)
  })
})

describe('profiles of a request', () => {
  it.each(kinds)('are chosen by ?profiles= (%s)', async (kind) => {
    const { url } = await serveHttp([bookshop, '--base-url', api.url], perTest)
    const names = async (query: string): Promise<string[]> => {
      const peer = await connect(kind, { url: url + query }, perTest)
      return (await peer.tools()).map(({ name }) => name)
    }
    const plain = await names('')
    expect(plain).toEqual(exploreTools)
    expect(await names('?profiles=edit_books')).toContain('shop_create_book')
    expect(await names('?profiles=edit_books')).not.toContain('shop_list_books')
    const both = await names('?profiles=explore,edit_books')
    expect(both).toEqual(expect.arrayContaining([...exploreTools, 'shop_create_book']))
    expect(new Set(both).size).toBe(both.length)
    expect(await names('')).toEqual(exploreTools)
    await expect(connect(kind, { url: `${url}?profiles=explore,nope` }, perTest)).rejects.toThrow()
  })

  it('that are not declared are a request error, which names them', async () => {
    const { program: served, url } = await serveHttp([bookshop], perTest)
    const refused = await send(`${url}?profiles=nope`, { headers: mcpHeaders, body: initializeBody })
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text)).toMatchObject({ error: { message: expect.stringContaining('nope') } })
    expect(served.isOver).toBe(false)
  })

  it('that are not declared end the program when they come from the command line', async () => {
    const run = new Program(['serve', bookshop, '--profiles', 'nope'], {}, perTest)
    expect(await run.ended).toBe(2)
    expect(run.stderr).toContain('nope')
    expect(run.stdout).toBe('')
  })
})

describe('the HTTP server', () => {
  it('answers health probes, and nothing beside its endpoint', async () => {
    const { origin } = await serveHttp([bookshop], perTest)
    const health = await fetch(`${origin}/healthz`)
    expect(health.status).toBe(200)
    const documents = { served: 1, loading: 0, failing: 0 }
    expect(await health.json()).toEqual({ status: 'ok', tools: exploreTools.length, documents })
    expect((await fetch(`${origin}/elsewhere`)).status).toBe(404)
  })

  it('answers a target that is no address with 400', async () => {
    const { program: served, url } = await serveHttp([bookshop], perTest)
    const { hostname, port } = new URL(url)
    for (const path of ['//', '//elsewhere.example/mcp', 'http://[/mcp']) {
      const status = await new Promise((resolve, reject) => {
        const request = httpRequest({ hostname, port, path, method: 'POST' }, (r) => resolve(r.resume().statusCode))
        request.on('error', reject).end()
      })
      expect([path, status]).toEqual([path, 400])
    }
    expect(served.logs.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('may be asked under an allowed host, with or without its port', async () => {
    const { url } = await serveHttp([bookshop, '--allowed-host', 'My.example:8443'], perTest)
    for (const host of ['my.example', 'my.example:8443', 'my.example:80']) {
      const headers = { ...mcpHeaders, host, origin: 'https://my.example' }
      expect((await send(url, { headers, body: initializeBody })).status).toBe(200)
    }
  })

  it('refuses foreign hosts and origins', async () => {
    const { url } = await serveHttp([bookshop], perTest)
    const ask = (headers: Record<string, string>) =>
      send(url, { headers: { ...mcpHeaders, ...headers }, body: initializeBody })
    expect((await ask({})).status).toBe(200)
    expect((await ask({ host: 'localhost' })).status).toBe(200)
    expect((await ask({ origin: 'http://localhost:3000' })).status).toBe(200)
    expect((await ask({ host: 'evil.example' })).status).toBe(403)
    expect((await ask({ host: 'localhost.evil.example' })).status).toBe(403)
    expect((await ask({ origin: 'http://evil.example' })).status).toBe(403)
    expect((await ask({ origin: 'null' })).status).toBe(403)
  })

  it('listens on this machine only unless told otherwise', async () => {
    const { program: served } = await serveHttp([bookshop], perTest)
    expect(served.stderr).toContain('http://127.0.0.1:')
  })

  it('refuses requests that are too large, with and without a length', async () => {
    const { program: served, url } = await serveHttp([bookshop], perTest)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(1_200_000) } })
    const length = String(Buffer.byteLength(body))
    const known = await send(url, { headers: { ...mcpHeaders, 'content-length': length }, body })
    expect(known.status).toBe(413)
    const chunked = await send(url, { headers: { ...mcpHeaders, 'transfer-encoding': 'chunked' }, body })
    expect(chunked.status).toBe(413)
    expect(served.isOver).toBe(false)
    expect((await send(url, { headers: mcpHeaders, body: initializeBody })).status).toBe(200)
  })

  it('answers what is no JSON-RPC with an error', async () => {
    const { program: served, url } = await serveHttp([bookshop], perTest)
    for (const body of ['', '{', '[]', '42', '{"jsonrpc":"2.0"}']) {
      const { status } = await send(url, { headers: mcpHeaders, body })
      expect([body, status]).toEqual([body, 400])
    }
    expect(served.isOver).toBe(false)
  })

  it('lets calls under way end when it is asked to stop', async () => {
    const slow = await startServer((_, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":"late"}]'), 600)
    }, perTest)
    const { program: served, origin, url } = await serveHttp([bookshop, '--base-url', slow.url], perTest)
    const peer = await connect('v2 auto', { url }, perTest)
    const call = peer.call('shop_list_authors')
    await until(() => slow.requests.length === 1, 'the API was asked')
    served.child.kill('SIGTERM')
    expect((await call).text).toContain('late')
    expect(await served.ended).toBe(0)
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow()
  })

  it('says when its port is taken', async () => {
    const port = Number(new URL(api.url).port)
    const run = new Program(['serve', bookshop, '--transport', 'http', '--port', String(port)], {}, perTest)
    expect(await run.ended).toBe(2)
    expect(run.stderr).toContain(String(port))
    expect(run.stderr).not.toContain('    at ')
  })

  it('serves clients with different headers and profiles at the same time', async () => {
    const args = [bookshop, '--base-url', api.url, '--forward-header', 'x-tenant', '--forward-header', 'authorization']
    const { url } = await serveHttp(args, perTest)
    const before = api.requests.length
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const kind = kinds[n % kinds.length]!
        const headers = { 'x-tenant': `t${n}`, authorization: `Bearer token-${n}`, 'x-other': 'stays' }
        const peer = await connect(kind, { url, headers }, perTest)
        expect((await peer.call('shop_list_books', { query: `tenant${n}` })).isError).toBe(false)
      })
    )
    const sent = api.requests.slice(before)
    expect(sent).toHaveLength(12)
    for (const { url: asked, headers } of sent) {
      const n = /q=tenant(\d+)/.exec(asked)?.[1]
      expect(headers).toMatchObject({ 'x-tenant': `t${n}`, authorization: `Bearer token-${n}` })
      expect(headers).not.toHaveProperty('x-other')
    }
  })
})

describe('over stdio', () => {
  it('writes nothing but messages to standard output', async () => {
    const folder = temporaryFolder()
    const document = join(folder, 'openapi.yaml')
    // A finding to warn about, and an API that nobody runs.
    const text = readFileSync(bookshop, 'utf8').replace(
      `'Genres, as an array, e.g. ["crime", "poetry"].'`,
      'Comma-separated genres.'
    )
    writeFileSync(document, text)
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const run = new Program(['serve', document, '--lint', 'warn', '--base-url', baseUrl], {}, perTest)
    run.send(initialize)
    run.send({ method: 'notifications/initialized' })
    run.send({ id: 2, method: 'tools/list' })
    run.send({ id: 3, method: 'tools/call', params: { name: 'shop_list_authors', arguments: {} } })
    run.send({ id: 4, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } })
    run.send({ id: 5, method: 'no/such/method' })
    run.child.stdin!.write('this is no JSON\n')
    run.send({ id: 6, method: 'ping' })
    const lines = (): string[] => run.stdout.split('\n').filter(Boolean)
    await until(() => [1, 2, 3, 4, 5, 6].every((id) => run.stdout.includes(`"id":${id}`)), 'six answers')
    for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    const failed = lines().map((line) => JSON.parse(line) as { id?: number; result?: { isError?: boolean } })
    expect(failed.find(({ id }) => id === 3)?.result?.isError).toBe(true)
    expect(run.logs.some(({ level, msg }) => level === 'warn' && /comma-separated/i.test(msg))).toBe(true)
    run.child.stdin!.end()
    expect(await run.ended).toBe(0)
  })

  it('logs one short line about what is no message, without an excerpt of it', async () => {
    const run = new Program(['serve', bookshop], {}, perTest)
    run.child.stdin!.write('{"secret":"s3cret"}\ns3cret\n')
    run.send(initialize)
    await until(() => run.stdout.includes('"id":1'), 'an answer')
    run.child.stdin!.end()
    await run.ended
    const warnings = run.logs.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
    expect(warnings).toEqual(['what the client sent is no JSON-RPC message'])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at %s', async (signal) => {
    const run = new Program(['serve', bookshop], {}, perTest)
    run.send(initialize)
    await until(() => run.stdout.includes('"id":1'), 'an answer')
    run.child.kill(signal)
    expect(await run.ended).toBe(0)
  })

  it.each(['at SIGTERM', 'when the client closes its end', 'when the client is gone'])(
    'ends calls under way %s',
    async (end) => {
      let gone = false
      const silent = await startServer((_, response) => void response.on('close', () => (gone = true)), perTest)
      const run = new Program(['serve', bookshop, '--base-url', silent.url], {}, perTest)
      run.send(initialize)
      run.send({ method: 'notifications/initialized' })
      run.send({ id: 2, method: 'tools/call', params: { name: 'shop_list_authors', arguments: {} } })
      await until(() => silent.requests.length === 1, 'the API was asked')
      if (end === 'at SIGTERM') run.child.kill('SIGTERM')
      else run.child.stdin!.end()
      if (end === 'when the client is gone')
        for (const stream of [run.child.stdout!, run.child.stderr!]) stream.destroy()
      await run.ended
      await until(() => gone, 'the request to the API ended')
      expect(run.stderr).not.toContain('    at ')
    }
  )

  it('goes on where nobody reads the log any more', async () => {
    const run = new Program(['serve', bookshop], {}, perTest)
    await until(() => run.stderr.includes('serving'), 'it serves')
    run.child.stderr!.destroy()
    run.child.stdin!.write('{}\n'.repeat(3))
    run.send(initialize)
    await until(() => run.stdout.includes('"id":1'), 'an answer')
  })

  it('does not start with a document that is refused, and says why', async () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'a.yaml'),
      'openapi: 3.1.0\ninfo: { title: A, version: "1" }\nx-agent: { profils: {} }\npaths: {}\n'
    )
    const run = new Program(['serve', join(folder, 'a.yaml')], {}, perTest)
    run.send(initialize)
    expect(await run.ended).not.toBe(0)
    expect(run.stderr).toContain('profils')
    expect(run.stdout).toBe('')
  })
})

describe('configuration by environment', () => {
  it('takes every setting', async () => {
    const env = { OPENAPI_URL: bookshop, PROFILES: 'explore,edit_books', LOCALE: 'fr', BASE_URL: api.url }
    const { url } = await serveHttp([], perTest, { ...env, STRUCTURED_CONTENT: 'true', LINT: 'warn' })
    const peer = await connect('v2 auto', { url }, perTest)
    const tools = await peer.tools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...exploreTools, 'shop_create_book']))
    expect(tools.find(({ name }) => name === 'shop_list_books')?.title).toBe('Chercher des livres')
    expect((await peer.call('shop_list_books', {})).structuredContent).toBeDefined()
  })

  it('is beaten by flags', async () => {
    const { url } = await serveHttp([bookshop, '--locale', 'en', '--base-url', api.url], perTest, {
      LOCALE: 'fr',
      OPENAPI_URL: 'missing.yaml',
      BASE_URL: 'http://127.0.0.1:1'
    })
    const peer = await connect('v1', { url }, perTest)
    expect((await peer.tools())[0]?.title).toBe('Search books')
    expect((await peer.call('shop_list_authors')).isError).toBe(false)
  })

  it('takes an empty variable for none', async () => {
    const names = ['OPENAPI_URL', 'HOST', 'PROFILES', 'LOCALE', 'LINT', 'BASE_URL', 'REFRESH_INTERVAL']
    const others = ['STRUCTURED_CONTENT', 'API_KEY', 'API_KEY_HEADER']
    const env = Object.fromEntries([...names, ...others].map((name) => [name, '']))
    const { program: served } = await serveHttp([bookshop], perTest, env)
    expect(served.logs.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it.each([
    ['API_KEY_HEADER', 'X-Key'],
    ['TRANSPORT', 'carrier-pigeon'],
    ['PORT', 'http'],
    ['PORT', '1.5'],
    ['PORT', '0x50'],
    ['PORT', '65536'],
    ['LINT', 'loud'],
    ['BASE_URL', 'nope'],
    ['STRUCTURED_CONTENT', 'maybe'],
    ['REFRESH_INTERVAL', 'often']
  ])('refuses %s=%s', async (name, value) => {
    const run = new Program(['serve', bookshop], { TRANSPORT: 'http', PORT: '0', [name]: value }, perTest)
    expect(await run.ended).toBe(2)
    expect(run.stderr).toContain(name === 'API_KEY_HEADER' ? name : value)
    expect(run.stderr).not.toContain('    at ')
  })

  it.each([
    ['--forward-header', 'bad name'],
    ['--forward-header', 'Content-Length'],
    ['--allowed-host', 'https://my.example'],
    ['--base-url', '/v1'],
    ['--port', '']
  ])('refuses %s %j', async (flag, value) => {
    const run = new Program(['serve', bookshop, flag, value], { TRANSPORT: 'http', PORT: '0' }, perTest)
    expect(await run.ended).toBe(2)
    expect(run.stderr).toContain(JSON.stringify(value))
    expect(run.stderr).not.toContain('should not happen')
  })

  it('says that an API key without a header is not used', async () => {
    const { program: served } = await serveHttp([bookshop], perTest, { API_KEY: 'k3y' })
    await until(() => served.stderr.includes('API_KEY_HEADER'), 'the warning')
    expect(served.stderr).not.toContain('k3y')
  })
})

describe('the API key', () => {
  const key = 'k3y-that-nobody-may-see'
  const env = { API_KEY_HEADER: 'X-Api-Key', API_KEY: key }

  it.each(['stdio', 'http'] as const)('is sent with every call and shown nowhere (%s)', async (transport) => {
    const other = await startServer((_, response) => void response.end('{}'), perTest)
    const answers: ((r: import('node:http').ServerResponse) => void)[] = [
      (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
      (r) => r.writeHead(500, { 'content-type': 'text/plain' }).end('broken'),
      (r) => r.writeHead(307, { location: `${other.url}/authors` }).end(),
      (r) => r.destroy()
    ]
    let n = 0
    const upstream = await startServer((_, response) => answers[Math.min(n++, 3)]!(response), perTest)
    const args = [bookshop, '--base-url', upstream.url]
    const served = transport === 'http' ? await serveHttp(args, perTest, env) : undefined
    const peer = await connect('v2 auto', served ? { url: served.url } : { args, env }, perTest)
    const results = []
    for (let i = 0; i < 4; i++) results.push(await peer.call('shop_list_authors'))
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true, true])
    expect(upstream.requests.length).toBeGreaterThanOrEqual(4)
    for (const { headers } of upstream.requests) expect(headers['x-api-key']).toBe(key)
    expect(other.requests).toEqual([])
    const listed = JSON.stringify([results, await peer.tools(), peer.instructions])
    expect(listed + peer.stderr() + (served ? served.program.stdout + served.program.stderr : '')).not.toContain(key)
  })

  it('that is no valid header is refused without being shown', async () => {
    const run = new Program(['serve', bookshop], { ...env, API_KEY: `${key}\nX: y` }, perTest)
    expect(await run.ended).toBe(2)
    expect(run.stdout + run.stderr).not.toContain(key)
  })
})

describe('reloading', () => {
  function copy(): { document: string; edit(change: (text: string) => string): void } {
    const document = join(temporaryFolder(), 'bookshop.yaml')
    cpSync(bookshop, document)
    return { document, edit: (change) => writeFileSync(document, change(readFileSync(document, 'utf8'))) }
  }
  const rename = (text: string): string => text.replace('operationId: getBook', 'operationId: readBook')
  const names = async (peer: Peer): Promise<string[]> => (await peer.tools()).map(({ name }) => name)

  it.each([
    ['stdio', 'v2 auto'],
    ['stdio', 'v2 legacy'],
    ['stdio', 'v1'],
    ['http', 'v2 auto']
  ] as const)('--watch announces changed tools and keeps the last good ones (%s, %s)', async (transport, kind) => {
    const { document, edit } = copy()
    const args = [document, '--watch', '--base-url', api.url]
    const served = transport === 'http' ? await serveHttp(args, perTest) : undefined
    const peer = await connect(kind, served ? { url: served.url } : { args }, perTest)
    const stderr = (): string => (served ? served.program.stderr : peer.stderr())
    expect(await names(peer)).toEqual(exploreTools)

    let changed = peer.toolsChanged()
    edit((text) => rename(text).replaceAll('get_book', 'read_book'))
    await changed
    expect(await names(peer)).toContain('shop_read_book')

    const before = stderr().length
    edit((text) => text.replace('openapi: 3.1.0', 'openapi: 3.1.0\n  broken: ['))
    await until(() => /last good/i.test(stderr().slice(before)), 'the failed reload is told')
    expect(await names(peer)).toContain('shop_read_book')
    expect((await peer.call('shop_read_book', { id: 'b5' })).text).toContain('# Gaudy Night')

    changed = peer.toolsChanged()
    cpSync(bookshop, document)
    await changed
    expect(await names(peer)).toEqual(exploreTools)
  })

  it('a broken document serves profiles that nobody asked for before, too', async () => {
    const { document, edit } = copy()
    const { program: served, url, origin } = await serveHttp([document, '--watch', '--base-url', api.url], perTest)
    edit((text) => text.replace('openapi: 3.1.0', 'openapi: ['))
    await until(() => /last good/i.test(served.stderr), 'the failed reload is told')
    const peer = await connect('v2 auto', { url: `${url}?profiles=edit_books` }, perTest)
    expect(await names(peer)).toContain('shop_create_book')
    const refused = await send(`${url}?profiles=nope`, { headers: mcpHeaders, body: initializeBody })
    expect(refused.status).toBe(400)
    const documents = { served: 1, loading: 0, failing: 1 }
    expect(await (await fetch(`${origin}/healthz`)).json()).toMatchObject({ documents })
    expect(served.logs.filter(({ level }) => level !== 'info')).toHaveLength(1)
  })

  it('documents that were broken or missing at the start come in', async () => {
    const folder = temporaryFolder()
    const [bad, later] = [join(folder, 'bad.yaml'), join(folder, 'new folder', 'later.yaml')]
    writeFileSync(bad, 'openapi: [')
    const { url, origin } = await serveHttp([bookshop, bad, later, '--watch'], perTest)
    const peer = await connect('v2 auto', { url }, perTest)
    expect(await names(peer)).toEqual(exploreTools)
    let changed = peer.toolsChanged()
    cpSync(hello, bad)
    await changed
    expect(await names(peer)).toEqual([...exploreTools, 'say_hello', 'remember'])
    changed = peer.toolsChanged()
    mkdirSync(dirname(later))
    writeFileSync(later, readFileSync(hello, 'utf8').replaceAll('remember', 'recall'))
    await changed
    expect(await names(peer)).toEqual([...exploreTools, 'say_hello', 'remember', 'recall'])
    const documents = { served: 3, loading: 0, failing: 0 }
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok', tools: 6, documents })
  })

  it('a change that changes no tool is not announced', async () => {
    const { document, edit } = copy()
    const peer = await connect('v2 legacy', { args: [document, '--watch'] }, perTest)
    let announced = false
    void peer.toolsChanged().then(() => (announced = true))
    edit((text) => `${text}\n# a comment\n`)
    await sleep(1000)
    expect(announced).toBe(false)
  })

  it('survives editors that save by renaming', async () => {
    const { document } = copy()
    const peer = await connect('v2 legacy', { args: [document, '--watch'] }, perTest)
    for (const operationId of ['readBook', 'showBook']) {
      const changed = peer.toolsChanged()
      const text = readFileSync(bookshop, 'utf8')
        .replace('operationId: getBook', `operationId: ${operationId}`)
        .replaceAll('get_book', operationId.replace('B', '_b'))
      writeFileSync(`${document}.new`, text)
      renameSync(`${document}.new`, document)
      await changed
      expect(await names(peer)).toContain(`shop_${operationId.replace('B', '_b')}`)
    }
  })

  it('a document with an address is asked for again, conditionally', async () => {
    let text = readFileSync(bookshop, 'utf8')
    const asked: (string | undefined)[] = []
    const host = await startServer((request, response) => {
      const etag = `"${text.length}"`
      asked.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
      else response.writeHead(200, { 'content-type': 'application/yaml', etag }).end(text)
    }, perTest)
    const args = [`${host.url}/openapi.yaml`, '--refresh-interval', '1', '--base-url', api.url]
    const peer = await connect('v2 legacy', { args }, perTest)
    expect(await names(peer)).toEqual(exploreTools)
    const before = asked.length
    await until(() => asked.length >= before + 2, 'two refreshes')
    for (const condition of asked.slice(before)) expect(condition).toBe(`"${text.length}"`)
    const changed = peer.toolsChanged()
    text = rename(text).replaceAll('get_book', 'read_book')
    await changed
    expect(await names(peer)).toContain('shop_read_book')
  })
})

describe('several documents', () => {
  it('are one server', async () => {
    const { url } = await serveHttp([bookshop, hello, '--base-url', api.url], perTest)
    const peer = await connect('v2 auto', { url }, perTest)
    expect((await peer.tools()).map(({ name }) => name)).toEqual([...exploreTools, 'say_hello', 'remember'])
    expect((await peer.call('say_hello', { name: 'Ada', language: 'fr' })).text).toContain('Bonjour, Ada!')
    expect(peer.instructions).toContain('Bookshop')
  })

  it('one that fails does not take the others away', async () => {
    const missing = join(temporaryFolder(), 'missing.yaml')
    const args = [missing, hello, '--base-url', api.url]
    const { program: served, url } = await serveHttp(args, perTest)
    const peer = await connect('v2 legacy', { url }, perTest)
    expect((await peer.tools()).map(({ name }) => name)).toEqual(['say_hello', 'remember'])
    expect(served.logs.some(({ level, msg }) => level !== 'info' && msg.includes('missing.yaml'))).toBe(true)
  })

  it('one that does not answer holds nobody up, and comes in when it does', async () => {
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const slow = await startServer((_, response) => {
      void answered.then(() => response.end(readFileSync(hello, 'utf8')))
    }, perTest)
    const args = [bookshop, `${slow.url}/hello.yaml`, '--base-url', api.url]
    const { program: served, url, origin } = await serveHttp(args, perTest)
    await until(() => served.stderr.includes(`${slow.url}/hello.yaml has not answered yet`), 'the warning')
    const health = await (await fetch(`${origin}/healthz`)).json()
    expect(health).toEqual({ status: 'ok', tools: 3, documents: { served: 1, loading: 1, failing: 0 } })
    const peer = await connect('v2 auto', { url }, perTest)
    const changed = peer.toolsChanged()
    answer()
    await changed
    expect((await peer.tools()).map(({ name }) => name)).toEqual([...exploreTools, 'say_hello', 'remember'])
  })

  it('of which none answers do not keep the program from ending', async () => {
    const silent = await startServer(() => {}, perTest)
    const run = new Program(['serve', `${silent.url}/a.yaml`, `${silent.url}/b.yaml`], {}, perTest)
    await until(() => silent.requests.length === 2, 'both were asked for')
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  })

  it('of an index are one server', async () => {
    const index = join(temporaryFolder(), 'index.yaml')
    const service = (id: string, path: string): string => `{ id: ${id}, openapi: '${pathToFileURL(path).href}' }`
    writeFileSync(
      index,
      `version: 1
services: [${service('shop', bookshop)}, ${service('greeter', hello)}]
skills: [{ name: opening, description: Say hello first. }]
`
    )
    const { url } = await serveHttp([index, '--base-url', api.url], perTest)
    const peer = await connect('v2 auto', { url }, perTest)
    expect((await peer.resources()).map(({ uri }) => uri)).toEqual([
      'skill://opening/SKILL.md',
      'skill://shop/finding-books/SKILL.md'
    ])
    const skills = new SkillsClient(peer.v2!)
    expect((await skills.list()).skills.map((skill) => skill.frontmatter.name)).toEqual(['opening', 'finding-books'])
  })

  it('all of which fail do not start', async () => {
    const folder = temporaryFolder()
    const run = new Program(['serve', join(folder, 'a.yaml'), join(folder, 'b.yaml')], {}, perTest)
    run.send(initialize)
    expect(await run.ended).not.toBe(0)
    expect(run.stderr).toContain('a.yaml')
    expect(run.stdout).toBe('')
  })
})

describe('MCP Inspector on the command line', () => {
  const inspector = join(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/package.json'),
    '../build/cli.js'
  )

  /** `--cli` is what `@modelcontextprotocol/inspector --cli` runs too. */
  async function inspect(target: string[], ...args: string[]): Promise<unknown> {
    const { stdout } = await promisify(execFile)(process.execPath, [inspector, '--cli', ...target, ...args], {
      cwd: root,
      env: { ...process.env, BASE_URL: api.url, PROFILES: 'edit' }
    })
    return JSON.parse(stdout)
  }

  it.each(['stdio', 'http'] as const)('lists and calls tools and reads resources (%s)', async (transport) => {
    const target =
      transport === 'stdio'
        ? [process.execPath, program, 'serve', bookshop]
        : [(await serveHttp([bookshop], perTest, { BASE_URL: api.url, PROFILES: 'edit' })).url]
    const [tools, resources, call, skill] = await Promise.all([
      inspect(target, '--method', 'tools/list'),
      inspect(target, '--method', 'resources/list'),
      inspect(target, '--method', 'tools/call', '--tool-name', 'shop_list_books', '--tool-arg', 'query=gaudy'),
      inspect(target, '--method', 'resources/read', '--uri', 'skill://taking-orders/SKILL.md')
    ])
    expect(tools).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'shop_place_order' })])
    })
    expect(resources).toMatchObject({ resources: [{ name: 'finding-books' }, { name: 'taking-orders' }] })
    expect(call).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('Gaudy Night') }] })
    expect(skill).toMatchObject({ contents: [{ text: expect.stringContaining('name: taking-orders') }] })
  })
})
