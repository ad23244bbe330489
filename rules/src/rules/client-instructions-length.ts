import { brokenLimits, effectOn, severityOfEffect } from '../client-finding.js'
import { clientOf } from '../clients.js'
import { profileTools } from '../profile-sets.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-instructions-length',
  category: 'clients',
  severity: 'warning',
  summary: 'The instructions of a profile are short enough for the clients to show them whole.',
  why: 'What stands behind the limit is cut off: the last skills and tags, which agents then never hear of.',
  examples: {
    settings: { clients: ['claude-code'] },
    wrong: withTag(`Items have an id. ${'They stand on shelves. '.repeat(90)}`),
    right: withTag('Items have an id.')
  },
  check(context) {
    const { clients, report } = context
    if (!clients.some((id) => clientOf(id).instructionsLength)) return
    for (const { profiles, title, node } of profileTools(context)) {
      const { length } = context.instructions(profiles)
      for (const broken of brokenLimits(
        clients,
        (client) => client.instructionsLength,
        (most) => length > most
      )) {
        report(node, {
          message: `the instructions of ${title} have ${length} characters, more than ${broken.limit.value}: ${effectOn(broken)}`,
          on: 'key',
          severity: severityOfEffect(broken.limit.effect)
        })
      }
    }
  }
})

function withTag(skill: string): string {
  return `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {} } }
tags: [{ name: Items, x-agent: { skill: '${skill.trim()}' } }]
paths:
  /items:
    get: { operationId: listItems, summary: List the items., tags: [Items], x-agent: {}, responses: { '200': { description: ok } } }`
}
