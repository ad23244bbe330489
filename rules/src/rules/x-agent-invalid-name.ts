import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-invalid-name',
  category: 'vocabulary',
  severity: 'error',
  summary: 'Names have the form that the vocabulary gives for them.',
  why: 'Clients and model APIs refuse tools and arguments with other characters in their names.',
  examples: {
    wrong: `operationId: readItem
x-agent: { name: read-item }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { name: read_item }
responses: { '200': { description: ok } }`
  }
})
