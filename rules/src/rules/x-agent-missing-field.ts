import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-missing-field',
  category: 'vocabulary',
  severity: 'error',
  summary: 'An annotation has the fields that it needs.',
  why: 'A skill without a name cannot be read, and neither can views of one operation be told apart.',
  examples: {
    wrong: `operationId: readItem
x-agent: [{ description: Read one item. }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: [{ name: read_item, description: Read one item. }]
responses: { '200': { description: ok } }`
  }
})
