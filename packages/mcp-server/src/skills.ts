import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import {
  skillEntry,
  SkillsExtension,
  type Skill as SkillEntry,
  type SkillSource
} from '@modelcontextprotocol/server/ext/skills'
import type { Skill, ToolSet } from '@openapi-mcp/core'

/** The SKILL.md of a skill: frontmatter made from its name and description, the text, and the tools it uses. */
export function skillFile({ name, description, body, tools }: Skill): string {
  // A JSON string is a YAML string too, whatever stands in it.
  const frontmatter = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`
  const used = tools && tools.length > 0 ? `\n\nTools: ${tools.join(', ')}` : ''
  return `${frontmatter}\n${body.trim()}${used}\n`
}

/** The skills of a tool set as the skills extension and as resources. A skill whose text could not be read is listed, and reading it says why. */
export function skillsExtension(toolSet: () => ToolSet, ttlMs: number): SkillsExtension {
  const entries = new WeakMap<ToolSet, Promise<SkillEntry[]>>()
  const current = (): Promise<SkillEntry[]> => {
    const set = toolSet()
    let known = entries.get(set)
    if (!known) {
      const readable = set.skills.filter((s) => s.error === undefined)
      known = Promise.all(readable.map((s) => skillEntry(pathOf(s), { 'SKILL.md': skillFile(s) })))
      entries.set(set, known)
    }
    return known
  }
  const find = (uri: string): Skill | undefined => toolSet().skills.find((s) => s.uri === uri)
  const source: SkillSource = {
    list: async () => ({ skills: await current() }),
    get: async (uri) => (await current()).find((entry) => entry.uri === uri),
    read: (uri) => {
      const skill = find(uri)
      if (!skill) return Promise.resolve(undefined)
      if (skill.error !== undefined) {
        return Promise.reject(
          new ProtocolError(ProtocolErrorCode.InternalError, `The skill ${skill.name} cannot be read: ${skill.error}`)
        )
      }
      return Promise.resolve({ text: skillFile(skill), mimeType: 'text/markdown' })
    },
    listResources: () =>
      Promise.resolve(
        toolSet().skills.map(({ uri, name, description }) => ({ uri, name, description, mimeType: 'text/markdown' }))
      )
  }
  return new SkillsExtension({ source, cacheHint: { ttlMs, cacheScope: 'private' } })
}

function pathOf(skill: Skill): string {
  return skill.uri.replace(/^skill:\/\//, '').replace(/\/SKILL\.md$/, '')
}
