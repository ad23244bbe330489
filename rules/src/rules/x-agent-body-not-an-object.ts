import { child, requestBodyOf } from '@openapi-mcp/core'
import { objectSchema } from '../schemas.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-body-not-an-object',
  category: 'calls',
  severity: 'warning',
  summary: '`body` is set only where the operation takes a JSON object.',
  why: 'Only a JSON object has properties to spread or to list; without an application/json body the tool sends none at all.',
  examples: {
    wrong: `operationId: readItem
x-agent: { body: compact }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
responses: { '200': { description: ok } }`
  },
  check({ definitions, workspace, report }) {
    for (const { view } of definitions) {
      const written = child(view.node, 'body')
      if (!written || view.annotation.body === undefined) continue
      const { method } = view.operation
      const body = ['get', 'head'].includes(method) ? undefined : requestBodyOf(view.operation, workspace, () => {})
      const shape = body?.schema && objectSchema(body.schema, workspace)
      if (!body) {
        report(written, {
          message: `the operation sends no application/json body, so \`body\` has no effect`,
          on: 'key'
        })
      } else if (written.value === 'compact' && (!shape || shape.properties.size === 0)) {
        report(written, { message: 'the request body declares no properties that could be listed', on: 'key' })
      }
    }
  }
})
