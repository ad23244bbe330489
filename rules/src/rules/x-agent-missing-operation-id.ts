import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-missing-operation-id',
  category: 'vocabulary',
  severity: 'error',
  summary: 'An operation with `x-agent` has an `operationId`.',
  why: 'Tools are named after it, and calls, logs and forms refer to it.',
  examples: {
    wrong: `x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
responses: { '200': { description: ok } }`
  }
})
