import { reword } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'scalar-example-for-array',
  category: 'drift',
  severity: 'error',
  summary: 'The description of an array parameter shows arrays as examples.',
  why: 'An agent that copies a scalar example sends a text, which the input schema refuses.',
  examples: {
    wrong: `operationId: readItem
x-agent: { params: { sort: { description: 'Fields to sort by, such as "-title".' } } }
parameters: [{ name: sort, in: query, schema: { type: array, items: { type: string } } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { params: { sort: { description: 'Fields to sort by, such as ["-title"].' } } }
parameters: [{ name: sort, in: query, schema: { type: array, items: { type: string } } }]
responses: { '200': { description: ok } }`
  },
  fix: (finding, context) => reword('Write examples as arrays', finding, context)
})
