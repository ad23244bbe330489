import { describe, expect, it } from 'vitest'
import { toolSetOf } from '../testing/documents.js'
import type { ToolSetOptions } from '../session.js'
import type { CallContext, ToolResult } from './types.js'

const text = (operation: string, more = ''): string => `openapi: 3.1.0
info: { title: T, version: '1' }
servers: [{ url: 'https://{region}.example/base/', variables: { region: { default: eu } } }]
paths:
  /items/{id}:
${operation}
${more}`

interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** Calls the first tool; gives its result and what was sent. */
async function call(
  document: string,
  args: Record<string, unknown>,
  {
    answer = Response.json({}),
    options = {},
    context = {}
  }: { answer?: Response; options?: ToolSetOptions; context?: CallContext } = {}
): Promise<{ result: ToolResult; sent: Sent[] }> {
  const sent: Sent[] = []
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    sent.push({
      method: init.method!,
      url,
      headers: init.headers as never,
      body: init.body === undefined ? undefined : JSON.parse(init.body as string)
    })
    return Promise.resolve(answer)
  }
  const { tools } = await toolSetOf(document, { fetch: fetch as never, ...options })
  return { result: await tools[0]!.execute(args, context), sent }
}

const id = '{ name: id, in: path, required: true, schema: { type: string } }'
const body = (schema: string, required = true): string =>
  `requestBody: { required: ${required}, content: { application/json: { schema: ${schema} } } }`
const item =
  '{ type: object, required: [name], properties: { name: { type: string }, size: { type: integer, default: 3 }, deep: { $ref: "#/components/schemas/Deep" } }, minProperties: 1 }'
const deep =
  'components: { schemas: { Deep: { type: object, properties: { n: { type: integer }, deep: { $ref: "#/components/schemas/Deep" } } } } }'

describe('a request', () => {
  it('has each argument in its place, and fixed values that nobody can change', async () => {
    const document = text(`    put:
      operationId: save
      x-agent: { fixed: { v: 2, X-Client: agent, kind: thing }, params: { q: { name: query } } }
      parameters: [${id}, { name: q, in: query }, { name: v, in: query, schema: { type: integer } }, { name: X-Client, in: header }]
      ${body('{ type: object, properties: { id: { type: integer }, kind: { type: string } } }')}`)
    const { sent } = await call(
      document,
      { id: 'a/b', query: 'x y', id__body: 7 },
      { context: { headers: { 'x-client': 'me', 'X-Trace': '1' } } }
    )
    expect(sent).toEqual([
      {
        method: 'PUT',
        url: 'https://eu.example/base/items/a%2Fb?v=2&q=x%20y',
        headers: {
          accept: expect.stringMatching(/^application\/json/) as string,
          'content-type': 'application/json',
          'x-client': 'agent',
          'x-trace': '1'
        },
        body: { id: 7, kind: 'thing' }
      }
    ])
    const refused = await call(document, { id: '1', kind: 'other' })
    expect(refused.sent).toEqual([])
    expect(refused.result).toMatchObject({ isError: true, text: expect.stringContaining('kind') as string })
  })

  it('sends a fixed text with commas as it reads', async () => {
    const { sent } = await call(
      text(
        `    get: { operationId: read, x-agent: { fixed: { select: 'id,na me' } }, parameters: [${id}, { name: select, in: query, schema: { type: array } }] }`
      ),
      { id: '1' }
    )
    expect(sent[0]!.url).toBe('https://eu.example/base/items/1?select=id,na%20me')
  })

  it('goes to the given base URL, else to the nearest servers', async () => {
    const own = text(`    servers: [{ url: 'https://own.example' }]
    get: { operationId: read, x-agent: {}, parameters: [${id}] }`)
    expect((await call(own, { id: '1' })).sent[0]!.url).toBe('https://own.example/items/1')
    expect((await call(own, { id: '1' }, { options: { baseUrl: 'http://localhost:1/api/' } })).sent[0]!.url).toBe(
      'http://localhost:1/api/items/1'
    )
    const relative = own.replace('https://own.example', '/v2')
    expect((await call(relative, { id: '1' })).result).toMatchObject({
      isError: true,
      text: expect.stringContaining('baseUrl') as string
    })
  })

  it('fills in defaults, but not those of a PATCH body', async () => {
    const document = (method: string): string =>
      text(`    ${method}: { operationId: save, x-agent: {}, parameters: [${id}], ${body(item)} }`, deep)
    expect((await call(document('put'), { id: '1', name: 'a' })).sent[0]!.body).toEqual({ name: 'a', size: 3 })
    expect((await call(document('patch'), { id: '1', name: 'a' })).sent[0]!.body).toEqual({ name: 'a' })
  })

  it('has no body where none is given and none is needed', async () => {
    const document = text(
      `    put: { operationId: save, x-agent: {}, parameters: [${id}], ${body(item, false)} }`,
      deep
    )
    expect((await call(document, { id: '1' })).sent[0]!.body).toBeUndefined()
    expect((await call(document, { id: '1', size: 4 })).result.text).toContain('name')
  })

  it('is checked against the whole schema of the API, recursion and compositions too', async () => {
    const document = text(
      `    put: { operationId: save, x-agent: { body: compact, fixed: { name: set } }, parameters: [${id}], ${body(item)} }`,
      deep
    )
    const wrong = await call(document, { id: '1', body: { deep: { deep: { deep: { n: 'x' } } } } })
    expect(wrong.sent).toEqual([])
    expect(wrong.result.text).toMatch(/Invalid body: \/deep\/deep\/deep\/n .*\(type\)/)
    expect((await call(document, { id: '1', body: { size: 1 } })).sent[0]!.body).toEqual({ size: 1, name: 'set' })
    expect((await call(document, { id: '1', body: { name: 'mine' } })).result.text).toContain(
      '/name is set by the tool'
    )
    const either = text(
      `    put: { operationId: save, x-agent: {}, parameters: [${id}], ${body('{ type: object, properties: { a: {}, b: {} }, anyOf: [{ required: [a] }, { required: [b] }] }')} }`
    )
    expect((await call(either, { id: '1' })).result.isError).toBe(true)
    expect((await call(either, { id: '1', b: 1 })).sent[0]!.body).toEqual({ b: 1 })
  })

  it('takes names that every JavaScript object knows for what they are', async () => {
    const names = '{ type: object, properties: { constructor: { type: string }, toString: { type: string }, a: {} } }'
    const document = text(
      `    put: { operationId: save, x-agent: {}, parameters: [${id}, { name: valueOf, in: query }], ${body(names)} }`
    )
    expect((await call(document, { id: '1', a: 1 })).sent).toMatchObject([
      { url: 'https://eu.example/base/items/1', body: { a: 1 } }
    ])
    const given = { id: '1', constructor: 'c', toString: 't', valueOf: 'v' }
    const { sent } = await call(document, given)
    expect(sent[0]!.url).toMatch(/\?valueOf=v$/)
    expect(JSON.stringify(sent[0]!.body)).toBe('{"constructor":"c","toString":"t"}')
  })

  it('can be looked at without being sent', async () => {
    const { tools } = await toolSetOf(text(`    get: { operationId: read, x-agent: {}, parameters: [${id}] }`))
    expect(await tools[0]!.buildRequest({ id: '1' })).toMatchObject({
      request: { method: 'GET', url: 'https://eu.example/base/items/1' }
    })
    expect(await tools[0]!.buildRequest({})).toEqual({ error: expect.stringContaining('id') as string })
  })
})

