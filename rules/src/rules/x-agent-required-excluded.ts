import { child, isObject, overridesOf, parametersOf, requestBodyOf, schemaNodeOf } from '@openapi-mcp/core'
import { followed, objectSchema } from '../schemas.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-required-excluded',
  category: 'calls',
  severity: 'error',
  summary: 'What the API requires is an argument of the tool, has a `fixed` value, or has a default.',
  why: 'The API refuses every call of a tool that never sends what it requires.',
  examples: {
    wrong: `operationId: readItem
parameters: [{ name: shop, in: query, required: true, schema: { type: string } }]
x-agent: { params: { shop: { exclude: true } } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: shop, in: query, required: true, schema: { type: string } }]
x-agent: { fixed: { shop: main } }
responses: { '200': { description: ok } }`
  },
  check({ definitions, workspace, report }) {
    const hasDefault = (schema: ReturnType<typeof followed>): boolean =>
      schema !== undefined && isObject(schema.value) && schema.value['default'] !== undefined
    for (const { view, name } of definitions) {
      const { annotation, operation } = view
      const isFixed = (parameter: string): boolean => Object.hasOwn(annotation.fixed ?? {}, parameter)
      for (const parameter of parametersOf(operation, workspace, () => {})) {
        // What the path needs has a rule of its own.
        if (parameter.in === 'path' || parameter.node.value['required'] !== true || isFixed(parameter.name)) continue
        const { merged, source } = overridesOf(view.node, parameter)
        const { schema } = schemaNodeOf(parameter)
        if (!merged.exclude || merged.default !== undefined || (schema && hasDefault(followed(schema, workspace))))
          continue
        report(source.exclude!, {
          message: `the API requires "${parameter.name}", which ${name} never sends; give it a \`fixed\` value or leave it to the agent`,
          on: 'key'
        })
      }
      const fields = child(view.node, 'bodyFields')
      // A PATCH sends what changes, whatever the schema that it shares with others requires.
      const body = fields && operation.method !== 'patch' && requestBodyOf(operation, workspace, () => {})
      const shape = body && body.schema && objectSchema(body.schema, workspace)
      if (!fields || !annotation.bodyFields || !shape) continue
      const lost = [...shape.required].filter((property) => {
        const schema = shape.properties.get(property)
        const declared = schema && followed(schema, workspace)
        const isReadOnly = declared !== undefined && isObject(declared.value) && declared.value['readOnly'] === true
        return !annotation.bodyFields!.includes(property) && !isFixed(property) && !hasDefault(declared) && !isReadOnly
      })
      if (lost.length === 0) continue
      report(fields, {
        message: `the API requires ${lost.map((property) => `"${property}"`).join(', ')} in the body, which ${name} never sends`,
        on: 'key'
      })
    }
  }
})
