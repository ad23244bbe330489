import { child } from '@openapi-mcp/core'
import { Type } from '@sinclair/typebox'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-description-too-long',
  category: 'quality',
  severity: 'warning',
  summary: 'The description of a tool stays within a budget of characters.',
  why: 'Every description stands before the model in every conversation, and some clients cut long ones silently.',
  options: Type.Object({
    max: Type.Integer({ default: 1024, minimum: 1, description: 'Most characters.', expects: 'a number of characters' })
  }),
  examples: {
    settings: { options: { max: 20 } },
    wrong: `operationId: readItem
x-agent: { description: Read one item with all that is known of it. }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  },
  check({ definitions, options, report }) {
    for (const { view, description, name } of definitions) {
      const { length } = [...description]
      if (length <= options.max) continue
      const own = child(view.node, 'description')
      report(own ?? view.node, {
        message: `the description of ${name} has ${length} characters, more than ${options.max}${own ? '' : '; it comes from the operation, so write a shorter one here'}`,
        on: 'key'
      })
    }
  }
})
