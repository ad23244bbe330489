import {
  displayUri,
  skillOf,
  toolSetSnapshot,
  UsageError,
  type ServiceIndex,
  type Session,
  type Skill,
  type SkillAnnotation,
  type ToolSet,
  type ToolSetOptions
} from '@openapi-mcp/core'
import { composeToolSets } from './compose.js'
import { LiveDocument, type Service } from './live-document.js'
import type { Log } from './log.js'

export type { Service }

/** How long a slow document may hold up the others, in milliseconds. */
const GRACE = 2_000

export interface LiveToolsOptions extends ToolSetOptions {
  /** The index document that lists the services, where there is one, and the session that read it. */
  index?: { definition: ServiceIndex; session: Session }
  /** How long a slow document may hold up the others, in milliseconds. Default 2,000. */
  graceMs?: number
}

/** How the documents are, in numbers. */
export interface DocumentCounts {
  /** Of which tools are served. */
  served: number
  /** That are being read for the first time. */
  loading: number
  /** That could not be read, or were refused, the last time. */
  failing: number
}

/**
 * The tool sets of one or several documents, kept while they are good: of a document that fails to reload the last good state stays,
 * and it is said so. Sets are made per group of profiles, on first need.
 */
export class LiveTools {
  readonly #documents: LiveDocument[]
  readonly #index: LiveToolsOptions['index']
  readonly #options: ToolSetOptions
  readonly #graceMs: number
  readonly #log: Log
  /** By profiles. */
  readonly #composed = new Map<string, { profiles: string[] | undefined; set: Promise<ToolSet> }>()
  readonly #listeners = new Set<() => void>()
  readonly #readListeners = new Set<() => void>()
  readonly #isComposed: boolean
  readonly #indexSkills = new Map<SkillAnnotation, Skill>()
  #started: Promise<void> | undefined
  #readingSkills: Promise<void> | undefined
  #publishing = Promise.resolve()
  /** What was logged about the present state, and about the one before while the present one is looked at. */
  #told = new Set<string>()
  #toldBefore = new Set<string>()

  constructor(services: Service[], options: LiveToolsOptions, log: Log) {
    const { index, graceMs, ...toolSetOptions } = options
    this.#index = index
    this.#options = toolSetOptions
    this.#graceMs = graceMs ?? GRACE
    this.#log = log
    this.#isComposed = services.length > 1 || index !== undefined
    const own = { ...toolSetOptions, profiles: this.#expanded(toolSetOptions.profiles) }
    this.#documents = services.map((service) => new LiveDocument(service, own, this.#isComposed))
    for (const annotation of index?.definition.skills ?? []) {
      const skill = skillOf(annotation, this.#locale)
      this.#indexSkills.set(annotation, skill.href === undefined ? skill : { ...skill, error: 'it is not read yet' })
    }
  }

  /** Addresses whose change may change the tools. */
  get documents(): string[] {
    const linked = [...this.#indexSkills.values()].flatMap(({ href }) => {
      const uri = this.#index && this.#index.session.workspace.linkedUri(this.#index.definition.document.uri, href)
      return uri ?? []
    })
    return [...new Set([...this.#documents.flatMap((d) => d.documents), ...linked])]
  }

  get counts(): DocumentCounts {
    const isLoading = (d: LiveDocument): boolean => d.info === undefined && d.failure === undefined
    return {
      served: this.#documents.filter((d) => d.info !== undefined).length,
      loading: this.#documents.filter(isLoading).length,
      failing: this.#documents.filter((d) => d.failure !== undefined).length
    }
  }

  /** Listeners hear when a set has changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Listeners hear when documents were read, well or not: `documents` may have changed. */
  onRead(listener: () => void): void {
    this.#readListeners.add(listener)
  }

  /**
   * Reads the documents for the first time. Resolves when there is something to serve: a slow document comes in later. Throws where
   * no document can be served, and a UsageError for a configured profile that none of them declares.
   */
  start(): Promise<void> {
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#started = undefined
      throw error
    })
    return this.#started
  }

  /** The set for some profiles, or for the configured ones. Throws a UsageError for a profile that no document declares. */
  async toolSet(profiles?: string[]): Promise<ToolSet> {
    await this.start()
    return this.#toolSet(profiles)
  }

  /** Reads the documents again. Listeners hear of it when a set has changed. Resolves without those that are slow. */
  async reload(): Promise<void> {
    const { quick } = this.#readAll()
    await quick
    await this.#publish()
  }

  async #start(): Promise<void> {
    const { reads, quick, all } = this.#readAll()
    await quick
    const served = reads.map(async (read, i) => {
      await read
      if (!this.#documents[i]!.info) throw new Error('not served')
    })
    await Promise.race([all, Promise.any(served).catch(() => all)])
    if (this.counts.served === 0) throw this.#documents[0]!.failure?.error
    for (const { uri, info, failure } of this.#documents) {
      if (!info && !failure)
        this.#log('warn', `${displayUri(uri)} has not answered yet; its tools are served as soon as it does`)
    }
    await this.#publish()
    await this.#toolSet(undefined)
  }

  /** Begins to read everything. What takes longer than the grace is published when it is there. */
  #readAll(): { reads: Promise<void>[]; quick: Promise<void>; all: Promise<void> } {
    let isLate = false
    const reads = this.#documents.map((document) => document.read())
    const all = Promise.all(
      [...reads, this.#readSkills()].map(async (read) => {
        await read
        if (isLate) await this.#publish()
      })
    ).then(() => {})
    let timer: NodeJS.Timeout | undefined
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#graceMs)))
    const quick = Promise.race([all, grace]).then(() => {
      clearTimeout(timer)
      isLate = true
    })
    return { reads, quick, all }
  }

