import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findingKey, toJsonPath, toPointer, UsageError, type Severity } from '@openapi-mcp/core'
import type { CreateSession, DocumentOptions } from './cli.js'
import { stylishFindings, type PlacedFinding } from './findings.js'
import { EXIT, type Io } from './io.js'
import { jsonText } from './json-text.js'
import { findInputs } from './lint/inputs.js'
import type { LintJob } from './lint/job.js'
import { runJobs } from './lint/run-jobs.js'
import { sessionOptions } from './sources.js'
import { count, painter, safeText, widthOf } from './terminal.js'

export interface LintOptions extends DocumentOptions {
  format: 'stylish' | 'json'
  output?: string
  quiet?: boolean
}

/** `openapi-mcp lint`: every finding of the documents. Gives the exit code. */
export async function lint(
  named: string[],
  options: LintOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const inputs = await findInputs(named, { cwd: io.cwd })
  for (const problem of inputs.problems) io.stderr(`openapi-mcp: ${safeText(problem)}\n`)
  const jobs = inputs.sources.map((source): LintJob => ({ source, session: sessionOptions(options, io), settings: {} }))
  const outcomes = await runJobs(jobs, { cwd: io.cwd, createSession, bytes: inputs.bytes })
  const found = distinct(outcomes.flatMap(({ findings }) => findings))
  for (const { unreadable } of outcomes) {
    if (unreadable !== undefined) io.stderr(`openapi-mcp: ${safeText(unreadable)}\n`)
  }
  const unreadable = inputs.problems.length + outcomes.filter((o) => o.unreadable !== undefined).length
  const shown = options.quiet ? found.filter((f) => f.diagnostic.severity === 'error') : found
  const report =
    options.format === 'json'
      ? jsonReport(shown)
      : stylishReport(shown, io, options, outcomes.filter((o) => o.unreadable === undefined).length)
  if (options.output === undefined) io.stdout(report)
  else await write(resolve(io.cwd, options.output), report)
  if (unreadable > 0) return EXIT.usage
  return found.some((f) => f.diagnostic.severity === 'error') ? EXIT.findings : EXIT.clean
}

/** Two documents may share a file with a finding. */
function distinct(findings: PlacedFinding[]): PlacedFinding[] {
  const seen = new Set<string>()
  return findings.filter(({ diagnostic }) => {
    const key = findingKey(diagnostic)
    return !seen.has(key) && seen.add(key)
  })
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

function stylishReport(findings: PlacedFinding[], io: Io, options: LintOptions, documents: number): string {
  const target = options.output === undefined ? io : { ...io, isTerminal: false }
  const paint = painter(target, options.color)
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
  return `${stylishFindings(findings, paint, widthOf(target))}\n\n${mark} ${parts.filter(Boolean).join(', ')} in ${count(documents, 'document')}\n`
}

function totalsOf(findings: PlacedFinding[]): Record<Severity, number> {
  const totals = { error: 0, warning: 0, info: 0, hint: 0 }
  for (const { diagnostic } of findings) totals[diagnostic.severity]++
  return totals
}

/** The report for machines, version 1. Positions are zero-based, in UTF-16 code units. */
function jsonReport(findings: PlacedFinding[]): string {
  const totals = totalsOf(findings)
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  return jsonText({
    version: 1,
    summary: { errors: totals.error, warnings: totals.warning, infos: totals.info, hints: totals.hint },
    diagnostics: findings.map(({ diagnostic, file, path, range, related }) => ({
      rule: diagnostic.rule,
      severity: diagnostic.severity,
      message: diagnostic.message,
      file,
      path: toPointer(path),
      jsonPath: toJsonPath(path),
      range: range ?? nowhere,
      ...(diagnostic.suggestion !== undefined && { suggestion: diagnostic.suggestion }),
      ...(related.length > 0 && {
        related: related.map((r) => ({
          file: r.file,
          path: toPointer(r.path),
          jsonPath: toJsonPath(r.path),
          message: r.message,
          range: r.range ?? nowhere
        }))
      })
    }))
  })
}
