import { describe, expect, it } from 'vitest'
import { documentOf, findings, toolOf, toolSetOf } from '../testing/documents.js'
import type { ToolResult } from './types.js'

/** A tool `read` over a response schema; `operation` are further YAML lines of the operation. */
function documentWith(schema: string, { operation = '', components = '' } = {}): string {
  return `openapi: 3.1.0
info: { title: T, version: '1' }
servers: [{ url: 'https://api.example' }]
paths:
  /x:
    get:
      operationId: read
      summary: Read.
      x-agent: {}
${operation.replace(/^/gm, '      ')}
      responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }
${components}`
}

interface Answer {
  body?: string
  type?: string
  status?: number
}

function answering({ body = '{}', type = 'application/json', status = 200 }: Answer): typeof fetch {
  const empty = status === 204
  return () =>
    Promise.resolve(new Response(empty ? null : body, { status, headers: empty ? {} : { 'content-type': type } }))
}

async function answerOf(document: string, answer: Answer, headers?: Record<string, string>): Promise<ToolResult> {
  const tool = await toolOf(document, { fetch: answering(answer), structuredContent: true, secrets: ['host-secret'] })
  return tool.execute({}, headers && { headers })
}

describe('an object that is spread over the query', () => {
  const document = documentOf(`
operationId: find
summary: Find.
parameters:
  - { name: id, in: path, required: true, schema: { type: string } }
  - { name: tenant, in: query, schema: { type: string } }
  - { name: debug, in: query, schema: { type: string } }
  - { name: 'f[a]', in: query, schema: { type: string } }
  - { name: sid, in: cookie, schema: { type: string } }
  - { name: filters, in: query, schema: { type: object, additionalProperties: { type: string } } }
  - { name: f, in: query, style: deepObject, schema: { type: object } }
  - { name: c, in: cookie, schema: { type: object } }
x-agent: { fixed: { tenant: mine, 'f[a]': F, sid: S }, params: { debug: { exclude: true } } }`)

  it.each([
    [{ filters: { tenant: 'other' } }, 'The query parameter "filters" must not hold "tenant"'],
    [{ filters: { debug: 'true' } }, 'The query parameter "filters" must not hold "debug"'],
    [{ f: { a: 'evil' } }, 'The query parameter "f" must not hold "f[a]"'],
    [{ c: { sid: 'evil' } }, 'The cookie parameter "c" must not hold "sid"']
  ])('brings in no parameter of its own: %j', async (args, message) => {
    const tool = await toolOf(document, { fetch: () => Promise.reject(new Error('sent')) })
    expect(await tool.execute({ id: '1', ...args })).toEqual({
      isError: true,
      text: `${message}: that is a parameter of its own`
    })
  })

  it('is sent where it brings nothing in, and no cookie of the caller beats a fixed one', async () => {
    const tool = await toolOf(document)
    const built = await tool.buildRequest(
      { id: '1', filters: { color: 'red' }, f: { b: 1 } },
      { headers: { cookie: 'sid=evil; other=1' } }
    )
    expect(built).toMatchObject({
      request: {
        url: 'https://shop.example/api/items/1?tenant=mine&f%5Ba%5D=F&color=red&f%5Bb%5D=1',
        headers: { cookie: 'other=1; sid=S' }
      }
    })
  })
})

describe('structured content conforms to the listed schema, whatever the service answers', () => {
  const schema =
    '{ type: object, required: [id], properties: { id: { type: integer }, tags: { type: array, items: { type: string } } } }'
  it.each<[string, Answer, unknown]>([
    ['as documented', { body: '{"id":1,"tags":["a"]}' }, { id: 1, tags: ['a'] }],
    ['of another type', { body: '{"id":"one","tags":["a"]}' }, { tags: ['a'] }],
    ['wrong inside of a list', { body: '{"id":1,"tags":["a",1,"b",2]}' }, { id: 1, tags: ['a', 'b'] }],
    ['with a large integer', { body: '{"id":12345678901234567890}' }, { id: 12345678901234567000 }],
    ['null', { body: 'null' }, {}],
    ['a list', { body: '[1]' }, {}],
    ['text', { body: 'Hello', type: 'text/plain' }, {}],
    ['an image', { body: 'x', type: 'image/png' }, {}],
    ['nothing', { status: 204 }, {}]
  ])('%s', async (_, answer, expected) => {
    const result = await answerOf(documentWith(schema), answer)
    expect(result.isError).toBeUndefined()
    expect(result.structuredContent).toEqual(expected)
  })

  it('and an error has none', async () => {
    expect(await answerOf(documentWith(schema), { status: 500, body: 'no' })).toEqual({
      isError: true,
      text: 'HTTP 500: no'
    })
  })

  it('keywords that a part of an answer cannot keep are not listed', async () => {
    const [tool] = (
      await toolSetOf(
        documentWith(
          '{ type: object, minProperties: 2, not: { required: [a] }, oneOf: [{ required: [a] }, { properties: { b: {} } }] }'
        ),
        { structuredContent: true }
      )
    ).tools
    expect(tool!.outputSchema).toEqual({ type: 'object', anyOf: [{}, { properties: { b: {} } }] })
  })
})

