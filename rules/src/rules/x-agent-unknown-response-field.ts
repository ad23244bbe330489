import { child, didYouMean, elements, nearest, schemaCursor, type Node } from '@openapi-mcp/core'
import { replaceName } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-unknown-response-field',
  category: 'drift',
  severity: 'warning',
  summary: 'The fields of `concise` and `detailed` are declared by the response schema and not excluded.',
  why: 'A field with a slip of the pen is missing from every answer, and nobody notices.',
  examples: {
    wrong: `operationId: readItem
x-agent: { response: { concise: [id, tilte] } }
responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: {}, title: {} } } } } } }`,
    right: `operationId: readItem
x-agent: { response: { concise: [id, title] } }
responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: {}, title: {} } } } } } }`
  },
  check({ definitions, workspace, report }) {
    for (const { view, response, responseSchema } of definitions) {
      const written = child(view.node, 'response')
      if (!written || !responseSchema) continue
      const root = schemaCursor(responseSchema, { workspace, locale: 'en', matches: () => true })
      const rows = response.rows === undefined ? root : root.property(response.rows)?.item(0)
      const own = rows?.propertyNames() ?? []
      const items = response.rows === undefined ? (root.item(0)?.propertyNames() ?? []) : []
      const known = [...new Set([...own, ...items])]
      // A schema that says nothing of its properties may have any.
      if (known.length === 0) continue
      for (const preset of ['concise', 'detailed']) {
        for (const field of elements(child(written, preset))) reportUnknown(field, preset, known)
      }
    }

    function reportUnknown(field: Node, preset: string, known: string[]): void {
      const { value } = field
      if (typeof value !== 'string' || known.includes(value)) return
      const suggestion = nearest(value, known)
      report(field, {
        message: `${preset} names ${JSON.stringify(value)}, which the response does not show${didYouMean(suggestion)}`,
        ...(suggestion !== undefined && { suggestion })
      })
    }
  },
  fix: replaceName
})
