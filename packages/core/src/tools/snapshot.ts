import type { ToolSet } from './types.js'

/** A tool set as plain JSON with a stable order: a golden file to commit and compare. */
export function toolSetSnapshot(toolSet: ToolSet): object {
  const { profiles, tools, skills, instructions } = toolSet
  return JSON.parse(
    JSON.stringify({
      profiles,
      tools: tools.map(({ name, title, description, inputSchema, outputSchema, annotations, examples }) => ({
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
        examples
      })),
      instructions,
      skills: skills.map(({ name, uri, description, body, tools: used, profiles: only }) => ({
        name,
        uri,
        description,
        body,
        tools: used,
        profiles: only
      }))
    })
  ) as object
}