describe('credentials that a service repeats', () => {
  it.each([
    [{ authorization: 'Bearer topsecret1' }, 'bad key topsecret1', 'HTTP 401: bad key ***'],
    [{ 'x-api-key': 'topsecret1' }, '{"key":"topsecret1"}', 'HTTP 401: {"key":"***"}'],
    [{ cookie: 'a=1; sid=topsecret1' }, 'sid topsecret1 a 1', 'HTTP 401: sid *** a 1'],
    [{ 'x-tenant': 'acme-corp' }, 'no acme-corp', 'HTTP 401: no acme-corp'],
    [{}, 'host-secret', 'HTTP 401: ***']
  ])('%j', async (headers, body, text) => {
    const answer = { status: 401, body, type: 'text/plain' }
    expect((await answerOf(documentWith('{}'), answer, headers)).text).toBe(text)
  })
})

describe('what is excluded stays out', () => {
  const hidden = 's: { type: string, x-agent: { exclude: true } }'
  it.each([
    [
      'beside a reference in the middle of a chain',
      '{ type: object, properties: { s: { $ref: "#/components/schemas/B" } } }',
      '{"s":"SECRET"}'
    ],
    ['below dependentSchemas', `{ dependentSchemas: { k: { properties: { ${hidden} } } } }`, '{"k":1,"s":"SECRET"}'],
    ['below unevaluatedProperties', `{ unevaluatedProperties: { properties: { ${hidden} } } }`, '{"q":{"s":"SECRET"}}'],
    ['below unevaluatedItems', `{ unevaluatedItems: { properties: { ${hidden} } } }`, '[{"s":"SECRET"}]'],
    ['below contains', `{ contains: { properties: { ${hidden} } } }`, '[{"s":"SECRET"}]'],
    ['below a tuple of older drafts', `{ items: [{ properties: { ${hidden} } }] }`, '[{"s":"SECRET"}]'],
    ['behind a tuple', `{ prefixItems: [{}], items: { properties: { ${hidden} } } }`, '[1,{"s":"SECRET"}]'],
    ['below if', `{ if: { properties: { ${hidden} } }, then: {} }`, '{"s":"SECRET"}'],
    ['in a dynamic recursion', '{ $ref: "#/components/schemas/N" }', '{"c":{"c":{"s":"SECRET"}}}']
  ])('%s', async (_, schema, body) => {
    const components = `components:
  schemas:
    B: { $ref: '#/components/schemas/C', x-agent: { exclude: true } }
    C: { type: string }
    N: { $dynamicAnchor: n, type: object, properties: { c: { $dynamicRef: '#n' }, ${hidden} } }`
    const result = await answerOf(documentWith(schema, { components }), { body })
    expect(JSON.stringify(result)).not.toContain('SECRET')
  })
})

describe('arguments are checked against the schema as it is', () => {
  const recursive = `components:
  schemas:
    N: { type: object, required: [n], properties: { n: { type: string }, kids: { type: array, items: { $ref: '#/components/schemas/N' } } } }`

  it('in a parameter that is JSON, recursion included', async () => {
    const operation = `parameters: [{ name: a, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/N' } } } }]`
    const tool = await toolOf(documentWith('{}', { operation, components: recursive }))
    expect((await tool.execute({ a: { n: 'a', kids: [{ n: 1 }] } })).text).toBe(
      'Invalid parameters: /a/kids/0/n must be string, got 1 (type)'
    )
  })

  it('an alternative that fits but for something inside names that', async () => {
    const operation = `parameters: [{ name: p, in: query, content: { application/json: { schema: { oneOf: [{ required: [a] }, { required: [b], properties: { b: { type: integer } } }] } } } }]`
    const tool = await toolOf(documentWith('{}', { operation }))
    expect((await tool.execute({ p: { b: 'x' } })).text).toBe(
      'Invalid parameters:\n- /p fits none of the alternatives, got {"b":"x"} (oneOf)\n- /p/b must be integer, got string (type)'
    )
  })

  it('numbers that JSON does not have are refused', async () => {
    const operation = `parameters: [{ name: p, in: query, content: { application/json: { schema: {} } } }]`
    const tool = await toolOf(documentWith('{}', { operation }))
    for (const p of [Infinity, [NaN]]) expect((await tool.execute({ p })).isError).toBe(true)
  })

  it('a pattern that cannot be checked in linear time is said to be', async () => {
    const operation = `parameters:
  - { name: a, in: query, schema: { type: string, pattern: '^(?!x).*$' } }
  - { name: b, in: query, schema: { type: string, pattern: '(a)\\1' } }
  - { name: c, in: query, schema: { type: string, pattern: '^[(?=]\\\\1\\(\\?!$' } }`
    const document = documentWith('{}', { operation })
    expect(await findings(document)).toEqual([
      '11:66 warning openapi-pattern /paths/~1x/get/parameters/0/schema/pattern',
      '12:66 warning openapi-pattern /paths/~1x/get/parameters/1/schema/pattern'
    ])
    const tool = await toolOf(document)
    expect(tool.inputSchema['properties']).toMatchObject({ a: { pattern: '^(?!x).*$' } })
  })
})

it('no context at all is as good as an empty one', async () => {
  const tool = await toolOf(documentWith('{}'), { fetch: answering({}) })
  expect((await tool.execute({}, null as never)).isError).toBeUndefined()
})
