import { instructionsOf, type Skill, type Tool, type ToolSet } from '@openapi-mcp/core'

/** What became of one document in a composition. */
export interface ServiceStatus {
  title: string
  tools: number
  /** Tools left out, each with the reason. */
  excluded: string[]
}

/** Several tool sets as one, in order, behind the skills that are common to them. Of two tools of one name the earlier stays. */
export function composeToolSets(
  services: { title: string; toolSet: ToolSet }[],
  common: Skill[] = []
): {
  toolSet: ToolSet
  statuses: ServiceStatus[]
} {
  const owners = new Map<string, string>()
  const tools: Tool[] = []
  const skills: Skill[] = [...common]
  const statuses = services.map(({ title, toolSet }): ServiceStatus => {
    const excluded: string[] = []
    let kept = 0
    for (const tool of toolSet.tools) {
      const owner = owners.get(tool.name)
      if (owner !== undefined)
        excluded.push(`the tool ${tool.name} of ${title} is left out: ${owner} has one of that name`)
      else {
        owners.set(tool.name, title)
        tools.push(tool)
        kept++
      }
    }
    for (const skill of toolSet.skills) {
      if (skills.some((s) => s.uri === skill.uri))
        excluded.push(`the skill ${skill.uri} of ${title} is left out: another service has one of that address`)
      else skills.push(skill)
    }
    return { title, tools: kept, excluded }
  })
  const sections = services
    .filter((s) => s.toolSet.instructions !== '')
    .map(({ title, toolSet }) => `# ${title}\n\n${toolSet.instructions}`)
  return {
    toolSet: {
      profiles: [...new Set(services.flatMap((s) => s.toolSet.profiles))],
      instructions: [instructionsOf(common, []), ...sections].filter((part) => part !== '').join('\n\n'),
      tools,
      skills,
      diagnostics: services.flatMap((s) => s.toolSet.diagnostics)
    },
    statuses
  }
}
