import { UsageError, nearest, didYouMean, type Diagnostic, type Severity } from '@openapi-mcp/core'
import type { TSchema } from '@sinclair/typebox'
import { DEFAULT_CLIENTS, type ClientId } from './clients.js'
import { rules } from './registry.js'
import type { Rule } from './rule.js'

export type RuleSeverity = Severity | 'off'

/** What a user wants of a rule: a severity, or options with or without one. */
export type RuleSetting = RuleSeverity | ({ severity?: RuleSeverity } & Record<string, unknown>)

/** What a user wants of the rules for one document. */
export interface LintSettings {
  /** By rule id. */
  rules?: Readonly<Record<string, RuleSetting>> | undefined
  /** The clients that the tools are meant for. Default: DEFAULT_CLIENTS. */
  clients?: readonly ClientId[] | undefined
  /** Sets of profiles that agents ask for together, which are checked like a profile. */
  profileSets?: readonly (readonly string[])[] | undefined
  /** There are rules beside these (a Spectral ruleset), so a name that is unknown here may be that of one of them. */
  foreignRules?: boolean | undefined
}

export function clientsOf({ clients }: LintSettings): readonly ClientId[] {
  return clients ?? DEFAULT_CLIENTS
}

export const SEVERITIES: readonly RuleSeverity[] = ['error', 'warning', 'info', 'hint', 'off']

/** The severity that is wanted for a rule, where it is another one than the rule gives. */
export function severityOf(id: string, settings: LintSettings): RuleSeverity | undefined {
  const setting = settings.rules?.[id]
  return typeof setting === 'object' ? setting.severity : setting
}

/** The options of a rule: the defaults of its definition, and what the user wants otherwise. */
export function optionsOf(rule: Rule, settings: LintSettings): Record<string, unknown> {
  const defaults = Object.entries(rule.options?.properties ?? {}).map(([name, schema]) => [
    name,
    (schema as TSchema)['default'] as unknown
  ])
  const setting = settings.rules?.[rule.id]
  const { severity: _, ...wanted } = typeof setting === 'object' ? setting : {}
  return { ...Object.fromEntries(defaults), ...wanted }
}

/** The findings as the settings want them: other severities, and nothing of rules that are off. */
export function withSettings(findings: Diagnostic[], settings: LintSettings): Diagnostic[] {
  if (settings.rules === undefined) return findings
  return findings.flatMap((finding) => {
    const severity = severityOf(finding.rule, settings)
    if (severity === 'off') return []
    return severity === undefined ? finding : { ...finding, severity }
  })
}

/** The rule of an id. Throws a UsageError that names the nearest one. */
export function ruleNamed(id: string): Rule {
  const rule = rules.find((r) => r.id === id)
  if (rule) return rule
  const help = didYouMean(
    nearest(
      id,
      rules.map((r) => r.id)
    )
  )
  throw new UsageError(`there is no rule ${JSON.stringify(id)}${help}`)
}
