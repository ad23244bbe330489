import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-fixed-excluded',
  category: 'quality',
  severity: 'info',
  summary: 'A parameter is fixed or excluded, not both.',
  why: 'The fixed value is sent although `exclude` says that the parameter is not.',
  examples: {
    wrong: `operationId: readItem
x-agent: { fixed: { format: json }, params: { format: { exclude: true } } }
parameters: [{ name: format, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { fixed: { format: json } }
parameters: [{ name: format, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`
  }
})
