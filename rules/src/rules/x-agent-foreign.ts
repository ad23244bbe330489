import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-foreign',
  category: 'vocabulary',
  severity: 'error',
  summary: '`x-agent` is written in this vocabulary.',
  why: 'Several vocabularies share the key. One with other fields gives no tools here.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: { risk: low, owner: sales }, responses: { '200': { description: ok } } } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`
  }
})
