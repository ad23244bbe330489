import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { atLeast, UsageError, type Session, type Severity } from '@openapi-mcp/core'
import {
  combined,
  listFilesOf,
  rules,
  ruleUrl,
  settingsOf,
  withSettings,
  type ClientId,
  type LintRun,
  type LintSettings,
  type LoadedConfig
} from '@openapi-mcp/rules'
import type { CreateSession, DocumentOptions } from './cli.js'
import { placed, type PlacedFinding } from './findings.js'
import { EXIT, type Io } from './io.js'
import { configurationOf } from './lint/config-file.js'
import { findInputs, type Inputs } from './lint/inputs.js'
import type { LintJob, LintOutcome } from './lint/job.js'
import { runJobs } from './lint/run-jobs.js'
import { fromRepository } from './reports/paths.js'
import { formatReport, outputsOf, totalsOf, type Format, type Output, type Report } from './reports/report.js'
import { defaultDocument, sessionOptions } from './sources.js'
import { count, painter, safeText, widthOf } from './terminal.js'
import { version } from './version.js'

export interface LintOptions extends DocumentOptions {
  format?: Format[]
  output?: string[]
  quiet?: boolean
  /** A file, or false for none. */
  config?: string | false
  client?: ClientId[]
  failOn?: Severity | 'never'
  maxWarnings?: number
  stdinFilename?: string
  ignoreFile?: string
  baseline?: string
  updateBaseline?: boolean
  /** Mend what can be mended. */
  fix?: boolean
  /** Show what would be mended. */
  fixDryRun?: boolean
  /** A Spectral ruleset. */
  ruleset?: string
}

const DEFAULT_BASELINE = 'openapi-mcp-baseline.json'

/** `openapi-mcp lint`: every finding of the documents. Gives the exit code. */
export async function lint(
  named: string[],
  options: LintOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const outputs = outputsOf(options.format ?? [], options.output ?? [])
  const loaded = await configurationOf(options.config, io.cwd)
  const session = createSession(sessionOptions(options, io))
  if (loaded.document) session.workspace.add(loaded.document)
  if (loaded.diagnostics.some(({ severity }) => severity === 'error')) {
    // Under settings that nobody meant, no finding means what it says.
    const findings = placed(session.sorted(loaded.diagnostics), session, io.cwd)
    await report(
      {
        findings,
        suppressed: [],
        accepted: [],
        documents: findings.slice(0, 1).map(({ file }) => file),
        unreadable: []
      },
      outputs,
      options,
      io
    )
    return EXIT.usage
  }
  const inputs = await inputsOf(named, loaded, io)
  for (const problem of inputs.problems) io.stderr(`openapi-mcp: ${safeText(problem)}\n`)
  const { outcomes, runs, unreadable } = await outcomesOf(inputs, loaded, options, io, createSession)
  const { kept, suppressed, accepted } = await withoutHeldBack(outcomes, { runs, loaded, options, session, io })
  const all = {
    findings: options.quiet ? kept.filter((f) => f.diagnostic.severity === 'error') : kept,
    suppressed,
    accepted,
    documents: outcomes.filter((outcome) => outcome.unreadable === undefined).map(({ file }) => file),
    unreadable: [...inputs.problems, ...unreadable]
  }
  await report(all, outputs, options, io)
  if (all.unreadable.length > 0) return EXIT.usage
  return fails(kept, loaded, options, io) ? EXIT.findings : EXIT.clean
}

/** What is named, else what the configuration lists, else the document of this folder. */
async function inputsOf(
  named: string[],
  { config, folder }: LoadedConfig,
  io: Io
): Promise<Inputs & { stdin: boolean }> {
  const stdin = named.includes('-')
  const others = named.filter((name) => name !== '-')
  const ignore = config.ignore ?? []
  if (named.length > 0) return { ...(await findInputs(others, { cwd: io.cwd, ignore })), stdin }
  if (!config.documents) return { ...(await findInputs([await defaultDocument(io)], { cwd: io.cwd })), stdin }
  const { documentGlobs } = await import('@openapi-mcp/rules/config')
  return { ...(await findInputs(documentGlobs(config), { cwd: fileURLToPath(folder), ignore })), stdin }
}

