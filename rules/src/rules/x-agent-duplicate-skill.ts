import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-duplicate-skill',
  category: 'vocabulary',
  severity: 'error',
  summary: 'The skills of a document have different names.',
  why: 'A skill is read by its name: of two with one name only one can be read.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent:
  profiles: { explore: {} }
  skills: [{ name: start, description: Start here. }, { name: start, description: Then go on. }]
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent:
  profiles: { explore: {} }
  skills: [{ name: start, description: Start here. }, { name: go-on, description: Then go on. }]
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`
  }
})
