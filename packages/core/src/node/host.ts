import { readFile, realpath } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
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

/** The URI of what a user names: an address, a `file:` URL, or a path relative to the current folder. */
export function uriOf(source: string): string {
  return /^(https?|file):/i.test(source) ? new URL(source).href : pathToFileURL(source).href
}
