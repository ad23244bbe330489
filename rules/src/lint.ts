import {
  at,
  createSession,
  nodeHost,
  type Diagnostic,
  type Inspection,
  type Node,
  type Session,
  type SessionOptions,
  type SourceDocument
} from '@openapi-mcp/core'
import { rules } from './registry.js'
import type { Finding, Rule, RuleContext } from './rule.js'
import { clientsOf, optionsOf, severityOf, withSettings, type LintSettings } from './settings.js'

function contextOf(
  rule: Rule,
  inspection: Inspection,
  settings: LintSettings,
  findings: Diagnostic[]
): RuleContext<never> {
  return {
    ...inspection,
    options: optionsOf(rule, settings) as never,
    clients: clientsOf(settings),
    profileSets: settings.profileSets ?? [],
    report: (node: Node, finding: Finding) =>
      findings.push(at(node, { rule: rule.id, severity: rule.severity, ...finding }))
  }
}

/** Every finding of a document, and the addresses of the documents that were read for them. */
export async function lintDocument(
  session: Session,
  source: string | SourceDocument,
  settings: LintSettings = {}
): Promise<{ diagnostics: Diagnostic[]; documents: string[] }> {
  const wanted = rules.filter((rule) => severityOf(rule.id, settings) !== 'off')
  const { diagnostics, documents } = await session.lint(source, {
    check: (inspection) => {
      const findings: Diagnostic[] = []
      for (const rule of wanted) rule.check?.(contextOf(rule, inspection, settings, findings))
      return findings
    },
    measure: async (inspection) => {
      const findings: Diagnostic[] = []
      for (const rule of wanted) await rule.measure?.(contextOf(rule, inspection, settings, findings))
      return findings
    }
  })
  return { diagnostics: withSettings(diagnostics, settings), documents }
}

export interface LintOptions extends SessionOptions, LintSettings {
  /** Documents that are open already. Default: a session of its own. */
  session?: Session
}

/** Every finding of a document: what `load` refuses, and what the rules say. Throws a UsageError where it cannot be read. */
export async function lint(source: string, options: LintOptions = {}): Promise<Diagnostic[]> {
  const session = options.session ?? createSession(nodeHost(), options)
  return (await lintDocument(session, source, options)).diagnostics
}
