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
  }
})
