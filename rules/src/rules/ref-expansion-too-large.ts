import { defineRule } from '../rule.js'

const document = (agent: string): string => `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { edit: {} } }
paths:
  /items:
    post:
      operationId: createItem
      summary: Create an item.
      x-agent: ${agent}
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses: { '200': { description: ok } }
components:
  schemas:
    Item: { type: object, properties: { title: { type: string }, layout: { $ref: '#/components/schemas/Layout' } } }
    Layout: { anyOf: [&page { $ref: '#/components/schemas/Page' }, *page, *page, *page, *page, *page, *page, *page] }
    Page: { anyOf: [&row { $ref: '#/components/schemas/Row' }, *row, *row, *row, *row, *row, *row, *row] }
    Row: { anyOf: [&column { $ref: '#/components/schemas/Column' }, *column, *column, *column, *column, *column] }
    Column: { anyOf: [&block { $ref: '#/components/schemas/Block' }, *block, *block, *block, *block, *block, *block] }
    Block: { anyOf: [&text { $ref: '#/components/schemas/Text' }, *text, *text, *text, *text, *text, *text, *text] }
    Text: { type: object, properties: { text: { type: string } } }`

export default defineRule({
  id: 'ref-expansion-too-large',
  category: 'document',
  severity: 'error',
  summary: 'The input schema of a tool stays small enough when its references are written out.',
  why: 'The tool is left out: no client takes a definition of several megabytes.',
  examples: {
    wrong: document('{ annotations: { destructiveHint: false } }'),
    right: document('{ bodyFields: [title], annotations: { destructiveHint: false } }')
  }
})
