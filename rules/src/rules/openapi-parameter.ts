import { defineRule } from '../rule.js'

export default defineRule({
  id: 'openapi-parameter',
  category: 'document',
  severity: 'error',
  summary: 'A parameter has a `name` and says with `in` where it goes.',
  why: 'It cannot be sent, so the tool goes without it.',
  examples: {
    wrong: `operationId: readItem
x-agent: {}
parameters: [{ name: page, schema: { type: integer } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
parameters: [{ name: page, in: query, schema: { type: integer } }]
responses: { '200': { description: ok } }`
  }
})
