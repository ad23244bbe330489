import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '@openapi-mcp/core'
import { findConfig, loadConfig, type LoadedConfig } from '@openapi-mcp/rules'
import { nodeConfigHost } from '@openapi-mcp/rules/config/node'

/** The configuration that a command goes by: the named file, else the nearest one upwards. */
export async function configurationOf(named: string | false | undefined, cwd: string): Promise<LoadedConfig> {
  const folder = pathToFileURL(`${cwd}${path.sep}`).href
  if (named === false) return { config: {}, document: undefined, folder, diagnostics: [] }
  if (named === undefined) return findConfig(folder, nodeConfigHost)
  const loaded = await loadConfig(pathToFileURL(path.resolve(cwd, named)).href, nodeConfigHost)
  if (!loaded.document) throw new UsageError(`${named} has no configuration: there is no key openapi-mcp in it`)
  return loaded
}
