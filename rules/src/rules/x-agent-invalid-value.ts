import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-invalid-value',
  category: 'vocabulary',
  severity: 'error',
  summary: 'Each field has a value of the kind that the vocabulary gives for it.',
  why: 'A value that means nothing would be ignored, and the tool would not be what its author wrote.',
  examples: {
    wrong: `operationId: readItem
x-agent: { profiles: explore }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { profiles: [explore] }
responses: { '200': { description: ok } }`
  }
})
