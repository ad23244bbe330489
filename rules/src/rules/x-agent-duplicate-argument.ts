import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-duplicate-argument',
  category: 'vocabulary',
  severity: 'error',
  summary: 'The parameters of a tool have different names.',
  why: 'Of two arguments with one name an agent could give only one.',
  examples: {
    wrong: `operationId: readItem
x-agent: { params: { q: { name: query }, filter: { name: query } } }
parameters: [{ name: q, in: query, schema: { type: string } }, { name: filter, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { params: { q: { name: query } } }
parameters: [{ name: q, in: query, schema: { type: string } }, { name: filter, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`
  }
})
