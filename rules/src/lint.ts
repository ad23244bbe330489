import {
  at,
  createSession,
  nodeHost,
  type Diagnostic,
  type Inspection,
  type Session,
  type SessionOptions
} from '@openapi-mcp/core'
import { rules } from './registry.js'

/** The findings of all rules over an analysed document, for `Session.lint`. */
export function checkRules(inspection: Inspection): Diagnostic[] {
  const findings: Diagnostic[] = []
  for (const { id, severity, check } of rules) {
    check({ ...inspection, report: (node, finding) => findings.push(at(node, { rule: id, severity, ...finding })) })
  }
  return findings
}

export interface LintOptions extends SessionOptions {
  /** Documents that are open already. Default: a session of its own. */
  session?: Session
}

/** Every finding of a document: what `load` refuses, and what the rules say. Throws a UsageError where it cannot be read. */
export async function lint(source: string, { session, ...options }: LintOptions = {}): Promise<Diagnostic[]> {
  const own = session ?? createSession(nodeHost(), options)
  return (await own.lint(source, checkRules)).diagnostics
}
