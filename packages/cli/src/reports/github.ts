import { toJsonPath, type Severity } from '@openapi-mcp/core'
import { placeText, type PlacedFinding } from '../findings.js'
import { count, safeLine } from '../terminal.js'
import { isAddress, slashed } from './paths.js'
import { totalsOf, type Report } from './report.js'

const COMMANDS: Partial<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** Workflow commands of GitHub Actions: each becomes an annotation at its line. Hints are for editors. */
export function github({ findings, documents, unreadable }: Report): string {
  const totals = totalsOf(findings)
  const summary = `${count(totals.error, 'error')}, ${count(totals.warning, 'warning')} in ${count(documents.length, 'document')}`
  return [
    ...unreadable.map((message) => command('error', {}, safeLine(message))),
    ...findings.flatMap(annotation),
    summary,
    ''
  ].join('\n')
}

function annotation({ diagnostic, file, path, range }: PlacedFinding): string[] {
  const name = COMMANDS[diagnostic.severity]
  if (name === undefined) return []
  const place = isAddress(file) ? {} : placeOf(slashed(file), range)
  const where = isAddress(file) ? [placeText({ file, range })] : []
  const message = [safeLine(diagnostic.message), ...where, safeLine(toJsonPath(path))].join('\n')
  return [command(name, { ...place, title: diagnostic.rule }, message)]
}

function placeOf(file: string, range: PlacedFinding['range']): Record<string, string | number> {
  if (!range) return { file }
  const { start, end } = range
  return {
    file,
    line: start.line + 1,
    endLine: end.line + 1,
    // The runner refuses columns of more than one line. They count from 1, and the last one belongs to the range.
    ...(start.line === end.line && {
      col: start.character + 1,
      endColumn: Math.max(end.character, start.character + 1)
    })
  }
}

function command(name: string, properties: Record<string, string | number>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))}`)
  return `::${[name, list.join(',')].filter(Boolean).join(' ')}::${data(message)}`
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(safeLine(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
