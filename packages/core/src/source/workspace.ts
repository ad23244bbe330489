import { displayUri, toPointer, UsageError, type Diagnostic, type JsonPath } from '../diagnostics.js'
import { parseDocument, SourceDocument } from './document.js'
import type { Host } from './host.js'
import { decodeText, stripMarks } from './text.js'

/** A value together with the place where it is written. */
export interface Node<T = unknown> {
  document: SourceDocument
  path: JsonPath
  value: T
}

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export function isObjectNode(node: Node | undefined): node is Node<JsonObject> {
  return node !== undefined && isObject(node.value)
}

/** The child of a node, or undefined where it has none of that name. */
export function child(node: Node, name: string | number): Node | undefined {
  const container = node.value
  if (container === null || typeof container !== 'object' || !Object.hasOwn(container, name)) return undefined
  return { document: node.document, path: [...node.path, name], value: (container as JsonObject)[name] }
}

/** The member nodes of an object node; none where the value is no object. */
export function members(node: Node | undefined): [string, Node][] {
  if (!isObjectNode(node)) return []
  return Object.keys(node.value).map((name) => [name, child(node, name)!])
}

/** The element nodes of an array node; none where the value is no array. */
export function elements(node: Node | undefined): Node[] {
  if (!node || !Array.isArray(node.value)) return []
  // Array.from, since an array that a caller passes in may have holes
  return Array.from(node.value as unknown[], (value, i) => ({
    document: node.document,
    path: [...node.path, i],
    value
  }))
}

/** What stops a reference from being followed. */
export interface ReferenceProblem {
  rule: 'unresolved-ref' | 'forbidden-ref' | 'circular-ref'
  message: string
}

/** What a layer finds wrong at a node on its way. */
export type ProblemReport = (
  node: Node,
  problem: ReferenceProblem | { rule: 'openapi-pattern' | 'openapi-parameter'; message: string }
) => void

export type Resolved = { node: Node } | { problem: ReferenceProblem } | { pending: true }

export interface WorkspaceOptions {
  /** Local files at or below this URI may be referenced. Default: the folder of the document that is loaded. */
  root?: string | undefined
  /** Follow references out of the root and to other origins. */
  allowRemoteRefs?: boolean | undefined
}

/** Longest wait for a document from the web, in milliseconds. */
const DOWNLOAD_TIMEOUT = 30_000

/**
 * The documents of a session: read once, kept until they are forgotten, with unsaved editor text in front of the disk.
 *
 * Following a reference is synchronous. One that leads to a document which is not read yet is noted in `wanted`;
 * `settle` reads what was wanted and does the work again, until nothing is missing. So every layer above stays free of
 * waiting, and only what an annotation leads to is ever read.
 */
export class Workspace {
  readonly host: Host
  readonly #options: WorkspaceOptions
  readonly #documents = new Map<string, SourceDocument>()
  #downloads = new Map<string, Download>()
  readonly #failures = new Map<string, string>()
  #buffers = new Map<string, { text: string; version: number }>()
  /** Addresses that the work under way asked for: those still to read, and all of them. */
  #wanted = new Set<string>()
  #touched = new Set<string>()
  /** The document that the work under way is about: its folder bounds what may be read. */
  #main = ''
  /** How often documents changed, of all and of single ones, so that a slow read does not undo a change. */
  #generation = 0
  readonly #generations = new Map<string, number>()

  constructor(host: Host, options: WorkspaceOptions = {}) {
    this.host = host
    this.#options = options
  }

