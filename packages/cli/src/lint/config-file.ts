import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { decodeText, UsageError } from '@openapi-mcp/core'
import { findConfig, loadConfig, type ConfigHost, type LoadedConfig } from '@openapi-mcp/rules'

/** The configuration that a command goes by: the named file, else the nearest one upwards. */
export async function configurationOf(named: string | false | undefined, cwd: string): Promise<LoadedConfig> {
  const folder = folderUri(cwd)
  if (named === false) return { config: {}, document: undefined, folder, diagnostics: [] }
  if (named === undefined) return findConfig(folder, nodeConfigHost)
  return loadConfig(pathToFileURL(path.resolve(cwd, named)).href, nodeConfigHost)
}

export function folderUri(folder: string): string {
  return pathToFileURL(`${folder}${path.sep}`).href
}

/** A file as a configuration names it: its path from a folder, with slashes. Undefined for what is not below a file system. */
export function pathFrom(folder: string, uri: string): string | undefined {
  if (!uri.startsWith('file:')) return uri
  return path.relative(fileURLToPath(folder), fileURLToPath(uri)).replaceAll('\\', '/')
}

const nodeConfigHost: ConfigHost = {
  list: (folder) => readdir(fileURLToPath(folder)).catch(() => []),
  readText: async (uri) => {
    const file = fileURLToPath(uri)
    try {
      return decodeText(await readFile(file))
    } catch (error) {
      throw new UsageError(`${file} cannot be read: ${reasonOf(error)}`)
    }
  },
  importModule: async (uri) => {
    try {
      if (/\.[cm]?js$/.test(uri)) return (await import(uri)) as Record<string, unknown>
      const { createJiti } = await import('jiti')
      return await createJiti(uri).import<Record<string, unknown>>(fileURLToPath(uri))
    } catch (error) {
      throw new UsageError(
        `${fileURLToPath(uri)} cannot be run: ${error instanceof Error ? error.message : String(error)}`
      )
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code === 'ENOENT' ? 'there is no such file' : message
}
