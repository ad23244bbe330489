import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-misplaced',
  category: 'vocabulary',
  severity: 'error',
  summary: '`x-agent` stands at the root, a tag, an operation, a parameter or a schema property.',
  why: 'Elsewhere it means nothing: what it is to exclude would be shown.',
  examples: {
    wrong: `operationId: readItem
x-agent: {}
responses: { '200': { description: ok, x-agent: { exclude: true } } }`,
    right: `operationId: readItem
x-agent: {}
responses: { '200': { description: ok } }`
  }
})