/** What a configuration wants, with what the command line wants instead. */
async function settingsFor(loaded: LoadedConfig, uri: string, { client, ruleset }: LintOptions): Promise<LintSettings> {
  return {
    ...(await settingsOf(loaded, uri)),
    ...(client && client.length > 0 && { clients: client }),
    ...(ruleset !== undefined && { foreignRules: true })
  }
}

async function outcomesOf(
  inputs: Inputs & { stdin: boolean },
  loaded: LoadedConfig,
  options: LintOptions,
  io: Io,
  createSession: CreateSession
): Promise<{ outcomes: LintOutcome[]; runs: LintRun[]; unreadable: string[] }> {
  const sources = inputs.sources.map((source): { source: string; text?: string } => ({ source }))
  if (inputs.stdin) {
    sources.push({ source: path.resolve(io.cwd, options.stdinFilename ?? 'stdin.yaml'), text: await io.stdin() })
  }
  const configured = loaded.config.ruleset
  const ruleset =
    options.ruleset !== undefined
      ? path.resolve(io.cwd, options.ruleset)
      : configured === undefined
        ? undefined
        : path.resolve(fileURLToPath(loaded.folder), configured)
  const jobs: LintJob[] = []
  for (const { source, text } of sources) {
    const uri = /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? source : pathToFileURL(source).href
    const settings = await settingsFor(loaded, uri, options)
    jobs.push({
      source,
      ...(text !== undefined && { text }),
      session: sessionOptions(options, io),
      settings,
      ...(ruleset !== undefined && { ruleset })
    })
  }
  const progress = progressOn(io, jobs.length)
  const runsOf = (all: readonly LintOutcome[]): LintRun[] =>
    all.map(({ documents }, i) => ({ documents, settings: jobs[i]!.settings }))
  if (options.fix || options.fixDryRun) {
    const { outcomes, unreadable } = await mended(jobs, options, io, createSession)
    return { outcomes, runs: runsOf(outcomes), unreadable }
  }
  const outcomes = await runJobs(jobs, { cwd: io.cwd, createSession, bytes: inputs.bytes, onProgress: progress.show })
  progress.clear()
  const unreadable = outcomes.flatMap((outcome) => outcome.unreadable ?? [])
  for (const message of unreadable) io.stderr(`openapi-mcp: ${safeText(message)}\n`)
  return { outcomes, runs: runsOf(outcomes), unreadable }
}

/** One document after the other: two may share a file that is mended. */
async function mended(
  jobs: LintJob[],
  options: LintOptions,
  io: Io,
  createSession: CreateSession
): Promise<{ outcomes: LintOutcome[]; unreadable: string[] }> {
  const { diffOf, fixJob, writeFixed } = await import('./lint/fix.js')
  const outcomes: LintOutcome[] = []
  const files = new Set<string>()
  let fixed = 0
  for (const job of jobs) {
    const outcome = await fixJob(job, io.cwd, createSession)
    outcomes.push(outcome)
    fixed += outcome.fixed
    if (outcome.unreadable !== undefined) io.stderr(`openapi-mcp: ${safeText(outcome.unreadable)}\n`)
    for (const text of outcome.texts) {
      files.add(text.uri)
      if (options.fixDryRun) io.stdout(await diffOf(text, io.cwd, painter(io, options.color)))
      else if (job.text !== undefined) io.stdout(text.after)
      else await writeFixed(text)
    }
  }
  if (fixed > 0) {
    const verb = options.fixDryRun ? 'would be mended' : 'mended'
    io.stderr(`openapi-mcp: ${count(fixed, 'finding')} ${verb} in ${count(files.size, 'file')}\n`)
  }
  return { outcomes, unreadable: outcomes.flatMap((outcome) => outcome.unreadable ?? []) }
}

