import type { Tool } from '@openapi-mcp/core'
import type { ChalkInstance } from 'chalk'
import stringWidth from 'string-width'
import type { Io } from './io.js'
import type { Preview } from './preview.js'
import {
  argumentsOf,
  badgesOf,
  profileWords,
  responseWords,
  unsetHintsOf,
  withIncludes,
  type ArgumentWords
} from './preview-words.js'
import { LIST, reflow } from './reflow.js'
import { table, wrap, type Column } from './table.js'
import { count, safeLine, safeText, widthOf } from './terminal.js'

const INDENT = '  '

/** The preview for a terminal, or as plain text without one. */
export function previewText(preview: Preview, io: Io, paint: ChalkInstance): string {
  const width = widthOf(io)
  const { toolSet, only } = preview
  const blocks = [header(preview, paint, width)]
  if (only) blocks.push(...toolBlock(only, preview, paint, width), schemaBlock(only, paint))
  else {
    for (const tool of toolSet.tools) blocks.push(...toolBlock(tool, preview, paint, width))
    if (toolSet.tools.length === 0) blocks.push(emptySet(preview))
    if (toolSet.instructions !== '')
      blocks.push(
        rule('Instructions', count(preview.instructionTokens, 'token'), paint, width),
        indented(safeText(toolSet.instructions), width)
      )
    if (toolSet.skills.length > 0) blocks.push(rule('Skills', '', paint, width), skillsBlock(preview, paint, width))
  }
  return `${blocks.join('\n\n')}\n`
}

function header({ info, file, toolSet, total }: Preview, paint: ChalkInstance, width: number): string {
  const title = paint.bold(safeLine([info.title ?? 'Untitled', info.version].filter(Boolean).join(' ')))
  const profiles =
    toolSet.profiles.length > 0
      ? `${toolSet.profiles.length > 1 ? 'profiles' : 'profile'} ${profileWords(toolSet.profiles, info.profiles)}`
      : 'no profiles declared'
  const covered = withIncludes(toolSet.profiles, info.profiles)
  const others = info.profiles.map((p) => p.name).filter((name) => !covered.includes(name))
  const costs = `${count(toolSet.tools.length, 'tool')} · about ${count(total, 'token')} of definitions`
  const profileLine = safeLine(profiles)
  const together = profileLine.length + 3 + costs.length <= width
  const lines = [
    ...wrap(`${title}${paint.dim(` · ${safeLine(file)} · OpenAPI ${safeLine(info.openapi)}`)}`, width),
    ...(together
      ? [`${paint.cyan(profileLine)} · ${costs}`]
      : [...wrap(paint.cyan(profileLine), width), ...wrap(costs, width)])
  ]
  if (others.length > 0) lines.push(...wrap(paint.dim(`also declared: ${safeLine(others.join(', '))}`), width))
  return lines.join('\n')
}

function emptySet({ info }: Preview): string {
  if (info.annotated === 0) return `${INDENT}No operation carries x-agent, so there are no tools.`
  return `${INDENT}No operation is in these profiles. ${count(info.annotated, 'operation')} of the document are annotated.`
}

/** A line across with a name at its left and a note at its right. */
function rule(name: string, note: string, paint: ChalkInstance, width: number): string {
  const left = `── ${name} `
  const right = note === '' ? '' : ` ${note} ──`
  const fill = Math.max(2, (Number.isFinite(width) ? width : 80) - stringWidth(left) - stringWidth(right))
  return `${paint.dim('──')} ${paint.bold(name)} ${paint.dim('─'.repeat(fill) + right)}`
}

