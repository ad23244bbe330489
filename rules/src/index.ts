export { checkRules, lint, type LintOptions } from './lint.js'
export { rules } from './registry.js'
export type { Finding, Rule, RuleContext } from './rule.js'
