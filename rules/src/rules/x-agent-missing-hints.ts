import { child } from '@openapi-mcp/core'
import { fixOf } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-missing-hints',
  category: 'quality',
  severity: 'hint',
  summary: 'A tool that writes says whether it may destroy something.',
  why: 'Clients ask people before a destructive call. What a POST, PUT or PATCH destroys only its author knows.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    post:
      operationId: addItem
      summary: Add an item.
      x-agent: {}
      responses: { '201': { description: ok } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    post:
      operationId: addItem
      summary: Add an item.
      x-agent: { annotations: { destructiveHint: false } }
      responses: { '201': { description: ok } }`
  },
  fix({ path }, { document, editor }) {
    const view = path.at(-1) === 'annotations' ? path.slice(0, -1) : path
    const edits = editor(document).setMember([...view, 'annotations', 'destructiveHint'], false)
    return fixOf('Say `destructiveHint: false`, which is what it counts as', document, edits)
  },
  check({ definitions, report }) {
    for (const { view, annotations, name } of definitions) {
      // A DELETE has a rule of its own.
      if (annotations.readOnlyHint === true || view.operation.method === 'delete') continue
      if (view.annotation.annotations?.destructiveHint !== undefined) continue
      report(child(view.node, 'annotations') ?? view.node, {
        message: `${name} writes, and does not say whether it destroys; it counts as not destructive`,
        on: 'key'
      })
    }
  }
})
