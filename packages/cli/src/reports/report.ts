import { UsageError, type Severity } from '@openapi-mcp/core'
import type { ChalkInstance } from 'chalk'
import type { PlacedFinding } from '../findings.js'

/** What is known of a rule. */
export interface RuleInfo {
  summary: string
  why: string
  severity: Severity
  /** Address of its page, where that is one on the web. */
  url?: string
}

/** What a run of lint found. */
export interface Report {
  /** In the order of the run: by document, position, rule. */
  findings: PlacedFinding[]
  /** Findings that a comment holds back, for the formats that can say so. */
  suppressed: PlacedFinding[]
  /** The same of those that the ignore file or the baseline holds back. */
  accepted: PlacedFinding[]
  /** Documents that were checked, as people see them. */
  documents: string[]
  /** What was to be checked and could not be read, in sentences. */
  unreadable: string[]
  /** Undefined for ids of other tools' rules. */
  ruleOf(id: string): RuleInfo | undefined
  version: string
}

export interface ReportContext {
  paint: ChalkInstance
  width: number
}

export const FORMATS = ['stylish', 'json', 'sarif', 'junit', 'github', 'gitlab', 'markdown', 'html'] as const

export type Format = (typeof FORMATS)[number]

/** The report in a format, with a line end. What only some formats need is read on first use. */
export async function formatReport(format: Format, report: Report, context: ReportContext): Promise<string> {
  switch (format) {
    case 'stylish':
      return (await import('./stylish.js')).stylish(report, context)
    case 'json':
      return (await import('./json.js')).json(report)
    case 'sarif':
      return (await import('./sarif.js')).sarif(report)
    case 'junit':
      return (await import('./junit.js')).junit(report)
    case 'github':
      return (await import('./github.js')).github(report)
    case 'gitlab':
      return (await import('./gitlab.js')).gitlab(report)
    case 'markdown':
      return (await import('./markdown.js')).markdown(report)
    case 'html':
      return (await import('./html.js')).html(report)
  }
}

/** A report to make: on standard output where it has no file. */
export interface Output {
  format: Format
  file?: string
}

/** The first that fits counts. */
const BY_EXTENSION: Record<string, Format> = {
  '.sarif.json': 'sarif',
  '.sarif': 'sarif',
  '.json': 'json',
  '.xml': 'junit',
  '.md': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'stylish'
}

/**
 * The reports that options ask for: the nth file belongs to the nth format. A format without a file goes to standard output, which takes one;
 * files without any format get the one that their name tells. Throws a UsageError.
 */
export function outputsOf(formats: readonly Format[], files: readonly string[]): Output[] {
  const twice = files.find((file, index) => files.indexOf(file) < index)
  if (twice !== undefined) throw new UsageError(`two reports cannot go to one file (-o ${twice})`)
  if (formats.length === 0) {
    if (files.length === 0) return [{ format: 'stylish' }]
    return files.map((file) => ({ format: formatOf(file), file }))
  }
  if (files.length > formats.length)
    throw new UsageError(
      `there are ${files.length} files (-o) for ${formats.length === 1 ? '1 format' : `${formats.length} formats`} (-f)`
    )
  if (formats.length - files.length > 1)
    throw new UsageError('only one report can go to standard output; give each other format (-f) a file (-o)')
  return formats.map((format, index) => ({ format, ...(files[index] !== undefined && { file: files[index] }) }))
}

function formatOf(file: string): Format {
  const extension = Object.keys(BY_EXTENSION).find((end) => file.toLowerCase().endsWith(end))
  return extension === undefined ? 'stylish' : BY_EXTENSION[extension]!
}

export function totalsOf(findings: readonly PlacedFinding[]): Record<Severity, number> {
  const totals = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const { diagnostic } of findings) totals[diagnostic.severity]++
  return totals
}
