export * from '../api.js'
export { nodeHost, uriOf } from './host.js'
import { loadWith, type LoadOptions } from '../load.js'
import { createSession as createPlainSession, type Session, type SessionOptions } from '../session.js'
import type { Host } from '../source/host.js'
import type { ToolSet } from '../tools/types.js'
import { nodeHost, uriOf } from './host.js'

/** Loads an annotated document from a file path, a URL or a parsed document. See LoadOptions. */
export function load(source: string | URL | object, options: LoadOptions = {}): Promise<ToolSet> {
  return loadWith(source, options, { host: nodeHost(), uriOf })
}

/** A session on Node: paths and the root folder are taken relative to the current folder. */
export function createSession(host: Host, options: SessionOptions = {}): Session {
  const { root, ...rest } = options
  return createPlainSession(host, { uriOf, ...rest, ...(root !== undefined && { root: uriOf(root) }) })
}
