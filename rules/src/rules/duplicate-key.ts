import { defineRule } from '../rule.js'

export default defineRule({
  id: 'duplicate-key',
  category: 'document',
  severity: 'error',
  summary: 'A key stands once in an object.',
  why: 'Only the last one counts; what the other one says is lost without a word.',
  examples: {
    wrong: `operationId: readItem
x-agent: { name: read_item, name: get_item }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { name: get_item }
responses: { '200': { description: ok } }`
  }
})