  /** Reads a document. Throws a UsageError where it cannot be read. */
  async open(uri: string): Promise<SourceDocument> {
    for (;;) {
      const known = this.#documents.get(uri)
      if (known) return known
      const generation = this.#generationOf(uri)
      const document = await this.#read(uri)
      // An editor may have opened it while the disk was read: what is read then is out of date.
      if (generation !== this.#generationOf(uri)) continue
      this.#documents.set(uri, document)
      return document
    }
  }

  add(document: SourceDocument): void {
    this.#age(document.uri)
    this.#documents.set(document.uri, document)
  }

  get(uri: string): SourceDocument | undefined {
    return this.#documents.get(uri)
  }

  /** Text of an open editor buffer; it wins over the disk until it is closed. */
  setBuffer(uri: string, text: string, version: number): void {
    this.#buffers.set(uri, { text, version })
    this.forget(uri)
  }

  closeBuffer(uri: string): void {
    if (this.#buffers.delete(uri)) this.forget(uri)
  }

  /** The next use of the document, or of any document, reads it again. */
  forget(uri?: string): void {
    this.#age(uri)
    if (uri === undefined) {
      this.#documents.clear()
      this.#failures.clear()
    } else {
      this.#documents.delete(uri)
      this.#failures.delete(uri)
    }
  }

  #generationOf(uri: string): string {
    return `${this.#generation} ${this.#generations.get(uri) ?? 0}`
  }

  #age(uri: string | undefined): void {
    if (uri === undefined) this.#generation++
    else this.#generations.set(uri, (this.#generations.get(uri) ?? 0) + 1)
  }

