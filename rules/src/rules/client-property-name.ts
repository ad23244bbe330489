import { child, isObject, overridesOf, parametersOf, type Node, type ToolDefinition } from '@openapi-mcp/core'
import { brokenLimits, effectOn, severityOfEffect } from '../client-finding.js'
import { schemasIn } from '../input-schema.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-property-name',
  category: 'clients',
  severity: 'error',
  summary: 'The names of arguments, and of properties inside of them, are ones that the clients accept.',
  why: 'One name with a bracket makes a provider refuse the whole list of tools, those of other servers included.',
  examples: {
    settings: { clients: ['gemini'] },
    wrong: `operationId: readItem
parameters: [{ name: page.size, in: query, schema: { type: integer } }]
x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: page.size, in: query, schema: { type: integer } }]
x-agent: { params: { page.size: { name: page_size } } }
responses: { '200': { description: ok } }`
  },
  check({ definitions, clients, workspace, report }) {
    for (const definition of definitions) {
      const { input, name: tool, view } = definition
      for (const { schema, pointer } of schemasIn(input.schema)) {
        if (!isObject(schema['properties'])) continue
        for (const property of Object.keys(schema['properties'])) {
          for (const broken of brokenLimits(
            clients,
            (client) => client.propertyName,
            (pattern) => !new RegExp(pattern, 'u').test(property)
          )) {
            const place = pointer === '' ? nameNode(definition, property) : undefined
            const where = pointer === '' ? 'argument' : `property at ${pointer}`
            report(place ?? view.node, {
              message: `the ${where} "${property}" of ${tool} does not match ${broken.limit.value}: ${effectOn(broken)}${pointer === '' ? '; give it another `name`' : ''}`,
              severity: severityOfEffect(broken.limit.effect),
              ...(!place && { on: 'key' as const })
            })
          }
        }
      }
    }

    /** Where the name of an argument is written: its override, or the parameter itself. */
    function nameNode({ view, input }: ToolDefinition, argument: string): Node | undefined {
      const target = input.arguments[argument]
      if (target?.kind !== 'parameter') return undefined
      const parameter = parametersOf(view.operation, workspace, () => {}).find(
        (p) => p.name === target.parameter.name && p.in === target.parameter.in
      )
      return parameter && (overridesOf(view.node, parameter).source.name ?? child(parameter.node, 'name'))
    }
  }
})
