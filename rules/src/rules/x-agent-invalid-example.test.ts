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
