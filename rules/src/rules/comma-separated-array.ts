import { reword } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'comma-separated-array',
  category: 'drift',
  severity: 'error',
  summary: 'The description of an array parameter does not ask for a comma-separated text.',
  why: 'An agent that does what it says sends a text, which the input schema refuses.',
  examples: {
    wrong: `operationId: readItem
x-agent: { params: { sort: { description: Comma-separated list of fields. } } }
parameters: [{ name: sort, in: query, schema: { type: array, items: { type: string } } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { params: { sort: { description: List of fields. } } }
parameters: [{ name: sort, in: query, schema: { type: array, items: { type: string } } }]
responses: { '200': { description: ok } }`
  },
  fix: (finding, context) => reword('Call it a list', finding, context)
})
