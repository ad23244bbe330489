import { jsonText } from './json-text.js'
import type { Preview } from './preview.js'
import { definitionOf } from '@openapi-mcp/rules'

/** The preview for programs. */
export function previewJson({ info, file, toolSet, tokens, total, instructionTokens, only }: Preview): string {
  const tools = only ? [only] : toolSet.tools
  return jsonText({
    document: { file, title: info.title, version: info.version, openapi: info.openapi },
    profiles: toolSet.profiles,
    declaredProfiles: info.profiles,
    tokens: total,
    tools: tools.map((tool) => ({
      ...definitionOf(tool),
      examples: tool.examples,
      operation: tool.operation,
      profiles: tool.profiles,
      response: tool.response,
      tokens: tokens.get(tool)
    })),
    ...(!only && {
      instructions: toolSet.instructions,
      instructionTokens,
      skills: toolSet.skills.map(({ name, uri, description, body, href, error, tools: used, profiles }) => ({
        name,
        uri,
        description,
        body,
        href,
        error,
        tools: used,
        profiles
      }))
    })
  })
}
