import { isSelected, profilesOf } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-unused-profile',
  category: 'drift',
  severity: 'info',
  summary: 'Every declared profile selects a tool.',
  why: 'Who asks for the profile gets no tools, most likely because of a name that was changed in one place only.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {}, edit: {} } }
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: { profiles: [explore] }, responses: { '200': { description: ok } } } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {}, edit: { includes: [explore] } } }
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: { profiles: [explore] }, responses: { '200': { description: ok } } } }`
  },
  check({ analysis, report }) {
    // Without any tool the document is only at its beginning.
    if (analysis.views.length === 0) return
    for (const { name, node } of analysis.profiles.declared) {
      const selected = analysis.profiles.expand([name])
      if (analysis.views.some((view) => isSelected(profilesOf(view, analysis.tags), selected))) continue
      report(node, { message: `no operation is in the profile "${name}"`, on: 'key' })
    }
  }
})
