import type { Severity } from '@openapi-mcp/core'
import type { PlacedFinding } from '../findings.js'
import { count, safeLine } from '../terminal.js'
import { slashed } from './fingerprint.js'
import { totalsOf, type Report } from './report.js'

const COMMANDS: Partial<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** Workflow commands of GitHub Actions: each becomes an annotation at its line. Hints are for editors. */
export function github({ findings, documents }: Report): string {
  const totals = totalsOf(findings)
  const summary = `${count(totals.error, 'error')}, ${count(totals.warning, 'warning')} in ${count(documents.length, 'document')}`
  return [...findings.flatMap(command), summary, ''].join('\n')
}

function command({ diagnostic, file, range }: PlacedFinding): string[] {
  const name = COMMANDS[diagnostic.severity]
  if (name === undefined) return []
  const properties: Record<string, string | number> = {
    file: slashed(file),
    ...(range && {
      line: range.start.line + 1,
      endLine: range.end.line + 1,
      col: range.start.character + 1,
      // Columns count from 1 and the last one belongs to the range.
      endColumn: Math.max(range.end.character, range.start.character + 1)
    }),
    title: diagnostic.rule
  }
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))}`)
  return [`::${name} ${list.join(',')}::${data(safeLine(diagnostic.message))}`]
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