/** After a second in a terminal: how far it is. */
function progressOn(io: Io, total: number): { show(done: number): void; clear(): void } {
  const started = Date.now()
  let isShown = false
  return {
    show: (done) => {
      if (!io.isErrorTerminal || total < 2 || Date.now() - started < 1000) return
      isShown = true
      io.stderr(`\r${done} of ${count(total, 'document')}`)
    },
    clear: () => {
      if (isShown) io.stderr('\r\u001b[K')
    }
  }
}

interface HoldBack {
  runs: LintRun[]
  loaded: LoadedConfig
  options: LintOptions
  session: Session
  io: Io
}

async function withoutHeldBack(
  outcomes: LintOutcome[],
  { runs, loaded, options, session, io }: HoldBack
): Promise<Pick<Report, 'suppressed' | 'accepted'> & { kept: PlacedFinding[] }> {
  const found = combined(outcomes, ({ diagnostic }) => diagnostic)
  const byComments = combined(
    outcomes.map(({ suppressed, documents }) => ({ findings: suppressed, documents })),
    ({ diagnostic }) => diagnostic
  )
  const uriOf = (file: string): string => pathToFileURL(path.resolve(io.cwd, file)).href
  const configured = listFilesOf(loaded)
  const ignoreFile = options.ignoreFile === undefined ? configured.ignoreFile : uriOf(options.ignoreFile)
  const named = options.baseline ?? (options.updateBaseline && !configured.baseline ? DEFAULT_BASELINE : undefined)
  const baseline = named === undefined ? configured.baseline : uriOf(named)
  const about = withSettings(loaded.diagnostics, await settingsOf(loaded))
  if (ignoreFile === undefined && baseline === undefined)
    return { kept: [...found, ...placed(about, session, io.cwd)], suppressed: byComments, accepted: [] }
  const { heldBack, writeBaseline } = await import('./lint/held-back.js')
  const files = { ignoreFile, baseline: options.updateBaseline ? undefined : baseline }
  const { kept, suppressed: accepted, own } = await heldBack(found, files, { runs, session })
  about.push(...withSettings(own, await settingsOf(loaded)))
  const others = placed(session.sorted(about), session, io.cwd)
  if (!options.updateBaseline || baseline === undefined)
    return { kept: [...kept, ...others], suppressed: byComments, accepted }
  await writeBaseline(baseline, kept, runs)
  const file = fileURLToPath(baseline)
  io.stderr(`openapi-mcp: ${count(kept.length, 'finding')} in ${path.relative(io.cwd, file) || file}\n`)
  return { kept: others, suppressed: byComments, accepted: [...accepted, ...kept] }
}

function fails(findings: PlacedFinding[], { config }: LoadedConfig, options: LintOptions, io: Io): boolean {
  const threshold = options.failOn ?? config.failOn ?? 'error'
  const most = options.maxWarnings ?? config.maxWarnings
  const { warning } = totalsOf(findings)
  if (most !== undefined && warning > most) {
    io.stderr(`openapi-mcp: ${count(warning, 'warning')}, more than the ${most} that are allowed\n`)
    return true
  }
  return threshold !== 'never' && findings.some(({ diagnostic }) => atLeast(diagnostic.severity, threshold))
}

async function report(
  found: Omit<Report, 'ruleOf' | 'version'>,
  outputs: Output[],
  options: LintOptions,
  io: Io
): Promise<void> {
  const full: Report = { ...found, ruleOf, version }
  for (const { format, file } of outputs) {
    const target = file === undefined ? io : { ...io, isTerminal: false }
    const located = fromRepository(format, full, io)
    const text = await formatReport(format, located, { paint: painter(target, options.color), width: widthOf(target) })
    if (file === undefined) io.stdout(text)
    else await write(path.resolve(io.cwd, file), text)
  }
}

function ruleOf(id: string): ReturnType<Report['ruleOf']> {
  const rule = rules.find((candidate) => candidate.id === id)
  if (!rule) return undefined
  const url = ruleUrl(id)
  return { summary: rule.summary, why: rule.why, severity: rule.severity, ...(/^https?:/.test(url) && { url }) }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}
