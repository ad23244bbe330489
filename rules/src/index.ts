export * from './browser.js'
export { lint, type LintOptions } from './lint-source.js'
export { ruleset as default, spectralName } from './spectral/ruleset.js'
