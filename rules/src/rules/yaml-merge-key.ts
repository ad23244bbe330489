import { defineRule } from '../rule.js'

export default defineRule({
  id: 'yaml-merge-key',
  category: 'document',
  severity: 'error',
  summary: 'The merge key `<<` takes a mapping or a list of mappings.',
  why: 'Anything else is left out, and so is all that it should have brought.',
  examples: {
    wrong: `operationId: readItem
x-agent: { <<: defaults, name: read_item }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { <<: { title: Read }, name: read_item }
responses: { '200': { description: ok } }`
  }
})
