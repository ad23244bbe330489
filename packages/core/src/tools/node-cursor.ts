import {
  child,
  elements,
  isObject,
  isObjectNode,
  members,
  type JsonObject,
  type Node,
  type Workspace
} from '../source/workspace.js'
import { localizedText } from '../vocabulary/localized.js'
import type { SchemaCursor } from './schema-cursor.js'

export interface CursorOptions {
  workspace: Workspace
  locale: string
  /** Does a name match a pattern of `patternProperties`? Answered in linear time by whoever renders. */
  matches(pattern: string, name: string): boolean
}

/** A cursor over the schema at a node of a document; see SchemaCursor. */
export function schemaCursor(node: Node, options: CursorOptions): SchemaCursor {
  return new NodeCursor([node], options)
}

/** Keywords whose schemas may describe the same value; whether they do depends on the data, so their marks hold in any case. */
const COMBINED = ['allOf', 'anyOf', 'oneOf'] as const
const CONDITIONAL = ['if', 'then', 'else'] as const
/** Keywords whose schemas may describe a property that is declared nowhere. */
const FURTHER_PROPERTIES = ['additionalProperties', 'unevaluatedProperties'] as const
/** Keywords whose schemas may describe any element of an array. */
const ITEMS = ['items', 'additionalItems', 'contains', 'unevaluatedItems'] as const

class NodeCursor implements SchemaCursor {
  readonly #holders: Node[]
  readonly #options: CursorOptions
  readonly #properties = new Map<string, NodeCursor | undefined>()
  #parts: Node<JsonObject>[] | undefined
  #items: NodeCursor | null = null
  #excluded: boolean | undefined
  /** Null until it was looked for. */
  #hint: string | undefined | null = null
  readonly #tuple = new Map<number, NodeCursor | undefined>()

  /** `holders`: the schemas that describe one place, references not yet followed. */
  constructor(holders: Node[], options: CursorOptions) {
    this.#holders = holders
    this.#options = options
  }

  property(name: string): SchemaCursor | undefined {
    if (this.#properties.has(name)) return this.#properties.get(name)
    // An API that answers one object where it promised a list must not show what is hidden in it.
    const own = this.#declared(name)
    const items = own.length > 0 ? undefined : this.#collectItems()
    const found = items ? items.#declared(name) : own
    const cursor = found.length > 0 ? new NodeCursor(found, this.#options) : undefined
    this.#properties.set(name, cursor)
    return cursor
  }

  #declared(name: string): Node[] {
    const found: Node[] = []
    for (const part of this.#expanded()) {
      const before = found.length
      const declared = child(part, 'properties')
      const own = declared && child(declared, name)
      if (own) found.push(own)
      for (const [pattern, schema] of members(child(part, 'patternProperties'))) {
        if (this.#options.matches(pattern, name)) found.push(schema)
      }
      if (found.length > before) continue
      for (const key of FURTHER_PROPERTIES) {
        const rest = child(part, key)
        if (rest && isObject(rest.value)) found.push(rest)
      }
    }
    return found
  }

  item(index: number): SchemaCursor | undefined {
    // … nor a list where it promised one object.
    if (this.#items === null) this.#items = this.#collectItems() ?? this
    // In older drafts a tuple stands under `items`.
    const tuples = this.#expanded().flatMap((part) =>
      ['prefixItems', 'items'].flatMap((key) => {
        const list = child(part, key)
        return list && Array.isArray(list.value) ? list : []
      })
    )
    if (tuples.length === 0) return this.#items
    if (!this.#tuple.has(index)) {
      const own = tuples.flatMap((tuple) => child(tuple, index) ?? [])
      const found = own.length > 0 ? [...own, ...this.#expanded().flatMap((part) => child(part, 'contains') ?? [])] : []
      this.#tuple.set(index, found.length > 0 ? new NodeCursor(found, this.#options) : this.#items)
    }
    return this.#tuple.get(index)
  }

  #collectItems(): NodeCursor | undefined {
    const found = this.#expanded().flatMap((part) =>
      ITEMS.flatMap((key) => {
        const schema = child(part, key)
        return schema && isObject(schema.value) ? schema : []
      })
    )
    return found.length > 0 ? new NodeCursor(found, this.#options) : undefined
  }

  propertyNames(): string[] {
    const names = new Set<string>()
    for (const part of this.#expanded()) {
      const properties = part.value['properties']
      if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    }
    return [...names].filter((name) => !this.property(name)?.excluded)
  }

  get excluded(): boolean {
    return (this.#excluded ??= this.#marks().some((mark) => mark['exclude'] === true))
  }

  get hint(): string | undefined {
    if (this.#hint === null) this.#hint = this.#findHint()
    return this.#hint
  }

  #findHint(): string | undefined {
    for (const mark of this.#marks()) {
      const text = localizedText(mark['hint'], this.#options.locale)
      if (text !== undefined) return text
    }
    return undefined
  }

  /** The `x-agent` objects at this place: beside a reference, at its target, in the parts. */
  #marks(): JsonObject[] {
    return [...this.#holders, ...this.#expanded()].flatMap((node) => {
      const mark = isObject(node.value) ? node.value['x-agent'] : undefined
      return isObject(mark) ? [mark] : []
    })
  }

  /** All schema objects that describe this place: references followed, alternatives taken together. */
  #expanded(): Node<JsonObject>[] {
    if (this.#parts) return this.#parts
    const parts: Node<JsonObject>[] = []
    const seen = new Set<unknown>()
    const open = [...this.#holders].reverse()
    for (let node = open.pop(); node; node = open.pop()) {
      // In 3.1 keywords beside a reference hold too; a mark there counts in every version.
      for (const candidate of this.#options.workspace.chain(node).nodes) {
        if (!isObjectNode(candidate) || seen.has(candidate.value)) continue
        seen.add(candidate.value)
        parts.push(candidate)
        const inner: Node[] = []
        for (const key of COMBINED) {
          const list = child(candidate, key)
          inner.push(...elements(list))
        }
        for (const key of CONDITIONAL) {
          const branch = child(candidate, key)
          if (branch) inner.push(branch)
        }
        for (const [, dependent] of members(child(candidate, 'dependentSchemas'))) inner.push(dependent)
        const dynamic = candidate.value['$dynamicRef']
        if (typeof dynamic === 'string') {
          const target = this.#options.workspace.resolve(candidate.document, dynamic)
          if ('node' in target) inner.push(target.node)
        }
        open.push(...inner.reverse())
      }
    }
    return (this.#parts = parts)
  }
}