function toolBlock(tool: Tool, { tokens, only }: Preview, paint: ChalkInstance, width: number): string[] {
  const { method, path } = tool.operation
  const badges = badgesOf(tool).map((badge) =>
    (badge === 'destructive' ? paint.red : badge === 'read-only' ? paint.green : paint.yellow)(`[${badge}]`)
  )
  const about = [
    ...(tool.title === undefined ? [] : [INDENT + paint.italic(safeLine(tool.title))]),
    `${INDENT}${paint.cyan(`${method.toUpperCase()} ${safeLine(path)}`)}  ${badges.join(' ')}`
  ]
  const unset = unsetHintsOf(tool)
  if (only && unset.length > 0)
    about.push(INDENT + paint.dim(`not said: ${unset.join(', ')} (clients may assume the worst)`))
  const blocks = [
    [rule(safeLine(tool.name), count(tokens.get(tool) ?? 0, 'token'), paint, width), ...about].join('\n'),
    indented(safeText(tool.description.trim()), width),
    inputsBlock(argumentsOf(tool), paint, width),
    indented(safeText(`Shows: ${responseWords(tool).join(' ')}`), width)
  ]
  if (tool.examples && tool.examples.length > 0) {
    const texts = tool.examples.map((example) => safeText(JSON.stringify(example)))
    blocks.push(
      texts.flatMap((text, i) => indented(`${i === 0 ? 'For example:' : '            '} ${text}`, width)).join('\n')
    )
  }
  return blocks
}

const plain = (text: string): string => text

function inputsBlock(inputs: ArgumentWords[], paint: ChalkInstance, width: number): string {
  if (inputs.length === 0) return `${INDENT}Takes no arguments.`
  const columns: Column[] = [
    { title: 'Input', most: 26, paint: paint.bold },
    { title: 'Type', most: 22, paint: paint.cyan },
    { title: 'Required', paint: plain },
    { title: 'Default', most: 14 },
    { title: 'Limits', most: 18 },
    { title: 'Description' }
  ]
  const rows = inputs.map((input) => {
    const wire = input.wire === '' ? '' : `(${input.wire})`
    const text = safeText(input.description)
    const description = [Number.isFinite(width) ? reflow(text) : text, safeLine(wire)]
      .filter(Boolean)
      .join(input.description.includes('\n') ? '\n' : ' ')
    return [
      safeLine(input.name),
      safeLine(input.type),
      input.required ? 'yes' : '',
      safeLine(input.default),
      safeLine(input.limits),
      description
    ]
  })
  return table(columns, rows, width - INDENT.length, paint.dim)
    .map((line) => INDENT + line)
    .join('\n')
}

function schemaBlock(tool: Tool, paint: ChalkInstance): string {
  const text = safeText(JSON.stringify(tool.inputSchema, null, 2))
  return [`${INDENT}${paint.dim('Input schema')}`, ...text.split('\n').map((line) => INDENT + line)].join('\n')
}

function skillsBlock({ toolSet }: Preview, paint: ChalkInstance, width: number): string {
  return toolSet.skills
    .map((skill) => {
      const only = skill.profiles ? `  for ${skill.profiles.join(', ')}` : ''
      const lines = [
        `${INDENT}${paint.bold(safeLine(skill.name))}  ${paint.dim(safeLine(skill.uri + only))}`,
        indented(safeText(skill.description), width, 4)
      ]
      if (skill.href !== undefined) lines.push(indented(safeLine(`Text: ${skill.href}`), width, 4))
      if (skill.error !== undefined)
        lines.push(indented(paint.red(safeLine(`Cannot be read: ${skill.error}`)), width, 4))
      // A text that starts with its description stands in the instructions already.
      const body = skill.body.trim()
      if (body !== '' && !body.replace(/\s+/g, ' ').startsWith(skill.description.replace(/\s+/g, ' ').trim()))
        lines.push('', indented(safeText(body), width, 4))
      return lines.join('\n')
    })
    .join('\n\n')
}

/** A text of the document, wrapped. Without a terminal its lines stay as they are. */
function indented(text: string, width: number, by = INDENT.length): string {
  return (Number.isFinite(width) ? reflow(text) : text)
    .split('\n')
    .flatMap((line) => {
      if (line.trim() === '') return ['']
      // Lists and code of a description keep their own indentation.
      const own = /^ */.exec(line)![0].length
      const hanging = LIST.exec(line)?.[0].length ?? own
      const [first, ...rest] = wrap(line.trim(), width - by - hanging)
      return [' '.repeat(by + own) + first, ...rest.map((part) => ' '.repeat(by + hanging) + part)]
    })
    .join('\n')
}
