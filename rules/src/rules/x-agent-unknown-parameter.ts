import { renameKey } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-unknown-parameter',
  category: 'drift',
  severity: 'warning',
  summary: '`params` and `fixed` name parameters of the operation.',
  why: 'An override of a parameter that is not there does nothing: what it is to hide or to rename stays as it is.',
  examples: {
    wrong: `operationId: readItem
x-agent: { params: { pge: { maximum: 10 } } }
parameters: [{ name: page, in: query, schema: { type: integer } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { params: { page: { maximum: 10 } } }
parameters: [{ name: page, in: query, schema: { type: integer } }]
responses: { '200': { description: ok } }`
  },
  fix: renameKey
})
