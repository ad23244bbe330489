import { child } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-delete-not-destructive',
  category: 'safety',
  severity: 'warning',
  summary: 'A DELETE that agents may call says that it destroys something.',
  why: 'By `destructiveHint` clients decide whether to ask a person before the call.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items/{id}:
    delete:
      operationId: dropItem
      summary: Delete an item.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      x-agent: { annotations: { destructiveHint: false } }
      responses: { '204': { description: ok } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items/{id}:
    delete:
      operationId: dropItem
      summary: Delete an item.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      x-agent: { annotations: { destructiveHint: true } }
      responses: { '204': { description: ok } }`
  },
  check({ definitions, report }) {
    for (const { view, annotations, name } of definitions) {
      // A DELETE that claims to read is said by the rule about hints and methods.
      if (view.operation.method !== 'delete' || annotations.readOnlyHint === true) continue
      const written = child(view.node, 'annotations')
      const hint = written && child(written, 'destructiveHint')
      if (hint?.value === false) report(hint, { message: `${name} deletes, and is said to destroy nothing` })
      else if (!hint) {
        report(written ?? view.node, {
          message: `${name} deletes and does not say \`destructiveHint\`; it counts as destructive`,
          on: 'key',
          severity: 'info'
        })
      }
    }
  }
})
