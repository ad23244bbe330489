import { child } from '@openapi-mcp/core'
import { brokenLimits, effectOn, severityOfEffect } from '../client-finding.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-description-length',
  category: 'clients',
  severity: 'warning',
  summary: 'Descriptions are short enough for the clients to show them whole.',
  why: 'What stands behind the limit is cut off, and the model decides without it.',
  examples: {
    settings: { clients: ['vscode'], off: ['x-agent-description-too-long'] },
    wrong: `operationId: readItem
summary: ''
description: >-
  ${'Read one item. '.repeat(70)}
x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  },
  check({ definitions, clients, report }) {
    for (const { view, description, name } of definitions) {
      for (const broken of brokenLimits(
        clients,
        (client) => client.descriptionLength,
        (most) => description.length > most
      )) {
        report(child(view.node, 'description') ?? view.node, {
          message: `the description of ${name} has ${description.length} characters, more than ${broken.limit.value}: ${effectOn(broken)}`,
          on: 'key',
          severity: severityOfEffect(broken.limit.effect)
        })
      }
    }
  }
})