  #readSkills(): Promise<void> {
    const index = this.#index
    if (!index) return Promise.resolve()
    const { definition } = index
    const session = index.session.renewed()
    const read = async (annotation: SkillAnnotation): Promise<void> => {
      this.#indexSkills.set(annotation, await session.readSkill(annotation, definition.document, this.#locale))
    }
    this.#readingSkills ??= Promise.all(definition.skills.map(read)).then(() => (this.#readingSkills = undefined))
    return this.#readingSkills
  }

  /** Makes the sets anew from what the documents are now, one time after the other. */
  #publish(): Promise<void> {
    return (this.#publishing = this.#publishing.then(async () => {
      this.#toldBefore = this.#told
      this.#told = new Set()
      let changed = false
      for (const key of [...this.#composed.keys()]) changed = (await this.#recompose(key)) || changed
      this.#tellState()
      this.#toldBefore = new Set()
      for (const listener of this.#readListeners) listener()
      if (changed) for (const listener of this.#listeners) listener()
    }))
  }

  /** Has the set changed? */
  async #recompose(key: string): Promise<boolean> {
    const known = this.#composed.get(key)
    if (!known) return false
    try {
      const before = await known.set
      const after = await this.#compose(known.profiles)
      // What is not listed may have changed all the same, such as where a tool is sent.
      this.#composed.set(key, { profiles: known.profiles, set: Promise.resolve(after) })
      if (JSON.stringify(toolSetSnapshot(after)) === JSON.stringify(toolSetSnapshot(before))) return false
      this.#log('info', 'tools changed', { profiles: after.profiles, tools: after.tools.length })
      return true
    } catch (error) {
      if (known.profiles !== undefined) return this.#composed.delete(key)
      this.#tell(`reload failed, the last good tools stay: ${messageOf(error)}`)
      return false
    }
  }

  #toolSet(profiles: string[] | undefined): Promise<ToolSet> {
    const key = profiles ? JSON.stringify([...new Set(profiles)].sort()) : ''
    let set = this.#composed.get(key)?.set
    if (!set) {
      set = this.#compose(profiles)
      this.#composed.set(key, { profiles, set })
      set.then(
        () => {
          this.#tellState()
          for (const listener of this.#readListeners) listener()
        },
        () => this.#composed.delete(key)
      )
    }
    return set
  }

  async #compose(profiles: string[] | undefined): Promise<ToolSet> {
    const requested = profiles ?? this.#options.profiles
    const [first] = this.#documents
    if (!this.#isComposed) {
      const toolSet = await first!.toolSet(requested)
      if (!toolSet) throw first!.failure?.error
      return toolSet
    }
    const wanted = this.#expanded(requested)
    this.#refuseUnknown(wanted ?? [], profiles === undefined)
    const loaded = await Promise.all(this.#documents.map((document) => this.#contribution(document, wanted)))
    const { toolSet, statuses } = composeToolSets(loaded.flat(), this.#skillsFor(new Set(wanted)))
    for (const { title, excluded } of statuses) for (const reason of excluded) this.#tell(reason, { service: title })
    const own = requested ?? this.#index?.definition.profiles.names.slice(0, 1) ?? []
    return { ...toolSet, ...(this.#index && own.length > 0 && { profiles: own }) }
  }

  /** One service that has nothing for a request does not take the others away. */
  async #contribution(
    document: LiveDocument,
    wanted: string[] | undefined
  ): Promise<{ title: string; toolSet: ToolSet }[]> {
    try {
      const toolSet = await document.toolSet(wanted)
      return toolSet ? [{ title: document.title, toolSet }] : []
    } catch (error) {
      this.#tell(about(document, error))
      return []
    }
  }

  get #locale(): string {
    return this.#options.locale ?? 'en'
  }

  /** The profiles of a request: those of the index with what it includes, by default its first. */
  #expanded(profiles: string[] | undefined): string[] | undefined {
    if (!this.#index) return profiles
    const declared = this.#index.definition.profiles
    const names = profiles ?? declared.names.slice(0, 1)
    return names.length > 0 ? [...declared.expand(names)] : undefined
  }

  /** Of several documents each gives what it has for a name; a name that none declares is a mistake. */
  #refuseUnknown(names: string[], isConfigured: boolean): void {
    const declared = new Set([
      ...this.#documents.flatMap((d) => d.info?.profiles.map((p) => p.name) ?? []),
      ...(this.#index?.definition.profiles.names ?? [])
    ])
    const unknown = names.find((name) => declared.size > 0 && !declared.has(name))
    if (unknown === undefined) return
    const list = [...declared].join(', ')
    const message = `the profile ${JSON.stringify(unknown)} is declared by none of the documents; they declare ${list}`
    // A document that is still to come may declare it.
    if (!isConfigured || this.#documents.every((d) => d.info)) throw new UsageError(message)
    this.#tell(message)
  }

  #skillsFor(profiles: ReadonlySet<string>): Skill[] {
    return [...this.#indexSkills.values()].filter((s) => !s.profiles || s.profiles.some((p) => profiles.has(p)))
  }

  /** Logs what is wrong with the documents now. */
  #tellState(): void {
    const shared = this.#index?.definition.profiles.names ?? []
    for (const document of this.#documents) {
      const { failure, info, title } = document
      if (failure) this.#tell(about(document, failure.error) + (info ? ' The last good tools stay.' : ''))
      for (const { severity, message, rule } of document.diagnostics)
        if (severity === 'warning' || severity === 'error')
          this.#tell(message, { rule, document: displayUri(document.uri) })
      const foreign = info?.profiles.filter((p) => !shared.includes(p.name)).map((p) => p.name) ?? []
      if (shared.length > 0 && foreign.length > 0)
        this.#tell(`${title} declares profiles that the index does not: ${foreign.join(', ')}`)
    }
    for (const { message, rule } of this.#index?.definition.diagnostics ?? []) this.#tell(message, { rule })
    for (const skill of this.#indexSkills.values())
      if (skill.error !== undefined) this.#tell(`skill ${skill.name}: ${skill.error}`)
  }

  /** Logs something once, as long as it is so. */
  #tell(message: string, ...fields: [Record<string, unknown>?]): void {
    const key = JSON.stringify([message, ...fields])
    if (!this.#told.has(key) && !this.#toldBefore.has(key)) this.#log('warn', message, ...fields)
    this.#told.add(key)
  }
}

function about(document: LiveDocument, error: unknown): string {
  const [name, message] = [displayUri(document.uri), messageOf(error)]
  return message.includes(name) ? message : `${name}: ${message}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
