import { isObject } from '@openapi-mcp/core'
import { brokenLimits, effectOn, severityOfEffect, type BrokenLimit } from '../client-finding.js'
import type { Client, Limit } from '../clients.js'
import { schemasIn } from '../input-schema.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'client-schema-size',
  category: 'clients',
  severity: 'error',
  summary:
    'Input schemas nest no deeper, and hold no more properties, alternatives and enum values, than the clients take.',
  why: 'A client with strict schemas refuses the request that carries a larger one.',
  examples: {
    settings: { clients: ['openai-strict'] },
    wrong: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: integer } }]
x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
responses: { '200': { description: ok } }`
  },
  check({ definitions, clients, report }) {
    for (const { view, input, name } of definitions) {
      const size = sizeOf(input.schema)
      const say = (what: string, broken: BrokenLimit<unknown>): void =>
        report(view.node, {
          message: `the input schema of ${name} ${what}: ${effectOn(broken)}`,
          on: 'key',
          severity: severityOfEffect(broken.limit.effect)
        })
      const most = (
        limitOf: (client: Client) => Limit<number> | undefined,
        actual: number,
        words: (limit: number) => string
      ): void => {
        for (const broken of brokenLimits(clients, limitOf, (limit) => actual > limit))
          say(words(broken.limit.value), broken)
      }
      most(
        (c) => c.depth,
        size.depth,
        (limit) => `nests ${size.depth} levels deep, more than ${limit}`
      )
      most(
        (c) => c.properties,
        size.properties,
        (limit) => `has ${size.properties} properties, more than ${limit}`
      )
      most(
        (c) => c.enumValues,
        size.enumValues,
        (limit) => `has ${size.enumValues} enum values, more than ${limit}`
      )
      most(
        (c) => c.unions,
        size.unions,
        (limit) => `has ${size.unions} properties of several types, more than ${limit}`
      )
      most(
        (c) => c.optionalProperties,
        size.optional,
        (limit) => `has ${size.optional} optional properties, more than ${limit}`
      )
      for (const broken of brokenLimits(
        clients,
        (client) => client.closedObjects,
        () => size.optional > 0 || size.open > 0
      )) {
        const parts = [
          ...(size.optional > 0
            ? [`${size.optional} optional ${size.optional === 1 ? 'property' : 'properties'}`]
            : []),
          ...(size.open > 0 ? [`${size.open} ${size.open === 1 ? 'object' : 'objects'} with further properties`] : [])
        ]
        say(`has ${parts.join(' and ')}, where all must be required and declared`, broken)
      }
    }
  }
})

interface Size {
  depth: number
  properties: number
  optional: number
  enumValues: number
  unions: number
  /** Objects that do not say `additionalProperties: false`. */
  open: number
}

function sizeOf(input: Parameters<typeof schemasIn>[0]): Size {
  const size: Size = { depth: 0, properties: 0, optional: 0, enumValues: 0, unions: 0, open: 0 }
  for (const { schema, depth } of schemasIn(input)) {
    size.depth = Math.max(size.depth, depth)
    const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
    const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
    size.properties += properties.length
    size.optional += properties.filter((property) => !required.includes(property)).length
    if (Array.isArray(schema['enum'])) size.enumValues += schema['enum'].length
    if (Array.isArray(schema['type']) || Array.isArray(schema['anyOf'])) size.unions++
    const types: unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
    if (types.includes('object') && schema['additionalProperties'] !== false) size.open++
  }
  return size
}
