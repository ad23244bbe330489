import { reword } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'quoted-value-not-in-enum',
  category: 'drift',
  severity: 'error',
  summary: 'Values that a description quotes are values that the enum allows.',
  why: 'An agent that takes a quoted value is refused by the input schema.',
  examples: {
    wrong: `operationId: readItem
x-agent: { params: { sort: { description: 'Use "newst" for the latest ones.' } } }
parameters: [{ name: sort, in: query, schema: { type: string, enum: [newest, oldest] } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { params: { sort: { description: 'Use "newest" for the latest ones.' } } }
parameters: [{ name: sort, in: query, schema: { type: string, enum: [newest, oldest] } }]
responses: { '200': { description: ok } }`
  },
  fix: (finding, context) => reword('Quote the values that the enum allows', finding, context)
})
