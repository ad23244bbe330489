export * from './api.js'
import { loadWith, type LoadOptions } from './load.js'
import type { ToolSet } from './tools/types.js'
import type { Host } from './source/host.js'

const webHost: Host = {
  readFile: (uri) => Promise.reject(new Error(`there is no file system to read ${uri} from; give \`host\``)),
  fetch: (...args) => globalThis.fetch(...args)
}

/** `load` where there is no file system: documents come by address or as objects. See LoadOptions. */
export function load(source: string | URL | object, options: LoadOptions = {}): Promise<ToolSet> {
  return loadWith(source, options, { host: webHost })
}
