import type { Tool } from '@openapi-mcp/core'

/** A tool as a client puts it before the model. */
export function definitionOf({
  name,
  title,
  description,
  inputSchema,
  annotations
}: Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'annotations'>): object {
  return { name, ...(title !== undefined && { title }), description, inputSchema, annotations }
}

// A run of letters or signs without end costs the tokenizer time that grows with its square.
const LONG_RUN = /\p{L}{1000}|[^\p{L}\p{N}]{1000}/u
const PIECE = 1000

/** Estimates tokens with the o200k vocabulary. Its tables are large, so they load on first need. */
export async function tokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // Names of special tokens are ordinary text here; by default the tokenizer throws on them.
  const count = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })
  return (text) => {
    if (!LONG_RUN.test(text)) return count(text)
    let total = 0
    for (let start = 0; start < text.length; start += PIECE) total += count(text.slice(start, start + PIECE))
    return total
  }
}

/** At least as many tokens as the text has, nearly always: tells whether counting is worth loading the tables. */
export function tokensAtMost(text: string): number {
  let others = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) others++
  return (text.length - others) / 2 + others * 1.5
}
