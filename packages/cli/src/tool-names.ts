import { nearest, type Tool } from '@openapi-mcp/core'

/** The tool of a name, which may stand without the prefix that the document puts before all of them. */
export function findTool(name: string, tools: Tool[], prefix = ''): Tool | undefined {
  return tools.find((t) => t.name === name) ?? tools.find((t) => t.name === prefix + name)
}

/** Says that there is no tool of a name, and which one was probably meant. */
export function unknownToolText(name: string, tools: Tool[], prefix = ''): string {
  const names = tools.map((t) => t.name)
  // The prefix is not what makes names alike.
  const bare = (text: string): string => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
  const near = names[names.map(bare).indexOf(nearest(bare(name), names.map(bare)) ?? '')]
  const question = near === undefined ? '.' : `; did you mean "${near}"?`
  const list = names.length > 0 ? `The tools are ${names.join(', ')}.` : 'There are no tools in these profiles.'
  return `there is no tool ${JSON.stringify(name)}${question} ${list}`
}
