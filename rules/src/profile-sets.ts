import { child, isSelected, profilesOf, type Node, type ToolDefinition } from '@openapi-mcp/core'
import type { RuleContext } from './rule.js'

/** A set of profiles with the tools that an agent gets for it. */
export interface ProfileTools {
  /** Empty where the document declares no profiles. */
  profiles: readonly string[]
  /** The set in words: `the profile "edit"`. */
  title: string
  definitions: ToolDefinition[]
  /** Where the set is declared: its first profile, or the root where there is none. */
  node: Node
}

/** The sets of profiles that agents ask for, each with its tools: every declared profile, and the sets of the settings. */
export function profileTools({
  analysis,
  definitions,
  profileSets
}: Pick<RuleContext, 'analysis' | 'definitions' | 'profileSets'>): ProfileTools[] {
  const { declared } = analysis.profiles
  const document: Node = { document: analysis.document, path: [], value: analysis.document.value }
  const root = child(document, 'x-agent') ?? document
  if (declared.length === 0) return [{ profiles: [], title: 'the document', definitions, node: root }]
  const sets = [...declared.map(({ name }) => [name]), ...profileSets.filter((set) => set.length > 1)]
  return sets.map((profiles) => {
    const selected = analysis.profiles.expand([...profiles])
    return {
      profiles,
      title:
        profiles.length === 1
          ? `the profile ${JSON.stringify(profiles[0])}`
          : `the profiles ${profiles.map((name) => JSON.stringify(name)).join(', ')}`,
      definitions: definitions.filter(({ view }) => isSelected(profilesOf(view, analysis.tags), selected)),
      node: declared.find(({ name }) => name === profiles[0])?.node ?? root
    }
  })
}
