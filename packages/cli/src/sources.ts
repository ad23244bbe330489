import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError, type SessionOptions } from '@openapi-mcp/core'
import type { DocumentOptions } from './cli.js'
import type { Io } from './io.js'

/** What a user names: an address as it is, a path from the current folder. */
export function sourceIn(cwd: string, source: string): string {
  return /^([a-z][a-z0-9+.-]*:\/\/|file:)/i.test(source) ? source : resolve(cwd, source)
}

/** The path of a `file:` address. Undefined for other addresses, and for those that no path can have, such as with `%2F`. */
export function localPath(uri: string): string | undefined {
  if (!/^file:/i.test(uri)) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

export function sessionOptions({ allowRemoteRefs, root }: DocumentOptions, { cwd }: Io): SessionOptions {
  return { allowRemoteRefs, ...(root !== undefined && { root: resolve(cwd, root) }) }
}

const DEFAULT_NAMES = ['openapi.yaml', 'openapi.yml', 'openapi.json']

/** The document of the current folder, for commands that may be called without one. Says which one it is. */
export async function defaultDocument(io: Io): Promise<string> {
  for (const name of DEFAULT_NAMES) {
    const path = resolve(io.cwd, name)
    const isFile = await stat(path).then(
      (stats) => stats.isFile(),
      () => false
    )
    if (!isFile) continue
    io.stderr(`openapi-mcp: showing ${name}\n`)
    return path
  }
  throw new UsageError(
    `name a document; there is no ${DEFAULT_NAMES.slice(0, -1).join(', ')} or ${DEFAULT_NAMES.at(-1)} in this folder`
  )
}
