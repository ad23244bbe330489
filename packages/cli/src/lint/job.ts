import { displayUri, UsageError, type Diagnostic, type SessionOptions, type SourceDocument } from '@openapi-mcp/core'
import { lintDocument, type LintSettings } from '@openapi-mcp/rules'
import type { CreateSession } from '../cli.js'
import { placed, type PlacedFinding } from '../findings.js'
import { relativeTo } from '../terminal.js'

/** One document to lint. Plain data, so that a worker thread can take it. */
export interface LintJob {
  /** Absolute path or address. */
  source: string
  /** The text, where it does not come from there (standard input). */
  text?: string
  session: SessionOptions
  settings: LintSettings
  /** A Spectral ruleset of the team, as an absolute path. */
  ruleset?: string
}

/** What came of it. Plain data. */
export interface LintOutcome {
  source: string
  /** As people see it. */
  file: string
  findings: PlacedFinding[]
  /** What comments hold back. */
  suppressed: PlacedFinding[]
  /** URIs of the documents that were read. */
  documents: string[]
  /** Why the document cannot be read; no findings then. */
  unreadable?: string
}

/**
 * Lints one document in a session of its own: what a document may reference depends on its folder, not on what was read before.
 */
export async function runJob(job: LintJob, cwd: string, createSession: CreateSession): Promise<LintOutcome> {
  const { source, text, settings } = job
  const session = createSession(job.session)
  const file = relativeTo(cwd, displayUri(source))
  try {
    if (text !== undefined) session.setBuffer(session.uriOf(source), text, 0)
    const { ruleset } = job
    const foreign = async (document: SourceDocument): Promise<Diagnostic[]> =>
      ruleset === undefined ? [] : (await import('./ruleset.js')).runRuleset(ruleset, document, session)
    const { diagnostics, suppressed, documents } = await lintDocument(session, source, settings, foreign)
    return {
      source,
      file,
      findings: placed(diagnostics, session, cwd),
      suppressed: placed(suppressed, session, cwd),
      documents
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { source, file, findings: [], suppressed: [], documents: [], unreadable: error.message }
  }
}
