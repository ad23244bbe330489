import { displayUri, toJsonPath, type Diagnostic, type Session } from '@openapi-mcp/core'
import type { ChalkInstance } from 'chalk'
import { relativeTo, safeLine } from './terminal.js'

/** A finding with its place as people read it: a file and, from 1, line and column. */
export interface PlacedFinding {
  diagnostic: Diagnostic
  file: string
  place: string
}

export function placed(diagnostics: Diagnostic[], session: Pick<Session, 'rangeOf'>, cwd: string): PlacedFinding[] {
  return diagnostics.map((diagnostic) => {
    const file = safeLine(relativeTo(cwd, displayUri(diagnostic.uri)))
    const start = session.rangeOf(diagnostic)?.start
    return { diagnostic, file, place: start ? `${file}:${start.line + 1}:${start.character + 1}` : file }
  })
}

/** Findings for people, grouped by file: `file:line:col severity rule message`, the JSON path below. */
export function stylishFindings(
  findings: PlacedFinding[],
  session: Pick<Session, 'rangeOf'>,
  cwd: string,
  paint: ChalkInstance
): string {
  const groups = new Map<string, PlacedFinding[]>()
  for (const finding of findings) groups.set(finding.file, [...(groups.get(finding.file) ?? []), finding])
  return [...groups]
    .map(([file, group]) => [paint.bold.underline(file), ...lines(group, session, cwd, paint)].join('\n'))
    .join('\n\n')
}

function lines(group: PlacedFinding[], session: Pick<Session, 'rangeOf'>, cwd: string, paint: ChalkInstance): string[] {
  const widest = (texts: string[]): number => Math.max(...texts.map((text) => text.length))
  const placeWidth = widest(group.map((f) => f.place))
  const severityWidth = widest(group.map((f) => f.diagnostic.severity))
  const ruleWidth = Math.min(32, widest(group.map((f) => f.diagnostic.rule)))
  const colours = { error: paint.red, warning: paint.yellow, info: paint.blue, hint: paint.gray }
  return group.flatMap(({ diagnostic, place }) => {
    const { severity, rule, message, path, related } = diagnostic
    const head = [
      place.padEnd(placeWidth),
      colours[severity](severity.padEnd(severityWidth)),
      paint.dim(rule.padEnd(ruleWidth)),
      safeLine(message)
    ]
    const others = placed(
      (related ?? []).map((r) => ({ ...r, rule, severity, on: 'key' as const })),
      session,
      cwd
    )
    return [
      `  ${head.join('  ')}`,
      paint.dim(`    ${safeLine(toJsonPath(path))}`),
      ...others.slice(0, 3).map((other) => paint.dim(`    see ${other.place} ${safeLine(other.diagnostic.message)}`))
    ]
  })
}
