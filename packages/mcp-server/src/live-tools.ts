import { toolSetSnapshot, UsageError, type Session, type ToolSet, type ToolSetOptions } from '@openapi-mcp/core'
import { composeToolSets, type ServiceStatus } from './compose.js'
import { expandProfiles, indexSkills, type ServiceIndex } from './index-document.js'
import type { Log } from './log.js'

/** A document that is served. */
export interface Service {
  /** What the user named: a path or an address. */
  source: string
  session: Session
}

/**
 * The tool sets of one or several documents, kept while they are good: a reload that fails keeps the last good set and says
 * so. Sets are made per group of profiles, on first need.
 */
export class LiveTools {
  readonly #services: Service[]
  readonly #options: ToolSetOptions
  readonly #log: Log
  /** By document and profiles. */
  readonly #sets = new Map<string, ToolSet>()
  readonly #composed = new Map<string, ToolSet>()
  readonly #listeners = new Set<() => void>()
  readonly #documents = new Set<string>()
  #failing = new Set<string>()

  readonly #index: ServiceIndex | undefined

  /** `index`: the index document that lists the services, where there is one. */
  constructor(services: Service[], options: ToolSetOptions, log: Log, index?: ServiceIndex) {
    this.#services = services
    this.#options = options
    this.#log = log
    this.#index = index
  }

  /** Addresses that the sets were made from. */
  get documents(): string[] {
    return [...this.#documents]
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** The set for some profiles, or for the configured ones. Throws a UsageError for a profile that no document declares. */
  async toolSet(profiles: string[] | undefined = this.#options.profiles): Promise<ToolSet> {
    const key = profiles ? [...new Set(profiles)].sort().join(',') : ''
    const known = this.#composed.get(key)
    if (known) return known
    const composed = await this.#compose(profiles, key)
    this.#composed.set(key, composed)
    return composed
  }

  /** Reads the documents again. Listeners hear of it when a set has changed. */
  async reload(): Promise<void> {
    for (const { session } of this.#services) session.invalidate()
    let changed = false
    for (const [key, before] of this.#composed) {
      const profiles = key === '' ? undefined : key.split(',')
      try {
        const after = await this.#compose(profiles, key)
        if (JSON.stringify(toolSetSnapshot(after)) === JSON.stringify(toolSetSnapshot(before))) {
          // What is not listed may have changed all the same, such as where a tool is sent.
          this.#composed.set(key, after)
          continue
        }
        this.#composed.set(key, after)
        changed = true
        this.#log('info', 'tools changed', { profiles: after.profiles, tools: after.tools.length })
      } catch (error) {
        this.#log('warn', `reload failed, the last good tools stay: ${messageOf(error)}`)
      }
    }
    if (changed) for (const listener of this.#listeners) listener()
  }

  async #compose(profiles: string[] | undefined, key: string): Promise<ToolSet> {
    const results = await Promise.all(this.#services.map((service) => this.#load(service, profiles, key)))
    const loaded = results.flatMap((r) => ('toolSet' in r ? [r] : []))
    if (loaded.length === 0) throw results.map((r) => ('error' in r ? r.error : undefined)).find((e) => e !== undefined)
    if (!this.#isComposed) return loaded[0]!.toolSet
    const wanted = this.#wanted(profiles) ?? []
    const skills = this.#index ? indexSkills(this.#index, new Set(wanted), this.#options.locale ?? 'en') : []
    const { toolSet, statuses } = composeToolSets(loaded, skills)
    this.#report(statuses)
    return this.#index
      ? { ...toolSet, profiles: profiles ?? this.#index.profiles.slice(0, 1).map((p) => p.name) }
      : toolSet
  }

  /** One failing service does not take the others away; its last good tools stay. */
  async #load(
    service: Service,
    profiles: string[] | undefined,
    key: string
  ): Promise<{ title: string; toolSet: ToolSet } | { error: unknown }> {
    const own = `${service.source}\n${key}`
    try {
      const { toolSet, documents } = await service.session.toolSet(service.source, {
        ...this.#options,
        profiles: await this.#profilesFor(service, profiles),
        isPart: this.#isComposed
      })
      for (const uri of documents) this.#documents.add(uri)
      this.#sets.set(own, toolSet)
      this.#failing.delete(own)
      for (const { severity, message, rule } of toolSet.diagnostics) {
        if (severity === 'warning' || severity === 'error')
          this.#log('warn', message, { rule, document: service.source })
      }
      return { title: (await service.session.info(service.source)).title ?? service.source, toolSet }
    } catch (error) {
      if (error instanceof NothingToServe)
        return {
          title: service.source,
          toolSet: { profiles: [], instructions: '', tools: [], skills: [], diagnostics: [] }
        }
      const last = this.#sets.get(own)
      const others = this.#isComposed
      if (!last && !others) return { error }
      if (!this.#failing.has(own))
        this.#log('warn', `${service.source}: ${messageOf(error)}${last ? ' The last good tools stay.' : ''}`)
      this.#failing.add(own)
      if (last && !others) throw error
      return last ? { title: service.source, toolSet: last } : { error }
    }
  }

  get #isComposed(): boolean {
    return this.#services.length > 1 || this.#index !== undefined
  }

  /** The profiles of a request: those of the index with what it includes, by default its first. */
  #wanted(profiles: string[] | undefined): string[] | undefined {
    if (!this.#index) return profiles
    const names = profiles ?? this.#index.profiles.slice(0, 1).map((p) => p.name)
    return names.length > 0 ? expandProfiles(this.#index, names) : undefined
  }

  /** Of several documents each gives what it has for a name; a name that none declares is a mistake. */
  async #profilesFor(service: Service, requested: string[] | undefined): Promise<string[] | undefined> {
    const profiles = this.#wanted(requested)
    if (!profiles || !this.#isComposed) return profiles
    const infos = await Promise.all(
      this.#services.map(({ session, source }) => session.info(source).catch(() => undefined))
    )
    const declared = new Set(
      [...infos.flatMap((info) => info?.profiles ?? []), ...(this.#index?.profiles ?? [])].map((p) => p.name)
    )
    const unknown = profiles.find((name) => declared.size > 0 && !declared.has(name))
    if (unknown !== undefined) {
      throw new UsageError(
        `the profile ${JSON.stringify(unknown)} is declared by none of the documents; they declare ${[...declared].join(', ')}`
      )
    }
    const own = infos[this.#services.indexOf(service)]?.profiles.map((p) => p.name) ?? []
    const shared = profiles.filter((name) => own.includes(name))
    if (own.length > 0 && shared.length === 0) throw new NothingToServe()
    return own.length === 0 ? profiles : shared
  }

  #report(statuses: ServiceStatus[]): void {
    for (const { title, excluded } of statuses) {
      for (const reason of excluded) this.#log('warn', reason, { service: title })
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A document that declares profiles, none of which were asked for: it is skipped, which is no failure. */
class NothingToServe extends Error {}
