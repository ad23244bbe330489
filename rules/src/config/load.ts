import { parseDocument, SourceDocument, UsageError, type Diagnostic } from '@openapi-mcp/core'
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

/** The nearest configuration at or above a folder; an empty one where there is none. Throws a UsageError where it cannot be read. */
export async function findConfig(folder: string, host: ConfigHost): Promise<LoadedConfig> {
  for (let at = folder; ;) {
    const names = await host.list(at)
    const name = CONFIG_FILES.find((candidate) => names.includes(candidate))
    if (name !== undefined) return loadConfig(new URL(name, at).href, host)
    if (names.includes('package.json')) {
      const loaded = await loadConfig(new URL('package.json', at).href, host)
      if (loaded.document) return loaded
    }
    const parent = new URL('..', at).href
    if (parent === at) return { config: {}, document: undefined, folder, diagnostics: [] }
    at = parent
  }
}

/** The configuration of a file. Throws a UsageError where it cannot be read. */
export async function loadConfig(uri: string, host: ConfigHost): Promise<LoadedConfig> {
  const folder = new URL('.', uri).href
  // The definition takes time to build, and most folders have no configuration.
  const { readConfig } = await import('./config.js')
  if (/\.[cm]?[jt]s$/.test(uri)) {
    if (!host.importModule) throw new UsageError(`${uri} is code, which is not run here`)
    const { default: exported } = await host.importModule(uri)
    const value: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported
    if (value === undefined) throw new UsageError(`${uri} has no default export`)
    const document = new SourceDocument(uri, { value })
    return { document, folder, ...readConfig(document) }
  }
  const document = await parseDocument(uri, await host.readText(uri))
  const isPackage = /\/package\.json$/.test(uri)
  const holds =
    isPackage && document.value !== null && typeof document.value === 'object' && PACKAGE_KEY in document.value
  if (isPackage && !holds) return { config: {}, document: undefined, folder, diagnostics: [] }
  return { document, folder, ...readConfig(document, isPackage ? PACKAGE_KEY : undefined) }
}
