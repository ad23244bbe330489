import { createSession, nodeHost } from '@openapi-mcp/core'
import { expect, it } from 'vitest'
import { lintDocument } from '../index.js'

it('asks about a POST that is called read-only, unless it is called after reading', async () => {
  const operation = (path: string, id: string, method = 'post'): string =>
    `  /${path}: { ${method}: { operationId: ${id}, summary: Do ${id}., x-agent: { annotations: { readOnlyHint: true } }, responses: {} } }\n`
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
${operation('items', 'addItem')}${operation('items/search', 'items')}${operation('q', 'findItems')}${operation('item', 'putItem', 'put')}`
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
  const { diagnostics } = await lintDocument(session, 'file:///openapi.yaml')
  expect(diagnostics.map((d) => `${d.severity} ${d.rule} ${d.path[1]}`)).toEqual([
    'info x-agent-hint-contradicts-method /items',
    'warning x-agent-hint-contradicts-method /item'
  ])
})
