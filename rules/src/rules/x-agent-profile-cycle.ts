import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-profile-cycle',
  category: 'vocabulary',
  severity: 'error',
  summary: 'Profiles do not include each other in a circle.',
  why: 'Profiles that include each other are one profile; which one was meant to be the larger one is lost.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: { includes: [edit] }, edit: { includes: [explore] } } }
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {}, edit: { includes: [explore] } } }
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`
  }
})
