import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-no-description',
  category: 'quality',
  severity: 'warning',
  summary: 'A tool has a description: its own, or the summary or description of its operation.',
  why: 'All that an agent has to choose by is the operationId.',
  examples: {
    wrong: `operationId: readItem
summary: ''
x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
summary: ''
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  },
  check({ definitions, report }) {
    for (const { view, description, name } of definitions) {
      if (description !== view.operation.operationId || view.annotation.description !== undefined) continue
      report(view.node, {
        message: `${name} has no description, and its operation has neither summary nor description`,
        on: 'key'
      })
    }
  }
})
