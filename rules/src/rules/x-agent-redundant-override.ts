import { child, jsonOf, isObject, overridesOf, parametersOf, schemaNodeOf, type JsonPath } from '@openapi-mcp/core'
import { followed } from '../schemas.js'
import { fixOf, valueAt } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-redundant-override',
  category: 'drift',
  severity: 'hint',
  summary: 'An override says something else than the document itself.',
  why: 'A copy stays behind when the original changes, and readers look for a difference that is not there.',
  examples: {
    wrong: `operationId: readItem
parameters: [{ name: shop, in: query, description: Which shop., schema: { type: string } }]
x-agent: { params: { shop: { description: Which shop. } } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: shop, in: query, description: Which shop., schema: { type: string } }]
x-agent: { params: { shop: { description: The shop that has the item. } } }
responses: { '200': { description: ok } }`
  },
  fix({ path }, { document, editor }) {
    const override = path.slice(0, -1)
    const params = override.slice(0, -1)
    const isOnly = (place: JsonPath): boolean => Object.keys(valueAt(document, place) as object).length === 1
    const place = !isOnly(override) ? path : params.at(-1) === 'params' && !isOnly(params) ? override : path
    return fixOf('Leave it out', document, editor(document).removeMember(place))
  },
  check({ definitions, workspace, report }) {
    for (const { view } of definitions) {
      for (const parameter of parametersOf(view.operation, workspace, () => {})) {
        const { source } = overridesOf(view.node, parameter)
        const written = schemaNodeOf(parameter).schema
        const schema = written && followed(written, workspace)?.value
        const items = isObject(schema) && isObject(schema['items']) ? schema['items'] : schema
        const inSchema = (key: string): unknown => (isObject(items) ? items[key] : undefined)
        const declared: Record<string, unknown> = {
          name: parameter.name,
          description: parameter.node.value['description'],
          required: parameter.node.value['required'] === true || parameter.in === 'path',
          exclude: false,
          default: inSchema('default'),
          maximum: inSchema('maximum'),
          enum: inSchema('enum')
        }
        const shared = [child(parameter.node, 'x-agent'), child(parameter.reference, 'x-agent')]
        for (const [key, node] of Object.entries(source)) {
          // An entry at the operation may take back what the shared parameter says.
          const sources = shared.flatMap((holder) => (holder && child(holder, key)) ?? [])
          const isShared = sources.some(({ value, path }) => value === node.value && path.length === node.path.length)
          if (!equal(node.value, declared[key]) || (sources.length > 0 && !isShared)) continue
          report(node, { message: `"${parameter.name}" has this ${key} without the override, too`, on: 'key' })
        }
      }
    }
  }
})

function equal(a: unknown, b: unknown): boolean {
  return b !== undefined && jsonOf(a) === jsonOf(b)
}
