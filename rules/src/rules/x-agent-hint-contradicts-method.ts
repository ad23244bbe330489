import { child } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

const WRITING = ['put', 'patch', 'delete']

/** A POST that only reads is called after that, nearly always. */
const READS =
  /search|query|find|list|get|read|count|check|validat|preview|lookup|export|match|compute|estimate|convert|render/i

export default defineRule({
  id: 'x-agent-hint-contradicts-method',
  category: 'quality',
  severity: 'warning',
  summary: 'Hints do not deny what the method does.',
  why: 'Clients run a tool that is called read-only without asking; a PUT, PATCH or DELETE changes something.',
  examples: {
    wrong: `operationId: readItem
x-agent: { annotations: { destructiveHint: true } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { annotations: { readOnlyHint: true } }
responses: { '200': { description: ok } }`
  },
  check({ definitions, report }) {
    for (const { view, annotations } of definitions) {
      const written = child(view.node, 'annotations')
      if (!written) continue
      const { method, path, operationId } = view.operation
      const readOnly = child(written, 'readOnlyHint')
      if (readOnly?.value === true && WRITING.includes(method)) {
        report(readOnly, { message: `${method.toUpperCase()} changes something, so the tool is not read-only` })
      } else if (readOnly?.value === true && method === 'post' && !READS.test(`${operationId} ${path}`)) {
        report(readOnly, { message: 'POST usually changes something; is the tool really read-only?', severity: 'info' })
      }
      const destructive = child(written, 'destructiveHint')
      if (destructive?.value === true && annotations.readOnlyHint === true) {
        report(destructive, { message: 'a tool that only reads destroys nothing' })
      }
    }
  }
})
