import type { ClientId } from '../clients.js'
import type { RuleSetting } from '../settings.js'

/** Sets of profiles: one set, or several. */
export type ProfileChoice = string[] | string[][]

/** What a user configures (`openapi-mcp.yaml`). */
export interface Config {
  documents?: (string | { files: string | string[]; profiles?: ProfileChoice })[]
  rules?: Record<string, RuleSetting>
  clients?: ClientId[]
  budgets?: { toolTokens?: number; profileTokens?: number; tools?: number; descriptionCharacters?: number }
  overrides?: {
    files: string | string[]
    rules?: Record<string, RuleSetting>
    clients?: ClientId[]
    budgets?: Config['budgets']
  }[]
  ignore?: string[]
  ignoreFile?: string
  baseline?: string
  ruleset?: string
  failOn?: 'error' | 'warning' | 'info' | 'never'
  maxWarnings?: number
}

/** Types a configuration written in TypeScript or JavaScript. */
export function defineConfig(config: Config): Config {
  return config
}

/** Names of the file, in the order in which they are looked for in each folder. */
export const CONFIG_FILES = ['yaml', 'yml', 'json', 'ts', 'mts', 'js', 'mjs', 'cjs'].map(
  (ending) => `openapi-mcp.${ending}`
)

/** The key of `package.json`. */
export const PACKAGE_KEY = 'openapi-mcp'
