import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-view-name',
  category: 'vocabulary',
  severity: 'error',
  summary: 'The views of an operation have different names.',
  why: 'Each view is a tool, and tools are told apart by their names.',
  examples: {
    wrong: `operationId: readItem
x-agent: [{ name: read_item }, { name: read_item, description: Read one item in short. }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: [{ name: read_item }, { name: read_item_in_short, description: Read one item in short. }]
responses: { '200': { description: ok } }`
  }
})
