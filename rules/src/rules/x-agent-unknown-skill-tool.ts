import { child, didYouMean, elements, nearest } from '@openapi-mcp/core'
import { replaceName } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-unknown-skill-tool',
  category: 'drift',
  severity: 'warning',
  summary: 'The tools that a skill names exist.',
  why: 'An agent that follows the skill looks for a tool that is not there.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent:
  profiles: { explore: {} }
  skills: [{ name: start, description: Start here., tools: [list_item] }]
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent:
  profiles: { explore: {} }
  skills: [{ name: start, description: Start here., tools: [list_items] }]
paths:
  /items: { get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } } }`
  },
  check({ analysis, report }) {
    const prefix = analysis.root.namePrefix ?? ''
    const names = analysis.views.flatMap(({ name }) => [name, prefix + name])
    // Form tools carry the name of their operation's tool in front.
    const forms = analysis.views.filter((v) => v.annotation.editor).map((v) => v.name)
    const isForm = (tool: string): boolean =>
      forms.some((form) => tool.startsWith(`${form}_`) || tool.startsWith(`${prefix}${form}_`))
    const root = { document: analysis.document, path: [], value: analysis.document.value }
    const annotation = child(root, 'x-agent')
    for (const skill of elements(annotation && child(annotation, 'skills'))) {
      for (const tool of elements(child(skill, 'tools'))) {
        if (typeof tool.value !== 'string' || names.includes(tool.value) || isForm(tool.value)) continue
        const suggestion = nearest(tool.value, names)
        report(tool, {
          message: `the skill names the tool ${JSON.stringify(tool.value)}, which no operation gives${didYouMean(suggestion)}`,
          ...(suggestion !== undefined && { suggestion })
        })
      }
    }
  },
  fix: replaceName
})
