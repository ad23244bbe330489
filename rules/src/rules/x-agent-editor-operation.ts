import { replaceName } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-editor-operation',
  category: 'calls',
  severity: 'error',
  summary:
    '`readOperation` and `schemaOperation` name GET operations that need no path parameters beyond those of the form.',
  why: 'The form cannot be opened: there is nothing to read its document or its schema with.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { edit: {} } }
paths:
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: readItem, responses: { '200': { description: ok } } }
    put:
      operationId: saveItem
      summary: Save an item.
      x-agent: { editor: { readOperation: readItm } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: ok } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { edit: {} } }
paths:
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: readItem, responses: { '200': { description: ok } } }
    put:
      operationId: saveItem
      summary: Save an item.
      x-agent: { editor: { readOperation: readItem } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: ok } }`
  },
  fix: replaceName
})
