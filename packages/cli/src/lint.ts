import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  displayUri,
  toJsonPath,
  toPointer,
  UsageError,
  type Diagnostic,
  type Session,
  type Severity
} from '@openapi-mcp/core'
import type { CreateSession, DocumentOptions } from './cli.js'
import { placed, stylishFindings } from './findings.js'
import { EXIT, type Io } from './io.js'
import { count, painter, relativeTo, safeText } from './terminal.js'

export interface LintOptions extends DocumentOptions {
  format: 'stylish' | 'json'
  output?: string
  quiet?: boolean
}

/** `openapi-mcp lint`: every finding of the documents. Gives the exit code. */
export async function lint(
  sources: string[],
  options: LintOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const session = createSession(options)
  const found: Diagnostic[] = []
  const seen = new Set<string>()
  let unreadable = 0
  for (const source of sources) {
    try {
      for (const diagnostic of (await session.lint(source)).diagnostics) {
        // Two documents may share a file with a finding.
        const key = `${diagnostic.rule} ${diagnostic.uri} ${toPointer(diagnostic.path)}`
        if (!seen.has(key)) found.push(diagnostic)
        seen.add(key)
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      unreadable++
      io.stderr(`openapi-mcp: ${safeText(error.message)}\n`)
    }
  }
  const shown = options.quiet ? found.filter((d) => d.severity === 'error') : found
  const report =
    options.format === 'json'
      ? jsonReport(shown, session, io)
      : stylishReport(shown, session, io, options, sources.length - unreadable)
  if (options.output === undefined) io.stdout(report)
  else await write(resolve(io.cwd, options.output), report)
  if (unreadable > 0) return EXIT.usage
  return found.some((d) => d.severity === 'error') ? EXIT.findings : EXIT.clean
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

function stylishReport(
  findings: Diagnostic[],
  session: Session,
  io: Io,
  options: LintOptions,
  documents: number
): string {
  const paint = painter(options.output === undefined ? io : { ...io, isTerminal: false }, options.color)
  const totals = totalsOf(findings)
  if (findings.length === 0)
    return documents === 0 ? '' : `${paint.green('✔')} no findings in ${count(documents, 'document')}\n`
  const parts = [
    totals.error > 0 ? paint.red(count(totals.error, 'error')) : '',
    totals.warning > 0 ? paint.yellow(count(totals.warning, 'warning')) : '',
    totals.info > 0 ? `${totals.info} info` : '',
    totals.hint > 0 ? count(totals.hint, 'hint') : ''
  ]
  const mark = totals.error > 0 ? paint.red('✖') : totals.warning > 0 ? paint.yellow('⚠') : paint.green('✔')
  return `${stylishFindings(placed(findings, session, io.cwd), session, io.cwd, paint)}\n\n${mark} ${parts.filter(Boolean).join(', ')} in ${count(documents, 'document')}\n`
}

function totalsOf(findings: Diagnostic[]): Record<Severity, number> {
  const totals = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const { severity } of findings) totals[severity]++
  return totals
}

/** The report for machines, version 1. Positions are zero-based, in UTF-16 code units. */
function jsonReport(findings: Diagnostic[], session: Session, io: Io): string {
  const totals = totalsOf(findings)
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  const fileOf = (uri: string): string => relativeTo(io.cwd, displayUri(uri))
  const report = {
    version: 1,
    summary: { errors: totals.error, warnings: totals.warning, infos: totals.info, hints: totals.hint },
    diagnostics: findings.map((d) => ({
      rule: d.rule,
      severity: d.severity,
      message: d.message,
      file: fileOf(d.uri),
      path: toPointer(d.path),
      jsonPath: toJsonPath(d.path),
      range: session.rangeOf(d) ?? nowhere,
      ...(d.suggestion !== undefined && { suggestion: d.suggestion }),
      ...(d.related && {
        related: d.related.map((r) => ({
          file: fileOf(r.uri),
          path: toPointer(r.path),
          message: r.message,
          range: session.rangeOf(r) ?? nowhere
        }))
      })
    }))
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
