import { parseDocument } from '@openapi-mcp/core'
import type { ConfigHost, LoadedConfig } from '../config/load.js'
import { uriFrom } from '../config/paths.js'
import { SuppressionList } from './lists.js'

/** The files that hold findings back, as URIs. */
export interface ListFiles {
  ignoreFile?: string | undefined
  baseline?: string | undefined
}

/** The files that a configuration names. */
export function listFilesOf({ config, folder }: Pick<LoadedConfig, 'config' | 'folder'>): ListFiles {
  const uriOf = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : uriFrom(folder, path)
  return { ignoreFile: uriOf(config.ignoreFile), baseline: uriOf(config.baseline) }
}

/** Reads them. A baseline that is not written yet is none; an ignore file has to be there. Throws a UsageError where one cannot be read. */
export async function loadLists({ ignoreFile, baseline }: ListFiles, host: ConfigHost): Promise<SuppressionList[]> {
  const files = new Files(host)
  const lists: SuppressionList[] = []
  if (ignoreFile !== undefined) lists.push(await load(ignoreFile, 'ignore file', files))
  if (baseline !== undefined && (await files.has(baseline))) lists.push(await load(baseline, 'baseline', files))
  return lists
}

async function load(uri: string, kind: 'ignore file' | 'baseline', files: Files): Promise<SuppressionList> {
  const list = new SuppressionList(await parseDocument(uri, await files.host.readText(uri)), kind)
  for (const name of list.files.keys()) {
    const document = uriFrom(uri, name)
    if (document.startsWith('file:') && !(await files.has(document))) list.setMissing(name)
  }
  return list
}

/** What exists, each folder read once. */
class Files {
  readonly host: ConfigHost
  readonly #folders = new Map<string, Promise<ReadonlySet<string>>>()

  constructor(host: ConfigHost) {
    this.host = host
  }

  async has(uri: string): Promise<boolean> {
    const folder = new URL('.', uri).href
    let names = this.#folders.get(folder)
    if (!names) this.#folders.set(folder, (names = this.host.list(folder).then((list) => new Set(list))))
    return (await names).has(decodeURIComponent(new URL(uri).pathname.slice(new URL(folder).pathname.length)))
  }
}
