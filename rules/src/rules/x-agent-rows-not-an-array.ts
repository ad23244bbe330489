import { child, isArraySchema, isObject, schemaCursor } from '@openapi-mcp/core'
import { followed } from '../schemas.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-rows-not-an-array',
  category: 'calls',
  severity: 'error',
  summary: '`response.rows` points to an array of the response schema.',
  why: 'The table of rows would always be missing, and the agent would get the whole answer instead.',
  examples: {
    wrong: `operationId: readItem
x-agent: { response: { rows: /total } }
responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { total: { type: integer }, items: { type: array, items: { type: object } } } } } } } }`,
    right: `operationId: readItem
x-agent: { response: { rows: /items } }
responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { total: { type: integer }, items: { type: array, items: { type: object } } } } } } } }`
  },
  check({ definitions, workspace, report }) {
    for (const { view, response, responseSchema } of definitions) {
      const written = child(child(view.node, 'response') ?? view.node, 'rows')
      if (response.rows === undefined || !responseSchema || !written) continue
      const root = schemaCursor(responseSchema, { workspace, locale: 'en', matches: () => true })
      const known = root.propertyNames()
      // A schema that says nothing of its properties may have any.
      if (known.length === 0) continue
      const schema = followed(responseSchema, workspace)
      const declared = schema && child(child(schema, 'properties') ?? schema, response.rows)
      if (!known.includes(response.rows)) {
        report(written, {
          message: `rows points to "${response.rows}", which the response does not declare; it declares ${known.join(', ')}`
        })
      } else if (declared) {
        const target = followed(declared, workspace)
        const type = isObject(target?.value) ? target.value : {}
        if (type['type'] !== undefined && !isArraySchema(type))
          report(written, { message: `rows points to "${response.rows}", which is no array` })
      }
    }
  }
})
