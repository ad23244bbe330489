import {
  allowedValues,
  didYouMean,
  elements,
  inputSchemaAt,
  isObject,
  jsonOf,
  nearest,
  overridesOf,
  parametersOf,
  schemaNodeOf,
  type JsonSchema
} from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-enum-outside-schema',
  category: 'calls',
  severity: 'error',
  summary: 'An `enum` override lists only values that the schema of the parameter allows.',
  why: 'An agent that chooses a value which the API does not know gets an error from it.',
  examples: {
    wrong: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: string, enum: [small, large] } }]
x-agent: { params: { size: { enum: [small, huge] } } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: string, enum: [small, large] } }]
x-agent: { params: { size: { enum: [small] } } }
responses: { '200': { description: ok } }`
  },
  check({ definitions, workspace, report }) {
    for (const { view, context } of definitions) {
      for (const parameter of parametersOf(view.operation, workspace, () => {})) {
        const { source } = overridesOf(view.node, parameter)
        const written = source.enum && schemaNodeOf(parameter).schema
        if (!source.enum || !written) continue
        const allowed = declaredValues(inputSchemaAt(context, written))
        if (!allowed) continue
        const known = new Set(allowed.map((value) => jsonOf(value)))
        elements(source.enum).forEach(({ value }, index) => {
          if (known.has(jsonOf(value))) return
          const names = allowed.filter((v): v is string => typeof v === 'string')
          const suggestion = typeof value === 'string' ? nearest(value, names) : undefined
          report(source.enum!, {
            message: `the API does not allow ${jsonOf(value)} for "${parameter.name}"${didYouMean(suggestion) || `; it allows ${[...known].slice(0, 12).join(', ')}`}`,
            within: [index],
            ...(suggestion !== undefined && { suggestion })
          })
        })
      }
    }
  }
})

function declaredValues(schema: JsonSchema): unknown[] | undefined {
  return allowedValues(schema) ?? (isObject(schema['items']) ? allowedValues(schema['items']) : undefined)
}
