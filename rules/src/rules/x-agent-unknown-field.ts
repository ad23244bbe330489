import { renameKey } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-unknown-field',
  category: 'vocabulary',
  severity: 'error',
  summary: 'Each field of `x-agent` is one of the vocabulary.',
  why: 'A field with a slip of the pen would be ignored, and the tool would not be what its author wrote.',
  examples: {
    wrong: `operationId: readItem
x-agent: { desciption: Read one item. }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  },
  fix: renameKey
})
