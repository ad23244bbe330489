import { readFile, realpath } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../diagnostics.js'
import type { Host } from '../source/host.js'

/** The host on Node: the file system and the global fetch. */
export function nodeHost(overrides: Partial<Host> = {}): Host {
  return {
    readFile: (uri) => readFile(fileURLToPath(uri)),
    realUri: async (uri) => pathToFileURL(await realpath(fileURLToPath(uri))).href,
    fetch: (...args) => globalThis.fetch(...args),
    log: (level, message) => void (level === 'debug' || process.stderr.write(`${message}\n`)),
    ...overrides
  }
}

/** The URI of what a user names: an address, a `file:` URL, or a path relative to the current folder. Throws a UsageError for anything else. */
export function uriOf(source: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined && !/^file:/i.test(source)) return pathToFileURL(source).href
  if (scheme !== undefined && !['http', 'https', 'file'].includes(scheme)) {
    throw new UsageError(`${source} cannot be read: only http, https and file addresses are`)
  }
  if (!URL.canParse(source)) throw new UsageError(`${source} is no address`)
  return new URL(source).href
}
