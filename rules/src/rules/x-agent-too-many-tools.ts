import { Type } from '@sinclair/typebox'
import { profileTools } from '../profile-sets.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-too-many-tools',
  category: 'quality',
  severity: 'warning',
  summary: 'A profile has no more tools than clients handle well.',
  why: 'Models choose worse among many tools, and some clients drop those beyond 40 without a word.',
  options: Type.Object({
    max: Type.Integer({
      default: 40,
      minimum: 1,
      description: 'Most tools of a profile.',
      expects: 'a number of tools'
    })
  }),
  examples: {
    settings: { options: { max: 1 } },
    wrong: `operationId: readItem
x-agent: {}
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
responses: { '200': { description: ok } }`
  },
  check(context) {
    const { options, report } = context
    for (const { title, definitions, node } of profileTools(context)) {
      if (definitions.length <= options.max) continue
      report(node, {
        message: `${title} has ${definitions.length} tools, more than ${options.max}; split it, or leave out what agents rarely need`,
        on: 'key'
      })
    }
  }
})
