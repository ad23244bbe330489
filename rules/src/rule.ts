import type { Diagnostic, Inspection, Node, Severity } from '@openapi-mcp/core'

/** What a rule says of a place. */
export interface Finding {
  message: string
  on?: 'key' | 'value'
  /** Segments below the node, where a smaller place is meant. */
  within?: (string | number)[]
  suggestion?: string
  related?: Diagnostic['related']
}

export interface RuleContext extends Inspection {
  report(node: Node, finding: Finding): void
}

/**
 * A rule over the analysed document. Its examples are documents, or the lines of an operation `GET /items/{id}`; they are run as tests:
 * the wrong one has a finding of this rule, the right one has none of any rule.
 */
export interface Rule {
  id: string
  severity: Severity
  /** What holds where the rule is kept, in one sentence. */
  summary: string
  /** What a user loses where it is not. */
  why: string
  examples: { wrong: string; right: string }
  check(context: RuleContext): void
}

export function defineRule(rule: Rule): Rule {
  return rule
}
