import { brokenLimits, effectOn, severityOfEffect } from '../client-finding.js'
import { clientOf } from '../clients.js'
import { schemasIn } from '../input-schema.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-schema-keyword',
  category: 'clients',
  severity: 'error',
  summary: 'Input schemas use only keywords that the clients know, each where it may stand.',
  why: 'A client refuses a schema with a keyword that it does not support, or takes the keyword out, and the limit with it.',
  examples: {
    settings: { clients: ['claude-strict'] },
    wrong: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: integer, maximum: 10 } }]
x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: integer } }]
x-agent: {}
responses: { '200': { description: ok } }`
  },
  check({ definitions, clients, report }) {
    if (!clients.some((id) => clientOf(id).keywords ?? clientOf(id).rootKeywords)) return
    for (const { view, input, name } of definitions) {
      const places = [...schemasIn(input.schema)]
      const used = new Map<string, string[]>()
      for (const { schema, pointer } of places) {
        for (const keyword of Object.keys(schema)) used.set(keyword, [...(used.get(keyword) ?? []), pointer])
      }
      const say = (keywords: string[], where: string, broken: Parameters<typeof effectOn>[0]): void =>
        report(view.node, {
          message: `the input schema of ${name} has ${keywords.map((k) => `\`${k}\``).join(', ')} ${where}: ${effectOn(broken)}`,
          on: 'key',
          severity: severityOfEffect(broken.limit.effect)
        })
      for (const broken of brokenLimits(
        clients,
        (client) => client.rootKeywords,
        (keywords) => keywords.some((keyword) => keyword in input.schema)
      )) {
        say(
          broken.limit.value.filter((keyword) => keyword in input.schema),
          'at its root',
          broken
        )
      }
      for (const broken of brokenLimits(
        clients,
        (client) => client.keywords,
        (keywords) => keywords.some((keyword) => used.has(keyword))
      )) {
        const found = broken.limit.value.filter((keyword) => used.has(keyword))
        const pointers = [...new Set(found.flatMap((keyword) => used.get(keyword)!))]
        const shown = pointers.slice(0, 3).map((pointer) => pointer || 'its root')
        const more = pointers.length > 3 ? ` and ${pointers.length - 3} more places` : ''
        say(found, `at ${shown.join(', ')}${more}`, broken)
      }
    }
  }
})
