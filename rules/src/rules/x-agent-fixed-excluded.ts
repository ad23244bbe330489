import { isObject, type JsonPath } from '@openapi-mcp/core'
import { fixOf, valueAt } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-fixed-excluded',
  category: 'quality',
  severity: 'info',
  summary: 'A parameter is fixed or excluded, not both.',
  why: 'The fixed value is sent although `exclude` says that the parameter is not.',
  examples: {
    wrong: `operationId: readItem
x-agent: { fixed: { format: json }, params: { format: { exclude: true } } }
parameters: [{ name: format, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { fixed: { format: json } }
parameters: [{ name: format, in: query, schema: { type: string } }]
responses: { '200': { description: ok } }`
  },
  fix({ path }, { document, editor }) {
    const view = path.slice(0, -2)
    const params = [...view, 'params']
    const override = [...params, path.at(-1)!]
    const written = valueAt(document, override)
    // What is excluded at its definition is so for other operations, too.
    if (!isObject(written) || written['exclude'] !== true) return undefined
    const isOnly = (place: JsonPath): boolean => Object.keys(valueAt(document, place) as object).length === 1
    const place = !isOnly(override) ? [...override, 'exclude'] : isOnly(params) ? params : override
    return fixOf('Leave `exclude` out', document, editor(document).removeMember(place))
  }
})
