import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-select-param',
  category: 'drift',
  severity: 'error',
  summary: '`selectParam` names a parameter of the operation, and the response declares fields to choose from.',
  why: 'The argument `fields` cannot be made, and an agent gets more than it asked for.',
  examples: {
    wrong: `operationId: readItem
x-agent: { response: { selectParam: fields } }
parameters: [{ name: select, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { response: { selectParam: select } }
parameters: [{ name: select, in: query, schema: { type: string } }]
responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: {}, title: {} } } } } } }`
  }
})
