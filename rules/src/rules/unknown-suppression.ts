import { defineRule } from '../rule.js'

export default defineRule({
  id: 'unknown-suppression',
  category: 'configuration',
  severity: 'warning',
  summary: 'A comment, an entry of the ignore file or of the baseline names a rule that there is.',
  why: 'With a slip of the pen it holds nothing back.',
  foundBy: 'lint',
  examples: {
    wrong: `operationId: readItem
# openapi-mcp-disable-nextline x-agent-no-description
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  }
})
