import { defineRule } from '../rule.js'

export default defineRule({
  id: 'circular-ref',
  category: 'document',
  severity: 'error',
  summary: 'A reference leads to a definition, not back to itself.',
  why: 'What it stands for is defined nowhere, so the parameter is missing from the tool.',
  examples: {
    wrong: `operationId: readItem
x-agent: {}
parameters: [{ $ref: '#/paths/~1items~1{id}/get/parameters/0' }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
parameters: [{ name: page, in: query, schema: { type: integer } }]
responses: { '200': { description: ok } }`
  }
})
