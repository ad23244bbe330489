import type { Tool } from '@openapi-mcp/core'

/** A tool as a client puts it before the model. */
export function definitionOf({ name, title, description, inputSchema, annotations }: Tool): object {
  return { name, ...(title !== undefined && { title }), description, inputSchema, annotations }
}

/** Estimates tokens of tool definitions with the o200k vocabulary. Its tables are large, so they load on first need. */
export async function tokenCounter(): Promise<(tool: Tool) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return (tool) => countTokens(JSON.stringify(definitionOf(tool)))
}
