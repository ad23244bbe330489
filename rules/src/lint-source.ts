import { createSession, nodeHost, type Diagnostic, type Session, type SessionOptions } from '@openapi-mcp/core'
import { lintDocument } from './lint.js'
import type { LintSettings } from './settings.js'

export interface LintOptions extends SessionOptions, LintSettings {
  /** Documents that are open already. Default: a session of its own. */
  session?: Session
}

/** Every finding of a document: what `load` refuses, and what the rules say. Throws a UsageError where it cannot be read. */
export async function lint(source: string, options: LintOptions = {}): Promise<Diagnostic[]> {
  const session = options.session ?? createSession(nodeHost(), options)
  return (await lintDocument(session, source, options)).diagnostics
}
