import {
  at,
  checkShape,
  child,
  elements,
  isObject,
  type Diagnostic,
  type Node,
  type SourceDocument
} from '@openapi-mcp/core'
import picomatch from 'picomatch'
import type { LintSettings, RuleSetting } from '../settings.js'
import { ConfigDefinition } from './definition.js'
import type { Config, ProfileChoice } from './types.js'

const RULES = {
  unknownField: 'config-unknown-field',
  invalidValue: 'config-invalid-value',
  missingField: 'config-missing-field',
  invalidName: 'config-invalid-value'
}

/**
 * The configuration in a document, checked. `key` is where it stands in a document that holds other things too. With a mistake in it the
 * configuration is empty: half of one is not what anybody meant.
 */
export function readConfig(document: SourceDocument, key?: string): { config: Config; diagnostics: Diagnostic[] } {
  const root: Node = { document, path: [], value: document.value }
  const node = key === undefined ? root : child(root, key)
  const diagnostics = [...document.diagnostics]
  // An empty file configures nothing, and that is all right.
  if (!node || node.value === null || node.value === undefined) return { config: {}, diagnostics }
  diagnostics.push(...checkShape(ConfigDefinition, node, 'the configuration', RULES).map(explained))
  for (const entry of elements(child(node, 'documents'))) {
    if (!isObject(entry.value)) continue
    const refuse = (field: Node, message: string): void =>
      void diagnostics.push(at(field, { rule: 'config-invalid-value', severity: 'error', message, on: 'key' }))
    const overlays = child(entry, 'overlays')
    if (overlays) refuse(overlays, 'overlays are not applied yet; write the annotations into the document')
    const profiles = child(entry, 'profiles')
    if (new Set(elements(profiles).map(({ value }) => typeof value)).size > 1)
      refuse(profiles!, '`profiles` must be a list of profile names, or a list of such lists, not a mixture of both')
  }
  const config = diagnostics.some((d) => d.severity === 'error') || !isObject(node.value) ? {} : (node.value as Config)
  return { config, diagnostics }
}

/** YAML of old reads `off` as false, and some write it that way. */
function explained(finding: Diagnostic): Diagnostic {
  const { path, rule } = finding
  const isSetting = path.at(-2) === 'rules' || (path.at(-3) === 'rules' && path.at(-1) === 'severity')
  if (rule !== RULES.invalidValue || !isSetting || !finding.message.endsWith('not false')) return finding
  return { ...finding, message: `${finding.message}; a rule is turned off by \`off\`` }
}

/** The settings for a document. `file` is its path from the folder of the configuration, with slashes; undefined for what is elsewhere. */
export function settingsFor(config: Config, file: string | undefined): LintSettings {
  const layers = [config, ...(config.overrides ?? []).filter(({ files }) => matchesAny(files, file))]
  const rules: Record<string, RuleSetting> = {}
  for (const layer of layers) {
    for (const [id, setting] of [...budgetSettings(layer.budgets), ...Object.entries(layer.rules ?? {})]) {
      rules[id] = merged(rules[id], setting)
    }
  }
  const clients = layers.findLast((layer) => layer.clients !== undefined)?.clients
  const profileSets = (config.documents ?? []).flatMap((entry) =>
    typeof entry === 'object' && matchesAny(entry.files, file) ? setsOf(entry.profiles) : []
  )
  return {
    rules,
    ...(clients && { clients }),
    ...(profileSets.length > 0 && { profileSets }),
    ...(config.ruleset !== undefined && { foreignRules: true })
  }
}

/** The globs of the documents to check where none are named. */
export function documentGlobs({ documents = [] }: Config): string[] {
  return documents.flatMap((entry) => (typeof entry === 'string' ? entry : entry.files))
}

/** Does a path match one of the globs? Both are relative to the same folder. A folder stands for everything below it. */
export function matchesAny(globs: string | readonly string[], file: string | undefined): boolean {
  if (file === undefined) return false
  const all = (typeof globs === 'string' ? [globs] : globs).map((glob) => glob.replace(/^\.\//, '').replace(/\/$/, ''))
  return all.some(
    (glob) =>
      picomatch.isMatch(file, glob, { dot: true }) || (!picomatch.scan(glob).isGlob && file.startsWith(`${glob}/`))
  )
}

/** A later severity keeps the options that were set before, and the reverse. */
function merged(before: RuleSetting | undefined, setting: RuleSetting): RuleSetting {
  if (before === undefined) return setting
  const asObject = (value: RuleSetting): object => (typeof value === 'string' ? { severity: value } : value)
  return { ...asObject(before), ...asObject(setting) }
}

function budgetSettings({
  toolTokens,
  profileTokens,
  tools,
  descriptionCharacters
}: NonNullable<Config['budgets']> = {}): [string, RuleSetting][] {
  const given = (options: Record<string, number | undefined>): Record<string, number> =>
    Object.fromEntries(Object.entries(options).filter((entry): entry is [string, number] => entry[1] !== undefined))
  return [
    ['x-agent-token-budget', given({ tool: toolTokens, profile: profileTokens })],
    ['x-agent-too-many-tools', given({ max: tools })],
    ['x-agent-description-too-long', given({ max: descriptionCharacters })]
  ].filter((entry): entry is [string, Record<string, number>] => Object.keys(entry[1] as object).length > 0)
}

function setsOf(profiles: ProfileChoice | undefined): string[][] {
  if (!profiles || profiles.length === 0) return []
  return Array.isArray(profiles[0]) ? (profiles as string[][]) : [profiles as string[]]
}
