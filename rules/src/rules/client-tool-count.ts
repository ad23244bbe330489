import { brokenLimits, effectOn, severityOfEffect } from '../client-finding.js'
import { profileTools } from '../profile-sets.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-tool-count',
  category: 'clients',
  severity: 'error',
  summary: 'A profile has no more tools than the clients take.',
  why: 'Tools beyond the limit are dropped, or the request is refused with all of them.',
  examples: {
    settings: { clients: ['claude-strict'] },
    wrong: manyOperations(21),
    right: manyOperations(2)
  },
  check(context) {
    const { clients, report } = context
    for (const { title, definitions, node } of profileTools(context)) {
      for (const broken of brokenLimits(
        clients,
        (client) => client.tools,
        (most) => definitions.length > most
      )) {
        report(node, {
          message: `${title} has ${definitions.length} tools, more than ${broken.limit.value}: ${effectOn(broken)}`,
          on: 'key',
          severity: severityOfEffect(broken.limit.effect)
        })
      }
    }
  }
})

function manyOperations(count: number): string {
  const operation = (_: unknown, n: number): string =>
    `  /items/${n}: { get: { operationId: readItem${n}, summary: Read item ${n}., x-agent: {}, responses: { '200': { description: ok } } } }`
  return `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
${Array.from({ length: count }, operation).join('\n')}`
}
