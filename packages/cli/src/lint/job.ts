import { UsageError, type SessionOptions } from '@openapi-mcp/core'
import { lintDocument, type LintSettings } from '@openapi-mcp/rules'
import type { CreateSession } from '../cli.js'
import { placed, type PlacedFinding } from '../findings.js'

/** One document to lint. Plain data, so that a worker thread can take it. */
export interface LintJob {
  /** Absolute path or address. */
  source: string
  /** The text, where it does not come from there (standard input). */
  text?: string
  session: SessionOptions
  settings: LintSettings
}

/** What came of it. Plain data. */
export interface LintOutcome {
  source: string
  findings: PlacedFinding[]
  /** Why the document cannot be read; no findings then. */
  unreadable?: string
}

/**
 * Lints one document in a session of its own: what a document may reference depends on its folder, not on what was read before.
 */
export async function runJob(job: LintJob, cwd: string, createSession: CreateSession): Promise<LintOutcome> {
  const { source, text, settings } = job
  const session = createSession(job.session)
  try {
    if (text !== undefined) session.setBuffer(session.uriOf(source), text, 0)
    const { diagnostics } = await lintDocument(session, source, settings)
    return { source, findings: placed(diagnostics, session, cwd) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { source, findings: [], unreadable: error.message }
  }
}
