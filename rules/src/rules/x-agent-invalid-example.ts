import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-invalid-example',
  category: 'drift',
  severity: 'error',
  summary: 'Examples are arguments that the input schema of the tool accepts.',
  why: 'An agent that follows the example gets an error.',
  examples: {
    wrong: `operationId: readItem
x-agent: { examples: [{ id: 42 }] }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { examples: [{ id: '42' }] }
responses: { '200': { description: ok } }`
  }
})
