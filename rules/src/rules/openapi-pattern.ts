import { defineRule } from '../rule.js'

export default defineRule({
  id: 'openapi-pattern',
  category: 'document',
  severity: 'warning',
  summary: 'A `pattern` is a regular expression that JSON Schema validators can compile.',
  why: 'It is left out of the tool, so values that the API refuses are sent.',
  examples: {
    wrong: `operationId: readItem
x-agent: {}
parameters: [{ name: code, in: query, schema: { type: string, pattern: '^[A-Z' } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
parameters: [{ name: code, in: query, schema: { type: string, pattern: '^[A-Z]+$' } }]
responses: { '200': { description: ok } }`
  }
})