describe('a result', () => {
  const reading = (agent = '{}'): string =>
    text(`    get:
      operationId: read
      x-agent: ${agent}
      parameters: [${id}]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: {}, a: { x-agent: { exclude: true } }, c: { x-agent: { hint: Note. } } } } } } }
        '202': { description: later, content: { application/json: { schema: { type: object, properties: { b: { x-agent: { exclude: true } } } } } } }`)
  const read = async (answer: Response, agent?: string, options: ToolSetOptions = {}): Promise<ToolResult> =>
    (await call(reading(agent), { id: '1' }, { answer, options })).result

  it('follows the schema of the status that came', async () => {
    expect((await read(Response.json({ a: 1, c: 2 }))).text).toBe('- **c**: 2 *Note.*')
    expect((await read(Response.json({ b: 1, c: 2 }, { status: 202 }))).text).toBe('- **c**: 2')
    expect((await read(Response.json({ a: 1, c: 2 }, { status: 207 }))).text).not.toContain('**a**')
  })

  it('keeps every digit of large integers', async () => {
    const answer = new Response('{"id": 12345678901234567890, "c": "a 12345678901234567890 b", "n": 1e400}', {
      headers: { 'content-type': 'application/json' }
    })
    expect((await read(answer)).text).toMatch(/12345678901234567890[\s\S]*a 12345678901234567890 b/)
  })

  it('comes with structured content that hides the same', async () => {
    const result = await read(Response.json({ id: 1, a: 2, c: 3 }), '{ response: { concise: [id, a] } }', {
      structuredContent: true
    })
    expect(result.structuredContent).toEqual({ id: 1 })
  })

  it('says what went wrong', async () => {
    expect(await read(new Response('{"error":"no"}', { status: 404 }))).toEqual({
      isError: true,
      text: 'HTTP 404: {"error":"no"}'
    })
    expect(await read(new Response('', { status: 503 }))).toMatchObject({
      isError: true,
      text: expect.stringContaining('503') as string
    })
    expect(await read(new Response('x'.repeat(100), { status: 500 }), '{}', { maxErrorLength: 10 })).toMatchObject({
      text: expect.stringMatching(/^HTTP 500: x{10}…/) as string
    })
    expect(await read(new Response('{"a', { headers: { 'content-type': 'application/json' } }))).toMatchObject({
      isError: true
    })
    expect(await read(new Response(null, { status: 204 }))).toEqual({ text: 'OK (HTTP 204, empty body)' })
  })

  it('passes text on untouched and describes what is none', async () => {
    expect((await read(new Response('a  \r\n', { headers: { 'content-type': 'text/csv' } }))).text).toBe('a  \r\n')
    expect(
      (await read(new Response(Uint8Array.of(1, 2, 3), { headers: { 'content-type': 'image/png' } }))).text
    ).toMatch(/image\/png, 3 bytes/)
  })
})
