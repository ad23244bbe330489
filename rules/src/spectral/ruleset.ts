import type { Severity } from '@openapi-mcp/core'
import type { ClientId } from '../clients.js'
import { rules } from '../registry.js'
import { ruleUrl } from '../rule-page.js'
import type { SpectralContext } from './analysis.js'

/** What a function of a Spectral rule answers. */
export interface SpectralResult {
  message: string
  path: (string | number)[]
}

/** Options of a rule in a Spectral ruleset: those of the rule itself, and the clients. */
export interface SpectralOptions {
  rule: string
  severity?: Severity
  options?: Record<string, unknown>
  clients?: ClientId[]
}

interface SpectralRule {
  description: string
  message: string
  severity: 'error' | 'warn' | 'info' | 'hint'
  given: '$'
  recommended: true
  documentationUrl?: string
  then: { function: typeof findings; functionOptions: SpectralOptions }
}

/**
 * Rules of which some findings are less severe than the rest. Spectral has one severity for a rule, so these have a rule of their own there,
 * named after their severity.
 */
export const LESS_SEVERE: Readonly<Record<string, readonly Severity[]>> = {
  'client-description-length': ['error'],
  'client-property-name': ['warning'],
  'client-schema-keyword': ['warning'],
  'client-schema-size': ['warning'],
  'client-tool-count': ['warning'],
  'client-tool-name': ['warning'],
  'openapi-version': ['warning'],
  'x-agent-delete-not-destructive': ['info'],
  'x-agent-duplicate-tool-name': ['warning'],
  'x-agent-hint-contradicts-method': ['info'],
  'x-agent-undeclared-profile': ['warning']
}

/** The name in Spectral of a finding's rule. */
export function spectralName(rule: string, severity: Severity): string {
  const usual = rules.find(({ id }) => id === rule)?.severity
  return usual === undefined || usual === severity ? rule : `${rule}-${severity}`
}

/** A Spectral ruleset as a plain object: nothing of Spectral is needed to make it. */
export const ruleset = {
  rules: Object.fromEntries(
    // What comments hold back is known to openapi-mcp only.
    rules
      .filter(({ foundBy }) => foundBy === undefined)
      .flatMap((rule) =>
        [rule.severity, ...(LESS_SEVERE[rule.id] ?? [])].map((severity): [string, SpectralRule] => {
          const url = ruleUrl(rule.id)
          return [
            spectralName(rule.id, severity),
            {
              description: rule.summary,
              message: '{{error}}',
              severity: severity === 'warning' ? 'warn' : severity,
              given: '$',
              recommended: true,
              ...(/^https?:/.test(url) && { documentationUrl: url }),
              then: { function: findings, functionOptions: { rule: rule.id, severity } }
            }
          ]
        })
      )
  )
}

/** The function of every rule. What it does is loaded when the first rule runs. */
async function findings(
  target: unknown,
  options: SpectralOptions,
  context: SpectralContext
): Promise<SpectralResult[] | undefined> {
  const own = await import('./findings.js')
  return own.findings(target, options, context)
}
