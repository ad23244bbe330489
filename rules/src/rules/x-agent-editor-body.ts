import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-editor-body',
  category: 'calls',
  severity: 'error',
  summary: 'An operation with `editor` has an `application/json` request body.',
  why: 'A form that cannot be saved is of no use.',
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
      x-agent: { editor: { readOperation: readItem } }
      requestBody: { content: { application/xml: { schema: { type: object } } } }
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
  }
})
