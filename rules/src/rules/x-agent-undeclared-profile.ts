import { isObject } from '@openapi-mcp/core'
import { fixOf, placeOf, replaceName, valueAt } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-undeclared-profile',
  category: 'vocabulary',
  severity: 'error',
  summary: 'Every profile that is named is declared at the root.',
  why: 'Nobody can ask for a profile that is not declared, so the tool is hidden. Where the root declares none, it is a warning: another part of a composition may.',
  examples: {
    wrong: `operationId: readItem
x-agent: { profiles: [explor] }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { profiles: [explore] }
responses: { '200': { description: ok } }`
  },
  fix(finding, context) {
    // Beside something that is no name, places do not count as names do.
    const list = valueAt(context.document, finding.path)
    if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string')) return undefined
    if (finding.suggestion !== undefined) return replaceName(finding, context)
    const { main, editor } = context
    const name = valueAt(context.document, placeOf(finding)) as string
    const profiles = valueAt(main, ['x-agent', 'profiles'])
    // A document without profiles may be a part of a composition that declares them.
    if (!isObject(profiles)) return undefined
    return fixOf(`Declare the profile "${name}"`, main, editor(main).setMember(['x-agent', 'profiles', name], {}))
  }
})