  /** A workspace that reads everything anew, the web conditionally on what this one has. What this one holds stays as it is. */
  renewed(): Workspace {
    const workspace = new Workspace(this.host, this.#options)
    workspace.#downloads = this.#downloads
    workspace.#buffers = this.#buffers
    return workspace
  }

  /** Does `work`, reading the documents it turns out to need, until it needs no more. Gives the addresses it used, too. */
  async settle<T>(main: SourceDocument, work: () => T): Promise<{ result: T; documents: string[] }> {
    const touched = new Set([main.uri])
    for (;;) {
      // The work is synchronous, so nobody else's can get between these lines and its end.
      const wanted = new Set<string>()
      this.#wanted = wanted
      this.#touched = touched
      this.#main = main.uri
      const result = work()
      if (wanted.size === 0) return { result, documents: [...touched] }
      await Promise.all([...wanted].map((uri) => this.#fetchWanted(uri, main.uri)))
    }
  }

  /** The address of a link, where it has one: for those who watch what a document is made from. */
  linkedUri(base: string, address: string | undefined): string | undefined {
    if (address === undefined || !URL.canParse(address, base)) return undefined
    return new URL(address, base).href
  }

  /** The text that a document links to, under the same limits as its references. Never rejects. */
  async readLinked(base: string, address: string): Promise<{ text?: string; error?: string }> {
    let uri: string
    try {
      uri = new URL(address, base).href
    } catch {
      return { error: `${quote(address)} cannot be resolved: the document has no address to start from` }
    }
    const barrier = this.barrier(base, uri)
    if (barrier) return { error: `${displayUri(uri)} is not read: ${barrier}` }
    try {
      if (!isWeb(schemeOf(uri))) {
        await this.#checkLinks(uri, base)
        return { text: await this.#fileText(uri) }
      }
      const answer = await this.#download(uri, TEXT_TYPES, { from: base })
      return answer === 'unchanged' ? {} : { text: textOf(uri, answer.bytes) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  /**
   * The node that a reference names, following references on the way and at the end. `base` is the document in which the
   * reference is written.
   */
  resolve(base: SourceDocument, reference: string): Resolved {
    const seen = new Set<string>()
    const resolved = this.#resolve(base, reference, seen)
    return 'node' in resolved ? this.#follow(resolved.node, seen) : resolved
  }

  /** Follows `$ref` from a node as long as there is one. A node without reference is its own answer. */
  follow(node: Node): Resolved {
    return this.#follow(node, new Set())
  }

  /**
   * The way from a node along its `$ref`s, the node itself first: what stands beside a reference in the middle holds, too. `end` is as
   * `follow` gives it.
   */
  chain(node: Node): { nodes: Node[]; end: Resolved } {
    const nodes: Node[] = []
    return { end: this.#follow(node, new Set(), nodes), nodes }
  }

  #follow(node: Node, seen: Set<string>, passed: Node[] = []): Resolved {
    let current = node
    passed.push(current)
    while (isObject(current.value) && typeof current.value['$ref'] === 'string') {
      const resolved = this.#resolve(current.document, current.value['$ref'], seen)
      if (!('node' in resolved)) return resolved
      current = resolved.node
      passed.push(current)
    }
    return { node: current }
  }

  #resolve(base: SourceDocument, reference: string, seen: Set<string>): Resolved {
    const key = `${base.uri} ${reference}`
    if (seen.has(key)) {
      return { problem: { rule: 'circular-ref', message: `the reference ${quote(reference)} leads back to itself` } }
    }
    seen.add(key)
    const hash = reference.indexOf('#')
    const address = hash < 0 ? reference : reference.slice(0, hash)
    const fragment = hash < 0 ? '' : reference.slice(hash + 1)
    let document: SourceDocument = base
    if (address !== '') {
      const opened = this.#reach(base, address, reference)
      if (!(opened instanceof SourceDocument)) return opened
      document = opened
    }
    return this.#walk(document, fragment, reference, seen)
  }

  #reach(base: SourceDocument, address: string, reference: string): SourceDocument | Exclude<Resolved, { node: Node }> {
    let uri: string
    try {
      uri = new URL(address, base.uri).href
    } catch {
      return {
        problem: {
          rule: 'unresolved-ref',
          message: `${quote(reference)} cannot be resolved: the document has no address to start from`
        }
      }
    }
    const barrier = this.barrier(base.uri, uri, this.#main)
    if (barrier)
      return { problem: { rule: 'forbidden-ref', message: `${quote(reference)} is not followed: ${barrier}` } }
    this.#touched.add(uri)
    const document = this.#documents.get(uri)
    if (document) return document
    const failure = this.#failures.get(uri)
    if (failure)
      return { problem: { rule: 'unresolved-ref', message: `${quote(reference)} cannot be read: ${failure}` } }
    this.#wanted.add(uri)
    return { pending: true }
  }

  #walk(document: SourceDocument, fragment: string, reference: string, seen: Set<string>): Resolved {
    const missing = (what: string): Resolved => ({
      problem: { rule: 'unresolved-ref', message: `${quote(reference)} leads nowhere: ${what}` }
    })
    if (fragment === '') return { node: { document, path: [], value: document.value } }
    if (!fragment.startsWith('/')) {
      const anchored = findAnchor(document, decodeFragment(fragment))
      return anchored
        ? { node: anchored }
        : missing(`there is no $anchor ${quote(fragment)} in ${displayUri(document.uri)}`)
    }
    let node: Node = { document, path: [], value: document.value }
    for (const raw of fragment.slice(1).split('/')) {
      const segment = decodeFragment(raw).replaceAll('~1', '/').replaceAll('~0', '~')
      let next = this.#step(node, segment)
      if (!next && isObject(node.value) && typeof node.value['$ref'] === 'string') {
        const through = this.#follow(node, new Set(seen))
        if (!('node' in through)) return through
        next = this.#step(through.node, segment)
      }
      if (!next) {
        const where = toPointer(node.path)
        return missing(
          `there is no ${quote(segment)} ${where === '' ? 'at the root' : `at ${where}`} of ${displayUri(node.document.uri)}`
        )
      }
      node = next
    }
    return { node }
  }

  #step(node: Node, segment: string): Node | undefined {
    if (Array.isArray(node.value)) return /^(0|[1-9]\d*)$/.test(segment) ? child(node, Number(segment)) : undefined
    return child(node, segment)
  }

  /**
   * References are a trust boundary: why `base` may not lead to `target`, or undefined where it may. The folder of `main`, the document that is
   * loaded, bounds what files may be read.
   */
  barrier(base: string, target: string, main = base): string | undefined {
    const from = schemeOf(base)
    const to = schemeOf(target)
    if (isWeb(to)) {
      if (isWeb(from) && new URL(base).origin === new URL(target).origin) return undefined
      return this.#options.allowRemoteRefs ? undefined : 'it leads to another origin (--allow-remote-refs allows that)'
    }
    if (isWeb(from)) return 'a document from the web may not read local files'
    if (from === INLINE) return 'a document given as an object has no folder to read files from; give `documentUrl`'
    if (this.#options.allowRemoteRefs) return undefined
    const root = this.#rootOf(main)
    return target.startsWith(root) ? undefined : `it leaves the root folder ${displayUri(root)} (--root widens it)`
  }

  /** The folder that a local document and all that it references may read from: the configured root, else its own folder. */
  #rootOf(main: string): string {
    return this.#options.root === undefined ? new URL('.', main).href : withSlash(this.#options.root)
  }

  async #fetchWanted(uri: string, main: string): Promise<void> {
    const generation = this.#generationOf(uri)
    try {
      if (!isWeb(schemeOf(uri))) await this.#checkLinks(uri, main)
      const document = await this.#read(uri, main)
      if (generation === this.#generationOf(uri)) this.#documents.set(uri, document)
    } catch (error) {
      if (generation !== this.#generationOf(uri)) return
      this.#failures.set(uri, error instanceof UsageError ? error.message : reasonOf(error))
    }
  }

  /** Symbolic links are followed before a file counts as one below the root. Throws a UsageError where it is none. */
  async #checkLinks(uri: string, main: string): Promise<void> {
    if (!this.host.realUri || this.#options.allowRemoteRefs) return
    const root = await this.host.realUri(this.#rootOf(main))
    const real = await this.host.realUri(uri)
    if (!real.startsWith(withSlash(root)))
      throw new UsageError('a symbolic link leads out of the root folder (--root widens it)')
  }

  /** `main` is the document that leads here, where it is not this one itself. */
  async #read(uri: string, main?: string): Promise<SourceDocument> {
    const buffer = this.#buffers.get(uri)
    if (buffer) return parseDocument(uri, stripMarks(buffer.text), buffer.version)
    if (!isWeb(schemeOf(uri))) return parseDocument(uri, await this.#fileText(uri))
    const known = this.#downloads.get(uri)
    const answer = await this.#download(uri, DOCUMENT_TYPES, { known, from: main })
    // Unchanged on the server: the same document, so that nothing that was made from it is made again.
    if (answer === 'unchanged') return known!.document
    const document = await parseDocument(uri, textOf(uri, answer.bytes))
    this.#downloads.set(uri, { etag: answer.etag, modified: answer.modified, document })
    return document
  }

  /** A method of its own, so that nothing holds the bytes any more when the text is parsed. */
  async #fileText(uri: string): Promise<string> {
    return textOf(uri, await this.#readFile(uri))
  }

  async #readFile(uri: string): Promise<Uint8Array | string> {
    try {
      return await this.host.readFile(uri)
    } catch (error) {
      throw new UsageError(`${displayUri(uri)} cannot be read: ${reasonOf(error)}`)
    }
  }

  async #download(
    uri: string,
    accept: string,
    { known, from }: { known?: Download | undefined; from?: string | undefined }
  ): Promise<'unchanged' | Downloaded> {
    const headers: Record<string, string> = { accept }
    if (known?.etag) headers['if-none-match'] = known.etag
    if (known?.modified) headers['if-modified-since'] = known.modified
    try {
      const response = await this.#request(uri, headers, from)
      if (response.status === 304 && known) return 'unchanged'
      if (!response.ok) throw new UsageError(`${displayUri(uri)} cannot be read: HTTP ${response.status}`)
      const bytes = await bytesOf(response, uri)
      return { bytes, etag: response.headers.get('etag'), modified: response.headers.get('last-modified') }
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw new UsageError(`${displayUri(uri)} cannot be read: ${reasonOf(error)}`)
    }
  }

  /** What a user named may lead anywhere. What a document leads to may not lead out of where the document may lead. */
  async #request(uri: string, headers: Record<string, string>, from: string | undefined): Promise<Response> {
    const download = this.host.fetch
    if (!download) throw new UsageError(`${displayUri(uri)} cannot be read: there is no fetch`)
    const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT)
    if (from === undefined) return download(uri, { headers, signal })
    let address = uri
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await download(address, { headers, signal, redirect: 'manual' })
      const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
      if (response.type === 'opaqueredirect') throw new UsageError(`${displayUri(uri)} cannot be read: it redirects`)
      if (location === null) return response
      await response.body?.cancel()
      const next = new URL(location, address).href
      const barrier = isWeb(schemeOf(next)) ? this.barrier(from, next) : 'it is no web address'
      if (barrier)
        throw new UsageError(`${displayUri(uri)} cannot be read: it redirects to ${displayUri(next)}, and ${barrier}`)
      address = next
    }
    throw new UsageError(`${displayUri(uri)} cannot be read: it redirects too often`)
  }
}

const REDIRECTS = [301, 302, 303, 307, 308]
const MOST_REDIRECTS = 10

/** Largest document that is taken from the web, in bytes. */
const LARGEST_DOWNLOAD = 100 * 1024 * 1024

async function bytesOf(response: Response, uri: string): Promise<Uint8Array> {
  const tooLarge = (): UsageError =>
    new UsageError(`${displayUri(uri)} is not read: it is larger than ${LARGEST_DOWNLOAD / 1024 / 1024} MiB`)
  if (Number(response.headers.get('content-length') ?? 0) > LARGEST_DOWNLOAD) throw tooLarge()
  if (!response.body) return new Uint8Array(await response.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.byteLength
    if (size <= LARGEST_DOWNLOAD) continue
    await reader.cancel()
    throw tooLarge()
  }
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Scheme of documents that were given as objects and have no address. */
const INLINE = 'inline:'

/** What is remembered of a document from the web, to ask for it again only if it has changed. */
interface Download {
  etag: string | null
  modified: string | null
  document: SourceDocument
}

interface Downloaded {
  bytes: Uint8Array
  etag: string | null
  modified: string | null
}

const DOCUMENT_TYPES = 'application/yaml, application/json;q=0.9, */*;q=0.5'
const TEXT_TYPES = 'text/markdown, text/plain;q=0.9, */*;q=0.5'

function textOf(uri: string, content: Uint8Array | string): string {
  try {
    return typeof content === 'string' ? stripMarks(content) : decodeText(content)
  } catch {
    throw new UsageError(`${displayUri(uri)} is not text in UTF-8`)
  }
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: string } | undefined)?.code
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'EACCES') return 'access is denied'
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause.message : undefined
  const reason = cause && cause !== error.message ? `${error.message} (${cause})` : error.message
  // fetch repeats an address with the password in it.
  return reason.replace(/(\/\/)[^/?#@\s]*@/g, '$1')
}

function quote(text: string): string {
  return JSON.stringify(text)
}

function schemeOf(uri: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase() ?? ''
}

function isWeb(scheme: string): boolean {
  return scheme === 'http:' || scheme === 'https:'
}

function withSlash(uri: string): string {
  return uri.endsWith('/') ? uri : `${uri}/`
}

/** A percent-encoded fragment part; a stray percent sign stands for itself. */
function decodeFragment(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/(%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run)
      } catch {
        return run
      }
    })
  }
}

/** The schema that carries `$anchor` or `$dynamicAnchor`, in a walk over the document. */
function findAnchor(document: SourceDocument, name: string): Node | undefined {
  const seen = new Set<object>()
  const open: Node[] = [{ document, path: [], value: document.value }]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.value === null || typeof node.value !== 'object' || seen.has(node.value)) continue
    seen.add(node.value)
    if (isObject(node.value) && (node.value['$anchor'] === name || node.value['$dynamicAnchor'] === name)) return node
    const inner = Array.isArray(node.value) ? elements(node) : members(node).map(([, n]) => n)
    open.push(...inner.reverse())
  }
  return undefined
}

/** A finding at a node. */
export function at(node: Node, finding: Omit<Diagnostic, 'uri' | 'path'>): Diagnostic {
  return { ...finding, uri: node.document.uri, path: node.path }
}
