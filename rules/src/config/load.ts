import {
  didYouMean,
  displayUri,
  isObject,
  parseDocument,
  SourceDocument,
  UsageError,
  type Diagnostic
} from '@openapi-mcp/core'
import { CONFIG_FILES, PACKAGE_KEY, type Config } from './types.js'

/** What finding a configuration needs from outside. URIs of folders end in a slash. */
export interface ConfigHost {
  /** Names of the files in a folder; none where it cannot be read. */
  list(folder: string): Promise<readonly string[]>
  readText(uri: string): Promise<string>
  /** Runs a file of code and gives its exports. Absent where no code is to be run. */
  importModule?(uri: string): Promise<Record<string, unknown>>
}

export interface LoadedConfig {
  config: Config
  /** The file; undefined where there is none. */
  document: SourceDocument | undefined
  /** Folder of the configuration, as a URI with a slash at its end: what it names is relative to that. */
  folder: string
  diagnostics: Diagnostic[]
}

/**
 * The nearest configuration at or above a folder, up to the root of the file system; an empty one where there is none. Throws a UsageError where
 * it cannot be read.
 */
export async function findConfig(folder: string, host: ConfigHost): Promise<LoadedConfig> {
  const misnamed: Diagnostic[] = []
  for (let at = folder; ;) {
    const names = await host.list(at)
    const name = CONFIG_FILES.find((candidate) => names.includes(candidate))
    if (name !== undefined) return withFindings(await loadConfig(new URL(name, at).href, host), misnamed)
    if (names.includes('package.json')) {
      const loaded = await loadConfig(new URL('package.json', at).href, host)
      if (loaded.document) return withFindings(loaded, misnamed)
    }
    misnamed.push(...names.flatMap((candidate) => misnamedFinding(candidate, at)))
    const parent = new URL('..', at).href
    if (parent === at) return { config: {}, document: undefined, folder, diagnostics: misnamed }
    at = parent
  }
}

function withFindings(loaded: LoadedConfig, more: Diagnostic[]): LoadedConfig {
  return { ...loaded, diagnostics: [...more, ...loaded.diagnostics] }
}

/** The finding about a file whose name is nearly that of a configuration, such as `openapi_mcp.yaml`. */
function misnamedFinding(name: string, folder: string): Diagnostic[] {
  if (!/^\.?openapi[-_. ]?mcp(([-_.]?(config|rc))?\.(ya?ml|json|[cm]?[jt]s)|rc)$/i.test(name)) return []
  const meant = CONFIG_FILES.find((file) => name.endsWith(file.slice(file.indexOf('.')))) ?? CONFIG_FILES[0]
  const message = `a configuration is not called ${JSON.stringify(name)}, so it is not read${didYouMean(meant)}`
  const uri = new URL(encodeURIComponent(name), folder).href
  return [{ rule: 'config-misnamed', severity: 'warning', message, uri, path: [] }]
}

/** The configuration of a file. Throws a UsageError where it cannot be read. */
export async function loadConfig(uri: string, host: ConfigHost): Promise<LoadedConfig> {
  const folder = new URL('.', uri).href
  const isPackage = /\/package\.json$/.test(uri)
  const document = /\.[cm]?[jt]s$/.test(uri)
    ? new SourceDocument(uri, { value: await valueOfCode(uri, host) })
    : await parseDocument(uri, await host.readText(uri))
  if (isPackage && !holdsConfig(document)) return { config: {}, document: undefined, folder, diagnostics: [] }
  // The definition takes time to build, and most folders have no configuration.
  const { readConfig } = await import('./config.js')
  return { document, folder, ...readConfig(document, isPackage ? PACKAGE_KEY : undefined) }
}

/** Of a package.json that cannot be parsed nobody knows: where it seems to hold a configuration, that is better said than left out. */
function holdsConfig({ value, diagnostics, text = '' }: SourceDocument): boolean {
  if (diagnostics.length > 0) return text.includes(JSON.stringify(PACKAGE_KEY))
  return isObject(value) && PACKAGE_KEY in value
}

async function valueOfCode(uri: string, { importModule }: ConfigHost): Promise<unknown> {
  const file = displayUri(uri)
  if (!importModule) throw new UsageError(`${file} is code, which is not run here`)
  try {
    const { default: exported } = await importModule(uri)
    const value: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported
    if (value === undefined)
      throw new UsageError(exported === undefined ? `${file} has no default export` : `${file} gives no configuration`)
    return plain(value)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be run: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What code gives as the data that a file would hold: fields without a value are left out. Throws where it is no data. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, field: unknown) => {
    if (typeof field === 'function' || typeof field === 'symbol')
      throw new TypeError(`the field ${JSON.stringify(key)} is a ${typeof field}, not data`)
    return field
  })
  return JSON.parse(text) as unknown
}
