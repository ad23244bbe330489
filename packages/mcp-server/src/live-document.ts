import {
  displayUri,
  UsageError,
  type Diagnostic,
  type DocumentInfo,
  type Session,
  type ToolSet,
  type ToolSetOptions
} from '@openapi-mcp/core'

/** A document that is served. */
export interface Service {
  /** Stands in the addresses of its skills where several documents are served. */
  id: string
  /** Address of the document. */
  uri: string
  session: Session
}

/** The tools of a document for some profiles, and what they were made from. */
interface MadeSet {
  profiles: string[] | undefined
  toolSet: ToolSet
  documents: string[]
}

/** What a read gave that went well. Sets for any profiles can be made from it, whatever became of the document since. */
interface Good {
  session: Session
  info: DocumentInfo
  sets: Map<string, Promise<MadeSet>>
  /** Those of the sets that are there. */
  made: Map<string, MadeSet>
}

/** One document that is read again and again: what the last good read gave is served until there is a better one. */
export class LiveDocument {
  readonly id: string
  readonly uri: string
  readonly #isPart: boolean
  readonly #options: ToolSetOptions
  #session: Session
  #good: Good | undefined
  #touched: string[]
  #failure: { error: unknown } | undefined
  #reading: Promise<void> | undefined
  #again = false

  /** `isPart`: other documents are served beside it, so that it gives what it has for the profiles of a request. */
  constructor({ id, uri, session }: Service, options: ToolSetOptions, isPart: boolean) {
    this.id = id
    this.uri = uri
    this.#session = session
    this.#isPart = isPart
    this.#options = { ...options, ...(isPart && { serviceId: id }) }
    this.#touched = [uri]
  }

  /** Of the last good read; undefined where there was none yet. */
  get info(): DocumentInfo | undefined {
    return this.#good?.info
  }

  get title(): string {
    return this.#good?.info.title ?? displayUri(this.uri)
  }

  /** Why the last read failed, where it did. */
  get failure(): { error: unknown } | undefined {
    return this.#failure
  }

  /** Addresses whose change may change its tools, or may mend it. */
  get documents(): string[] {
    const made = [...(this.#good?.made.values() ?? [])]
    return [...new Set([...this.#touched, ...made.flatMap((set) => set.documents)])]
  }

  /** Findings that did not refuse its sets. */
  get diagnostics(): Diagnostic[] {
    return [...(this.#good?.made.values() ?? [])].flatMap((set) => set.toolSet.diagnostics)
  }

  /** Reads the document again; who calls during a read waits for one that begins now. Never rejects: see `failure`. */
  read(): Promise<void> {
    this.#again = this.#reading !== undefined
    this.#reading ??= this.#readUntilCurrent().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** Its tools for the profiles of a request. Undefined where it was never read, or has none of the profiles. */
  async toolSet(requested: string[] | undefined): Promise<ToolSet | undefined> {
    const set = this.#good && this.#setFor(this.#good, requested)
    return set && (await set).toolSet
  }

  async #readUntilCurrent(): Promise<void> {
    do {
      this.#again = false
      const session = this.#good || this.#failure ? this.#session.renewed() : this.#session
      try {
        this.#good = await this.#goodIn(session)
        this.#failure = undefined
        this.#touched = [this.uri]
      } catch (error) {
        this.#failure = { error }
        const document = session.workspace.get(this.uri)
        const { documents } = (document && (await session.lint(document).catch(() => undefined))) ?? { documents: [] }
        this.#touched = [this.uri, ...documents]
      }
      this.#session = session
    } while (this.#again)
  }

  /** All that is served now has to be there again, apart from profiles that are gone. */
  async #goodIn(session: Session): Promise<Good> {
    await session.check(this.uri)
    const good: Good = { session, info: await session.info(this.uri), sets: new Map(), made: new Map() }
    await this.#setFor(good, this.#options.profiles)
    for (const { profiles } of this.#good?.made.values() ?? [])
      await this.#setFor(good, profiles)?.catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error
      })
    return good
  }

  #setFor(good: Good, requested: string[] | undefined): Promise<MadeSet> | undefined {
    const own = good.info.profiles.map((p) => p.name)
    const isFiltered = this.#isPart && requested !== undefined && own.length > 0
    const profiles = isFiltered ? requested.filter((name) => own.includes(name)) : requested
    if (isFiltered && profiles?.length === 0) return undefined
    const key = profiles ? JSON.stringify([...new Set(profiles)].sort()) : ''
    let set = good.sets.get(key)
    if (!set) {
      set = this.#make(good, key, profiles)
      good.sets.set(key, set)
      set.catch(() => good.sets.delete(key))
    }
    return set
  }

  async #make({ session, made }: Good, key: string, profiles: string[] | undefined): Promise<MadeSet> {
    const set = { profiles, ...(await session.toolSet(this.uri, { ...this.#options, profiles })) }
    made.set(key, set)
    return set
  }
}
