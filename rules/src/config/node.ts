import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { decodeText, UsageError } from '@openapi-mcp/core'
import type { ConfigHost } from './load.js'

/** Configurations from the file system. Those that are code are run: leave `importModule` out for folders that nobody trusts. */
export const nodeConfigHost: ConfigHost = {
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
    if (/\.[cm]?js$/.test(uri)) return (await import(uri)) as Record<string, unknown>
    const { createJiti } = await import('jiti')
    return createJiti(uri, { fsCache: false }).import<Record<string, unknown>>(fileURLToPath(uri))
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code === 'ENOENT' ? 'there is no such file' : message
}
