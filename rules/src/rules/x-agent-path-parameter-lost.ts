import { child } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-path-parameter-lost',
  category: 'calls',
  severity: 'error',
  summary: 'Every placeholder of the path has a parameter, and the tool takes it or fixes it.',
  why: 'Without a value for it no request can be built: every call fails.',
  examples: {
    wrong: `operationId: readItem
x-agent: { params: { id: { exclude: true } } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { fixed: { id: main } }
responses: { '200': { description: ok } }`
  },
  check({ definitions, report }) {
    for (const { view, input, name } of definitions) {
      const given = new Set([
        ...Object.values(input.arguments).flatMap((t) =>
          t.kind === 'parameter' && t.parameter.in === 'path' ? t.parameter.name : []
        ),
        ...input.fixed.flatMap((f) => (f.kind === 'parameter' && f.parameter.in === 'path' ? f.parameter.name : []))
      ])
      for (const [, placeholder] of view.operation.path.matchAll(/\{([^{}]+)\}/g)) {
        if (given.has(placeholder!)) continue
        const params = child(view.node, 'params')
        const excluded = params && child(params, placeholder!)
        report(excluded ?? view.node, {
          message: excluded
            ? `"${placeholder}" is part of the path of ${name} and cannot be excluded; give it a \`fixed\` value instead`
            : `${view.operation.path} needs a value for "${placeholder}", which is no path parameter of the operation`,
          on: 'key'
        })
      }
    }
  }
})
