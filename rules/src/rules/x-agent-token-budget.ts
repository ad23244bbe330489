import { type ToolDefinition } from '@openapi-mcp/core'
import { Type } from '@sinclair/typebox'
import { profileTools } from '../profile-sets.js'
import { defineRule } from '../rule.js'
import { definitionOf, tokenCounter, tokensAtMost } from '../tokens.js'

const budget = (most: number, description: string) =>
  Type.Integer({ default: most, minimum: 1, description, expects: 'a number of tokens' })

export default defineRule({
  id: 'x-agent-token-budget',
  category: 'quality',
  severity: 'warning',
  summary: 'The definition of a tool, and all of a profile together, stay within a budget of tokens.',
  why: 'Definitions are paid for in every conversation before the first question, and crowd out what the conversation is about.',
  options: Type.Object({
    tool: budget(2000, 'Most tokens of one tool definition.'),
    profile: budget(20_000, 'Most tokens of the definitions of all tools of a profile.')
  }),
  examples: {
    settings: { options: { tool: 80 } },
    wrong: `operationId: readItem
x-agent: { description: Read one item with its name and its price and its maker and its weight and its colour and its age and its size and the shelf that it stands on and the shop that has it and the ones that are like it. }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  },
  async measure(context) {
    const { definitions, options, report } = context
    const texts = new Map(definitions.map((definition) => [definition, textOf(definition)]))
    const profiles = profileTools(context)
    const most = new Map([...texts].map(([definition, text]) => [definition, tokensAtMost(text)]))
    const sumOf = (tools: ToolDefinition[], counts: ReadonlyMap<ToolDefinition, number>): number =>
      tools.reduce((sum, definition) => sum + counts.get(definition)!, 0)
    const isNear =
      [...most.values()].some((tokens) => tokens > options.tool) ||
      profiles.some((profile) => sumOf(profile.definitions, most) > options.profile)
    if (!isNear) return
    const count = await tokenCounter()
    const counts = new Map([...texts].map(([definition, text]) => [definition, count(text)]))
    for (const [definition, tokens] of counts) {
      if (tokens <= options.tool) continue
      const { view, name } = definition
      report(view.node, {
        message: `${name} takes about ${grouped(tokens)} tokens, more than ${grouped(options.tool)}; exclude parameters, shorten descriptions or use \`body: compact\``,
        on: 'key'
      })
    }
    for (const { title, definitions: tools, node } of profiles) {
      const tokens = sumOf(tools, counts)
      if (tokens <= options.profile) continue
      report(node, {
        message: `the ${tools.length} tools of ${title} take about ${grouped(tokens)} tokens, more than ${grouped(options.profile)}`,
        on: 'key'
      })
    }
  }
})

function textOf({ name, title, description, input, annotations }: ToolDefinition): string {
  return JSON.stringify(
    definitionOf({ name, ...(title !== undefined && { title }), description, inputSchema: input.schema, annotations })
  )
}

function grouped(tokens: number): string {
  return tokens.toLocaleString('en')
}
