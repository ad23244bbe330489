import type { Skill, Tool } from '@openapi-mcp/core'
import type { Preview } from './preview.js'
import { argumentsOf, badgesOf, profileWords, responseWords } from './preview-words.js'
import { count, safeLine, safeText } from './terminal.js'

/** The preview as markdown, for a pull request or a wiki. */
export function previewMarkdown({ info, file, toolSet, tokens, total, only }: Preview): string {
  const tools = only ? [only] : toolSet.tools
  const parts = [
    `# ${plain([info.title ?? 'Untitled', info.version].filter(Boolean).join(' '))}`,
    `${plain(file)} · ${toolSet.profiles.length > 0 ? `profile ${plain(profileWords(toolSet.profiles, info.profiles))}` : 'no profiles declared'} · ${count(toolSet.tools.length, 'tool')} · about ${count(total, 'token')}`,
    ...tools.flatMap((tool) => toolPart(tool, tokens.get(tool) ?? 0))
  ]
  if (only) parts.push(fenced(JSON.stringify(only.inputSchema, null, 2), 'json'))
  else {
    if (toolSet.instructions !== '') parts.push('## Instructions', quoted(toolSet.instructions))
    if (toolSet.skills.length > 0) {
      parts.push('## Skills', ...toolSet.skills.flatMap(skillPart))
    }
  }
  return `${parts.join('\n\n')}\n`
}

function skillPart({ name, uri, description, body, error }: Skill): string[] {
  const parts = [`### ${code(name)}`, `${code(uri)}: ${plain(description)}`]
  if (error !== undefined) parts.push(plain(`Cannot be read: ${error}`))
  if (body.trim() !== '') parts.push(quoted(body.trim()))
  return parts
}

function toolPart(tool: Tool, tokens: number): string[] {
  const { method, path } = tool.operation
  const title = tool.title === undefined ? '' : ` — ${plain(tool.title)}`
  const badges = badgesOf(tool).map((badge) => `\`${badge}\``)
  const parts = [
    `## \`${tool.name}\`${title}`,
    `${code(`${method.toUpperCase()} ${path}`)} ${badges.join(' ')} · ${count(tokens, 'token')}`,
    quoted(tool.description.trim())
  ]
  const inputs = argumentsOf(tool)
  if (inputs.length === 0) parts.push('Takes no arguments.')
  else {
    const rows = inputs.map((input) => {
      const description = [cell(input.description), input.wire === '' ? '' : cell(`(${input.wire})`)]
        .filter(Boolean)
        .join(' ')
      return `| ${code(input.name)} | ${codeCell(input.type)} | ${input.required ? 'yes' : ''} | ${codeCell(input.default)} | ${codeCell(input.limits)} | ${description} |`
    })
    parts.push(
      [
        '| Input | Type | Required | Default | Limits | Description |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows
      ].join('\n')
    )
  }
  parts.push(responseWords(tool).map(plainCode).join(' '))
  return parts
}

/** Text of a document that must not act as markup. */
function plain(text: string): string {
  return safeLine(text).replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
}

/** Our own sentences may hold code spans. */
function plainCode(text: string): string {
  return safeLine(text).replace(/[<>|]/g, '\\$&')
}

function code(text: string): string {
  const line = safeLine(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((m) => m[0].length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

function codeCell(text: string): string {
  return text === '' ? '' : code(text).replaceAll('|', '\\|')
}

function cell(text: string): string {
  return plain(text)
}

/** Markdown of the document stays inside a quotation: it cannot start a section of the preview. */
function quoted(text: string): string {
  return safeText(text)
    .split('\n')
    .map((line) => `> ${line.replace(/[<>]/g, '\\$&')}`.trimEnd())
    .join('\n')
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((m) => m[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${safeText(text)}\n${fence}`
}
