import { inputSchemaAt, isObject, overridesOf, parametersOf, schemaNodeOf } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-impossible-maximum',
  category: 'calls',
  severity: 'error',
  summary: 'A `maximum` override is not below what the schema of the parameter has as its minimum.',
  why: 'No value is left that both accept, so no call with the parameter is possible.',
  examples: {
    wrong: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: integer, minimum: 10 } }]
x-agent: { params: { size: { maximum: 5 } } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: integer, minimum: 10 } }]
x-agent: { params: { size: { maximum: 20 } } }
responses: { '200': { description: ok } }`
  },
  check({ definitions, workspace, report }) {
    for (const { view, context } of definitions) {
      for (const parameter of parametersOf(view.operation, workspace, () => {})) {
        const { merged, source } = overridesOf(view.node, parameter)
        const written = source.maximum && schemaNodeOf(parameter).schema
        const { maximum } = merged
        if (maximum === undefined || !source.maximum || !written) continue
        const declared = inputSchemaAt(context, written)
        const schema = isObject(declared['items']) ? declared['items'] : declared
        const { minimum, exclusiveMinimum } = schema
        if (typeof minimum === 'number' && maximum < minimum) {
          report(source.maximum, {
            message: `"${parameter.name}" is at least ${minimum}, so ${maximum} allows nothing`
          })
        } else if (typeof exclusiveMinimum === 'number' && maximum <= exclusiveMinimum) {
          report(source.maximum, {
            message: `"${parameter.name}" is more than ${exclusiveMinimum}, so ${maximum} allows nothing`
          })
        }
      }
    }
  }
})
