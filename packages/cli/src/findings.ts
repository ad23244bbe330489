import {
  displayUri,
  toJsonPath,
  type Diagnostic,
  type JsonPath,
  type Range,
  type RelatedLocation,
  type Session
} from '@openapi-mcp/core'
import type { ChalkInstance } from 'chalk'
import { relativeTo, safeLine } from './terminal.js'

interface Place {
  /** As it is: not for terminals. */
  file: string
  path: JsonPath
  range: Range | undefined
}

/** A finding with the ranges of its places, so that it outlives its session. */
export interface PlacedFinding extends Place {
  diagnostic: Diagnostic
  related: (Place & { message: string })[]
}

export function placed(diagnostics: Diagnostic[], session: Pick<Session, 'rangeOf'>, cwd: string): PlacedFinding[] {
  const place = (location: Diagnostic | RelatedLocation): Place => ({
    file: relativeTo(cwd, displayUri(location.uri)),
    path: location.path,
    range: session.rangeOf(location)
  })
  return diagnostics.map((diagnostic) => ({
    diagnostic,
    ...place(diagnostic),
    related: (diagnostic.related ?? []).map((r) => ({ ...place(r), message: r.message }))
  }))
}

/** Findings by file, in their order; `files` come first, with what there is in them. */
export function groupedByFile(
  findings: readonly PlacedFinding[],
  files: readonly string[] = []
): Map<string, PlacedFinding[]> {
  const groups = new Map<string, PlacedFinding[]>(files.map((file) => [file, []]))
  for (const finding of findings) {
    const group = groups.get(finding.file)
    if (group) group.push(finding)
    else groups.set(finding.file, [finding])
  }
  return groups
}

const MOST_RELATED = 3

/**
 * Findings for people, grouped by file: `file:line:col severity rule message`, the JSON path below. Where the messages of a
 * file do not fit the width, they go below, too.
 */
export function stylishFindings(findings: PlacedFinding[], paint: ChalkInstance, width = Infinity): string {
  return [...groupedByFile(findings)]
    .map(([file, group]) => [paint.bold.underline(safeLine(file)), ...lines(group, paint, width)].join('\n'))
    .join('\n\n')
}

function lines(group: PlacedFinding[], paint: ChalkInstance, width: number): string[] {
  const widest = (texts: string[]): number => texts.reduce((most, text) => Math.max(most, text.length), 0)
  const placeWidth = widest(group.map(placeText))
  const severityWidth = widest(group.map((f) => f.diagnostic.severity))
  const ruleWidth = Math.min(32, widest(group.map((f) => f.diagnostic.rule)))
  const colours = { error: paint.red, warning: paint.yellow, info: paint.blue, hint: paint.gray }
  const messages = group.map((f) => safeLine(f.diagnostic.message))
  const besides = 2 + placeWidth + 2 + severityWidth + 2 + ruleWidth + 2
  const stacked = besides + widest(messages) > width
  return group.flatMap((finding, i) => {
    const { severity, rule } = finding.diagnostic
    const message = messages[i]!
    const head = [
      placeText(finding).padEnd(placeWidth),
      colours[severity](severity.padEnd(severityWidth)),
      paint.dim(stacked ? rule : rule.padEnd(ruleWidth)),
      ...(stacked ? [] : [message])
    ]
    const shown = finding.related.slice(0, MOST_RELATED).map((r) => `see ${placeText(r)} ${safeLine(r.message)}`)
    const more = finding.related.length - shown.length
    const notes = [safeLine(toJsonPath(finding.path)), ...shown, ...(more > 0 ? [`and ${more} more`] : [])]
    return [
      `  ${head.join('  ')}`,
      ...(stacked ? wrapped(message, width - 4).map((line) => `    ${line}`) : []),
      ...notes.map((note) => `    ${paint.dim(note)}`)
    ]
  })
}

/** `file:line:col`, from 1, as editors and terminals take it. */
export function placeText({ file, range }: Pick<Place, 'file' | 'range'>): string {
  const name = safeLine(file)
  return range ? `${name}:${range.start.line + 1}:${range.start.character + 1}` : name
}

/** Lines of whole words. The packages behind `wrap` would make every start of `lint` a seventh slower. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
