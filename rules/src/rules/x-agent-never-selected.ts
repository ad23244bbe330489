import { child, profilesOf } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-never-selected',
  category: 'quality',
  severity: 'warning',
  summary: 'An annotated operation is in some profile.',
  why: 'An empty list of profiles hides the tool from everybody.',
  examples: {
    wrong: `operationId: readItem
x-agent: { profiles: [] }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { profiles: [explore] }
responses: { '200': { description: ok } }`
  },
  check({ analysis, report }) {
    for (const view of analysis.views) {
      const profiles = profilesOf(view, analysis.tags)
      if (profiles === true || profiles.length > 0) continue
      report(child(view.node, 'profiles') ?? view.node, {
        message: `"${view.name}" is in no profile; leave the operation without x-agent, or name one`,
        on: 'key'
      })
    }
  }
})
