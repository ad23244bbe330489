import { child } from '@openapi-mcp/core'
import { Type } from '@sinclair/typebox'
import { brokenLimits, effectOn, severityOfEffect } from '../client-finding.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-tool-name',
  category: 'clients',
  severity: 'error',
  summary: 'The name of a tool, prefix included, is one that the clients accept.',
  why: 'One name that is too long makes some clients refuse all tools of the server, and others drop the tool.',
  options: Type.Object({
    serverName: Type.String({
      default: '',
      description: 'Name under which people add the server to their client; some clients count it.',
      expects: 'a name'
    })
  }),
  examples: {
    wrong: `operationId: readItem
x-agent: { name: read_one_item_of_the_shop_with_everything_that_is_known_of_it_today }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { name: read_item }
responses: { '200': { description: ok } }`
  },
  check({ definitions, clients, options, report }) {
    for (const { view, name } of definitions) {
      const node = child(view.node, 'name') ?? view.node
      const whole = (template: string | undefined): number =>
        name.length + (template ?? '').replace('{server}', options.serverName).length
      for (const broken of brokenLimits(
        clients,
        (client) => client.toolNameLength,
        (most, client) => whole(client.serverName) > most
      )) {
        const { value, effect } = broken.limit
        report(node, {
          message: `the tool name "${name}" has more than ${value} characters${options.serverName ? ' with the name of the server' : ''}: ${effectOn(broken)}`,
          severity: severityOfEffect(effect),
          ...(node === view.node && { on: 'key' as const })
        })
      }
      for (const broken of brokenLimits(
        clients,
        (client) => client.toolName,
        (pattern) => !new RegExp(pattern, 'u').test(name)
      )) {
        report(node, {
          message: `the tool name "${name}" does not match ${broken.limit.value}: ${effectOn(broken)}`,
          severity: severityOfEffect(broken.limit.effect),
          ...(node === view.node && { on: 'key' as const })
        })
      }
    }
  }
})
