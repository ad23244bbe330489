import { createSession, nodeHost } from '@openapi-mcp/core'
import { expect, it } from 'vitest'
import { lintDocument } from '../index.js'

const text = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    get:
      operationId: listItems
      summary: List the items.
      parameters:
        - { name: size, in: query, required: true, schema: { type: integer, default: 10 } }
        - { name: sort, in: query, schema: { type: array, items: { type: string } } }
      responses: { '200': { description: ok } }
      x-agent: { examples: [{ size: 5 }, { size: '5' }, { sise: 5 }, { sort: [a, 1] }] }
`

it('each example that the input schema refuses is one finding, where it is wrong', async () => {
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
  const { diagnostics } = await lintDocument(session, 'file:///openapi.yaml')
  const lines = diagnostics.map(
    (d) => `${session.rangeOf(d)!.start.character + 1} ${d.severity} ${d.rule} ${d.path.at(-1)}`
  )
  expect(lines).toEqual([
    '50 error x-agent-invalid-example 1',
    '57 error x-agent-invalid-example 2',
    '82 error x-agent-invalid-example 3'
  ])
  // They do not stop the tool: it works for who gives other arguments.
  const { toolSet } = await session.toolSet('file:///openapi.yaml')
  expect(toolSet.tools.map((tool) => tool.examples)).toHaveLength(1)
})

it('the body of an example is checked against its real schema, with what is fixed in it', async () => {
  const compact = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /x:
    post:
      operationId: write
      summary: Write.
      x-agent: { body: compact, annotations: { destructiveHint: false }, fixed: { kind: a }, examples: [{ body: { n: 1 } }, { body: { n: one } }] }
      requestBody: { content: { application/json: { schema: { type: object, required: [kind], properties: { kind: { type: string }, n: { type: integer } } } } } }
      responses: { '200': { description: ok } }
`
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(compact) }))
  const { diagnostics } = await lintDocument(session, 'file:///openapi.yaml')
  expect(diagnostics.map(({ rule, path, within }) => [rule, path.at(-1), within])).toEqual([
    ['x-agent-invalid-example', 1, ['body', 'n']]
  ])
})
