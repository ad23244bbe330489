import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-duplicate-tool-name',
  category: 'vocabulary',
  severity: 'error',
  summary: 'The tools of a profile have different names.',
  why: 'Clients refuse a list in which a name stands twice, or call the wrong tool. Where only a request for several profiles brings the two together, it is a warning.',
  examples: {
    wrong: `operationId: readItem
x-agent: { name: list_items }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { name: get_item }
responses: { '200': { description: ok } }`
  }
})
