import fc from 'fast-check'
import { load, type Tool } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'

const SECRET = 'must-not-be-seen'

const tree = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', 'x-agent': { hint: 'As typed.' } },
    secret: { type: 'string', 'x-agent': { exclude: true } },
    inner: { $ref: '#/components/schemas/Tree' },
    list: { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'string' }] } },
    map: { type: 'object', additionalProperties: { allOf: [{ $ref: '#/components/schemas/Tree' }] } }
  }
}

const ok = (schema: object) => ({ '200': { description: 'ok', content: { 'application/json': { schema } } } })

const document = {
  openapi: '3.1.0',
  info: { title: 'Trees', version: '1' },
  servers: [{ url: 'https://trees.example/api' }],
  paths: {
    '/trees/{id}': {
      get: {
        operationId: 'readTree',
        'x-agent': { response: { concise: ['id', 'name', 'inner', 'list', 'map', 'secret'], detailed: true } },
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          {
            name: 'q',
            in: 'query',
            schema: { type: 'object', additionalProperties: true },
            style: 'deepObject',
            explode: true
          },
          { name: 'x-note', in: 'header', schema: { type: 'string' } }
        ],
        responses: ok({ $ref: '#/components/schemas/Tree' })
      },
      put: {
        operationId: 'saveTree',
        'x-agent': { body: 'compact', fixed: { id: 7 }, response: { rows: '/list', hints: true } },
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } }
        },
        responses: ok({ $ref: '#/components/schemas/Tree' })
      }
    }
  },
  components: { schemas: { Tree: tree } }
}

const { value: treeValue } = fc.letrec((tie) => ({
  value: fc.record(
    {
      id: fc.integer(),
      name: fc.string({ unit: 'binary', maxLength: 30 }),
      secret: fc.constant(SECRET),
      inner: fc.option(tie('value'), { maxDepth: 3 }),
      list: fc.array(fc.oneof({ maxDepth: 3 }, fc.string(), tie('value')), { maxLength: 3 }),
      map: fc.dictionary(fc.string({ maxLength: 5 }), fc.option(tie('value'), { maxDepth: 3 }), { maxKeys: 2 }),
      meta: fc.constant({ hints: ['One.'] })
    },
    { requiredKeys: [] }
  )
}))

async function toolsAnswering(
  response: () => Response | Promise<Response>
): Promise<{ tools: Tool[]; requests: Request[] }> {
  const requests: Request[] = []
  const answering = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests.push(new Request(input as string, init))
    return Promise.resolve().then(response)
  }
  return {
    tools: (await load(document, { fetch: answering as typeof fetch, structuredContent: true })).tools,
    requests
  }
}

describe('a call', () => {
  it('never shows what is excluded, at whatever depth it comes', async () => {
    let body: unknown
    const { tools } = await toolsAnswering(() => Response.json(body))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(treeValue, fc.array(treeValue, { maxLength: 3 })),
        fc.constantFrom('concise', 'detailed'),
        async (value, format) => {
          body = value
          for (const tool of tools) {
            const args = tool.name === 'read_tree' ? { id: '1', response_format: format } : { body: {} }
            const result = await tool.execute(args)
            expect(result.isError).toBeFalsy()
            expect(JSON.stringify(result)).not.toContain(SECRET)
            expect(result.text.isWellFormed()).toBe(true)
          }
        }
      ),
      { numRuns: 150 }
    )
  })

  it('never throws and never leaves the API, whatever it is given and answered', async () => {
    let response = (): Response => new Response()
    const { tools, requests } = await toolsAnswering(() => response())
    const strange = fc.oneof(
      fc.anything({ maxDepth: 2, withBigInt: true, withDate: true, withMap: true }),
      fc.constantFrom(undefined, null, [], 'x')
    )
    const args = fc.oneof(
      strange,
      fc.dictionary(fc.constantFrom('id', 'q', 'x-note', 'body', 'response_format', '__proto__'), strange)
    )
    const answers = fc.record({
      status: fc.constantFrom(200, 201, 302, 400, 404, 500, 503),
      type: fc.constantFrom(
        'application/json',
        'text/plain',
        'image/png',
        'text/html; charset=no-such',
        '',
        'application/json; charset=utf-16le'
      ),
      text: fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('')),
      location: fc.constantFrom('/elsewhere', 'https://other.example/', 'ht!tp://', '')
    })
    await fc.assert(
      fc.asyncProperty(args, answers, async (given, { status, type, text, location }) => {
        response = () => new Response(text, { status, headers: { 'content-type': type, location } })
        requests.length = 0
        for (const tool of tools) {
          const result = await tool.execute(given as Record<string, unknown>)
          expect(typeof result.text).toBe('string')
          expect(result.text).not.toBe('')
        }
        for (const { url } of requests)
          expect(
            url.startsWith('https://trees.example/api/') || url.startsWith('https://trees.example/elsewhere')
          ).toBe(true)
      }),
      { numRuns: 300 }
    )
  })
})
