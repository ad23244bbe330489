import { LONGEST_SKILL_DESCRIPTION, type SkillAnnotation } from '../vocabulary/definitions.js'
import { localizedText } from '../vocabulary/localized.js'
import type { Skill } from './types.js'

/**
 * A skill in one locale, before its linked text is read (x-agent vocabulary, "Root"). Under the id of its service where there are
 * several.
 */
export function skillOf(annotation: SkillAnnotation, locale: string, serviceId?: string): Skill {
  const text = localizedText(annotation.description, locale) ?? ''
  const body = localizedText(annotation.body, locale)
  const href = localizedText(annotation.href, locale)
  // Without a body of its own the text is both: its first paragraph describes, the whole is the body.
  const separate = body !== undefined || href !== undefined
  return {
    name: annotation.name,
    description: capped(separate ? text : firstParagraph(text)),
    body: body ?? (href === undefined ? text : ''),
    uri: `skill://${serviceId === undefined ? '' : `${serviceId}/`}${annotation.name}/SKILL.md`,
    ...(href !== undefined && { href }),
    ...(annotation.tools && { tools: annotation.tools }),
    ...(annotation.profiles && { profiles: annotation.profiles })
  }
}

function firstParagraph(text: string): string {
  return text
    .trim()
    .split(/\r?\n[ \t]*\r?\n/)[0]!
    .replace(/\s*\r?\n\s*/g, ' ')
}

function capped(text: string): string {
  const characters = [...text.trim()]
  return characters.length <= LONGEST_SKILL_DESCRIPTION
    ? text.trim()
    : `${characters.slice(0, LONGEST_SKILL_DESCRIPTION - 1).join('')}…`
}

/** The text of a linked SKILL.md without its YAML frontmatter: the served one is rebuilt from name and description. */
export function withoutFrontmatter(text: string): string {
  return text.replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '')
}

/** The instructions of a profile set: skills in declared order, then the sections of the tags (x-agent vocabulary, "Root", "Tags"). */
export function instructionsOf(skills: Skill[], tagSections: { tag: string; text: string }[]): string {
  const sections = skills.map((skill) => {
    // A text of its own is read on demand: the instructions only say that it is there.
    const onDemand = skill.href !== undefined || skill.body === '' || skill.description !== firstAsDescription(skill)
    const text = onDemand ? `${skill.description}\n\nRead ${skill.uri} before you start.` : skill.body.trim()
    const tools = skill.tools && skill.tools.length > 0 ? `Tools: ${skill.tools.join(', ')}` : undefined
    return [`## ${skill.name}`, text, tools].filter(Boolean).join('\n\n')
  })
  for (const { tag, text } of tagSections) sections.push(`## ${tag}\n\n${text.trim()}`)
  return sections.join('\n\n')
}

function firstAsDescription(skill: Skill): string {
  return capped(firstParagraph(skill.body))
}
