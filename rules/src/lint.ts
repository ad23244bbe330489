import {
  at,
  child,
  didYouMean,
  nearest,
  type Diagnostic,
  type Inspection,
  type Node,
  type Session,
  type SourceDocument
} from '@openapi-mcp/core'
import { rules } from './registry.js'
import type { Finding, Rule, RuleContext } from './rule.js'
import { commentSuppressions } from './suppressions/comments.js'
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

/** Profiles that agents ask for, as the settings say, and that the document does not declare: it would refuse the set. */
function undeclaredInSets({ analysis }: Inspection, { profileSets = [] }: LintSettings): Diagnostic[] {
  const { profiles, annotations } = analysis
  const root = annotations.find(({ scope }) => scope === 'root')?.node
  if (!root || profiles.declared.length === 0) return []
  const names = [...new Set(profileSets.flat())].filter((name) => !profiles.has(name))
  if (names.length === 0) return []
  const list = names.map((name) => JSON.stringify(name)).join(', ')
  const help = names.length === 1 ? didYouMean(nearest(list, profiles.names)) : ''
  const message = `agents ask for ${list}, says the configuration, which is not declared at the root${help}`
  const place = child(root, 'profiles') ?? root
  return [at(place, { rule: 'x-agent-undeclared-profile', severity: 'error', message, on: 'key' })]
}

/** What lint says of a document. */
export interface LintResult {
  /** In order of document, place and rule. */
  diagnostics: Diagnostic[]
  /** Findings that comments hold back. */
  suppressed: Diagnostic[]
  /** The addresses of the documents that were read. */
  documents: string[]
}

/**
 * Every finding of a document, under the settings of its user and the comments in it. `foreign` brings what other rules find (a Spectral ruleset);
 * comments hold it back like the rest. Throws a UsageError where the document cannot be read.
 */
export async function lintDocument(
  session: Session,
  source: string | SourceDocument,
  settings: LintSettings = {},
  foreign?: (document: SourceDocument) => Promise<Diagnostic[]>
): Promise<LintResult> {
  const isOn = (id: string): boolean => severityOf(id, settings) !== 'off'
  const wanted = rules.filter(({ id }) => isOn(id))
  const { diagnostics, documents } = await session.lint(source, {
    check: (inspection) => {
      const findings = undeclaredInSets(inspection, settings)
      for (const rule of wanted) rule.check?.(contextOf(rule, inspection, settings, findings))
      return findings
    },
    measure: async (inspection) => {
      const findings: Diagnostic[] = []
      for (const rule of wanted) await rule.measure?.(contextOf(rule, inspection, settings, findings))
      return findings
    }
  })
  const own = withSettings(diagnostics, settings)
  const others = foreign ? await foreign(typeof source === 'string' ? await session.open(source) : source) : []
  const all = others.length > 0 ? session.sorted([...own, ...others]) : own
  const { kept, suppressed } = await withoutSuppressed(session, all, documents, settings)
  return { diagnostics: kept, suppressed, documents }
}

async function withoutSuppressed(
  session: Session,
  findings: Diagnostic[],
  documents: readonly string[],
  settings: LintSettings
): Promise<{ kept: Diagnostic[]; suppressed: Diagnostic[] }> {
  const isOn = (id: string): boolean => severityOf(id, settings) !== 'off'
  const suppressed: Diagnostic[] = []
  let kept = findings
  const own: Diagnostic[] = []
  for (const uri of documents) {
    const document = session.workspace.get(uri)
    const comments = document && (await commentSuppressions(document, settings.foreignRules))
    if (!comments) continue
    kept = kept.filter((finding) => {
      // Text that does not parse has no comments to go by.
      if (finding.uri !== uri || /-syntax$/.test(finding.rule)) return true
      const isHeldBack = comments.suppresses(finding, session.rangeOf(finding))
      if (isHeldBack) suppressed.push(finding)
      return !isHeldBack
    })
    own.push(...comments.problems, ...comments.unused(isOn))
  }
  if (own.length > 0) kept = session.sorted([...kept, ...withSettings(own, settings)])
  return { kept, suppressed }
}
