import { defineRule } from '../rule.js'

export default defineRule({
  id: 'unresolved-ref',
  category: 'document',
  severity: 'error',
  summary: 'A reference that an annotated operation needs leads to something.',
  why: 'What it stands for is missing from the tool; what is to be excluded below it would be shown.',
  examples: {
    wrong: `operationId: readItem
x-agent: {}
parameters: [{ $ref: '#/components/parameters/Page' }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
parameters: [{ name: page, in: query, schema: { type: integer } }]
responses: { '200': { description: ok } }`
  }
})
