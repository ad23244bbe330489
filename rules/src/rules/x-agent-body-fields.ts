import { replaceName } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-body-fields',
  category: 'drift',
  severity: 'error',
  summary: '`bodyFields` names properties that the JSON request body declares.',
  why: 'A property that is not there cannot be sent, so the tool would do less than its author meant.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { edit: {} } }
paths:
  /items:
    post:
      operationId: createItem
      summary: Create an item.
      x-agent: { bodyFields: [title, prize], annotations: { destructiveHint: false } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string }, price: { type: number } } } } } }
      responses: { '200': { description: ok } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { edit: {} } }
paths:
  /items:
    post:
      operationId: createItem
      summary: Create an item.
      x-agent: { bodyFields: [title, price], annotations: { destructiveHint: false } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string }, price: { type: number } } } } } }
      responses: { '200': { description: ok } }`
  },
  fix: replaceName
})
