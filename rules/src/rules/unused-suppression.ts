import { defineRule } from '../rule.js'

export default defineRule({
  id: 'unused-suppression',
  category: 'configuration',
  severity: 'warning',
  summary: 'A comment, an entry of the ignore file or of the baseline holds a finding back.',
  why: 'What was meant for a mistake that is mended would hide the next one at the same place.',
  foundBy: 'lint',
  examples: {
    wrong: `operationId: readItem
# openapi-mcp-disable-next-line x-agent-no-description -- nobody calls it
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
summary: ''
# openapi-mcp-disable-next-line x-agent-no-description -- nobody calls it
x-agent: {}
responses: { '200': { description: ok } }`
  }
})
