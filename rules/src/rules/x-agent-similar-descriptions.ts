import { child, toJsonPath, type ToolDefinition } from '@openapi-mcp/core'
import { profileTools } from '../profile-sets.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-similar-descriptions',
  category: 'quality',
  severity: 'warning',
  summary: 'Two tools of a profile have descriptions that tell them apart.',
  why: 'A model that cannot tell two tools apart takes the wrong one half of the time.',
  examples: {
    wrong: `operationId: readItem
x-agent: { description: List the items }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item by its id. }
responses: { '200': { description: ok } }`
  },
  check(context) {
    const reported = new Set<ToolDefinition>()
    for (const { definitions } of profileTools(context)) {
      const byWords = new Map<string, ToolDefinition>()
      for (const definition of definitions) {
        const words = wordsOf(definition.description)
        const other = byWords.get(words)
        if (!other) byWords.set(words, definition)
        if (!other || words === '' || reported.has(definition)) continue
        reported.add(definition)
        const { node } = definition.view
        const otherNode = child(other.view.node, 'description') ?? other.view.node
        context.report(child(node, 'description') ?? node, {
          message: `${definition.name} and ${other.name} have the same description; say what each is for`,
          on: 'key',
          related: [
            {
              uri: otherNode.document.uri,
              path: otherNode.path,
              message: `${other.name}: ${toJsonPath(otherNode.path)}`
            }
          ]
        })
      }
    }
  }
})

/** What counts of a description: its words, whatever their case, order and final s, without the little ones between them. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const little = new Set([
    'a',
    'an',
    'the',
    'of',
    'all',
    'this',
    'that',
    'le',
    'la',
    'les',
    'un',
    'une',
    'des',
    'de',
    'du'
  ])
  const stems = words
    .filter((word) => !little.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
  return [...new Set(stems)].sort().join(' ')
}
