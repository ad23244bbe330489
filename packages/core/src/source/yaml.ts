import { jsonOf } from './json-of.js'
import {
  EVENT_ID,
  getScalarValue,
  parseEvents,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent
} from 'js-yaml'
import type { JsonPath } from '../diagnostics.js'
import type { DocumentTree, Located, SyntaxProblem } from './document.js'
import { repeatedKey } from './json.js'
import type { Span } from './text.js'

/** Deeper nesting than any document has; beyond it the parsers would exhaust the stack. */
const MAX_DEPTH = 1000

const { DOCUMENT, SEQUENCE, MAPPING, SCALAR, ALIAS, POP } = EVENT_ID

interface Parsed {
  value: unknown
  tree: DocumentTree
  problems: SyntaxProblem[]
}

/**
 * YAML 1.2 (core schema) with merge keys as plain values. js-yaml's event stream reads it; it is several times faster than
 * the tolerant parser, which takes over where the stream ends in an error, so that the rest of a half-typed document stays
 * usable.
 */
export async function parseYaml(text: string): Promise<Parsed> {
  let events: Event[]
  try {
    events = parseEvents(text, { maxDepth: MAX_DEPTH })
  } catch {
    const { parseBrokenYaml } = await import('./yaml-tolerant.js')
    return parseBrokenYaml(text)
  }
  return new Composer(text, events).compose()
}

/** A mapping that is being read. */
interface MapFrame {
  index: number
  object: Record<string, unknown>
  keys: string[]
  /** Undefined while a key is expected. */
  key: string | undefined
  keyIsMerge: boolean
  merges: { before: number; sources: Record<string, unknown>[] }[]
}

interface ListFrame {
  index: number
  array: unknown[]
}

type Frame = MapFrame | ListFrame

class Composer {
  readonly #text: string
  readonly #events: Event[]
  readonly #problems: SyntaxProblem[] = []
  /** Index behind the node that starts at an event. */
  readonly #ends: Int32Array
  /** Alias event → event of its anchor. */
  readonly #aliases = new Map<number, number>()
  readonly #anchors = new Map<string, { value: unknown; index: number }>()
  readonly #frames: Frame[] = []

  constructor(text: string, events: Event[]) {
    this.#text = text
    this.#events = events
    this.#ends = new Int32Array(events.length)
  }

  compose(): Parsed {
    let value: unknown
    let documents = 0
    let start = -1
    let end = this.#events.length
    for (let i = 0; i < this.#events.length; i++) {
      const event = this.#events[i]!
      if (event.type === DOCUMENT) {
        if (++documents > 1 && this.#hasContent(i)) {
          end = i
          this.#problems.push({
            rule: 'yaml-several-documents',
            message: 'a second document starts here; only the first one is read',
            path: [],
            offset: this.#nearNext(i)
          })
          break
        }
        continue
      }
      if (start < 0 && event.type !== POP) start = i
      const done = this.#read(event, i)
      if (done && this.#frames.length === 0 && documents <= 1) value = done.value
    }
    return {
      value,
      tree: new YamlTree(this.#text, this.#events.slice(0, end), this.#ends, this.#aliases, start),
      problems: this.#problems
    }
  }

  #hasContent(documentIndex: number): boolean {
    const next = this.#events[documentIndex + 1]
    return next !== undefined && next.type !== POP && !(next.type === SCALAR && next.valueStart < 0)
  }

  #nearNext(index: number): Span {
    const next = this.#events[index + 1]
    const start = next ? startOf(next) : this.#text.length
    return { start, end: Math.min(this.#text.length, start + 1) }
  }

  /** Takes one event in; gives the value that it completes. */
  #read(event: Event, index: number): { value: unknown } | undefined {
    switch (event.type) {
      case SCALAR: {
        this.#ends[index] = index + 1
        const value = scalarValue(this.#text, event)
        this.#anchor(event, value, index)
        return this.#put(value, event, index)
      }
      case ALIAS: {
        this.#ends[index] = index + 1
        const name = this.#text.slice(event.anchorStart, event.anchorEnd)
        const anchor = this.#anchors.get(name)
        if (!anchor) {
          this.#problems.push({
            rule: 'yaml-alias',
            message: `the alias *${name} has no anchor &${name} before it`,
            path: this.#path(),
            offset: { start: event.anchorStart - 1, end: event.anchorEnd }
          })
          return this.#put(null, event, index)
        }
        this.#aliases.set(index, anchor.index)
        return this.#put(anchor.value, event, index)
      }
      case SEQUENCE: {
        const array: unknown[] = []
        this.#anchor(event, array, index)
        this.#frames.push({ index, array })
        return undefined
      }
      case MAPPING: {
        const object: Record<string, unknown> = {}
        this.#anchor(event, object, index)
        this.#frames.push({ index, object, keys: [], key: undefined, keyIsMerge: false, merges: [] })
        return undefined
      }
      case POP: {
        const frame = this.#frames.pop()
        if (!frame) return undefined
        this.#ends[frame.index] = index + 1
        if ('array' in frame) return this.#put(frame.array, this.#events[frame.index]!, frame.index)
        if (frame.merges.length > 0) applyMerges(frame)
        return this.#put(frame.object, this.#events[frame.index]!, frame.index)
      }
    }
    return undefined
  }

  #anchor(event: ScalarEvent | SequenceEvent | MappingEvent, value: unknown, index: number): void {
    if (event.anchorStart >= 0)
      this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), { value, index })
  }

  #put(value: unknown, event: Event, index: number): { value: unknown } {
    const frame = this.#frames.at(-1)
    if (!frame) return { value }
    if ('array' in frame) {
      frame.array.push(value)
    } else if (frame.key === undefined) {
      frame.keyIsMerge = event.type === SCALAR && isMergeKey(this.#text, event)
      frame.key = keyText(value)
      if (value !== null && typeof value === 'object') {
        this.#problems.push({
          rule: 'yaml-syntax',
          message: 'a key must be a scalar here; a list or mapping as a key has no meaning in an OpenAPI document',
          path: this.#path().slice(0, -1),
          offset: spanOf(this.#text, this.#events, this.#ends, index)
        })
      }
      if (!frame.keyIsMerge && Object.hasOwn(frame.object, frame.key)) {
        this.#problems.push(repeatedKey(frame.key, this.#path(), spanOf(this.#text, this.#events, this.#ends, index)))
      }
    } else {
      const { key, keyIsMerge } = frame
      if (keyIsMerge) this.#merge(frame, value, index)
      else {
        if (!Object.hasOwn(frame.object, key)) frame.keys.push(key)
        setOwn(frame.object, key, value)
      }
      frame.key = undefined
    }
    return { value }
  }

  #merge(frame: MapFrame, value: unknown, index: number): void {
    const sources = Array.isArray(value) ? value : [value]
    const isMapping = (v: unknown): v is Record<string, unknown> =>
      v !== null && typeof v === 'object' && !Array.isArray(v)
    if (sources.every(isMapping)) frame.merges.push({ before: frame.keys.length, sources })
    else {
      this.#problems.push({
        rule: 'yaml-merge-key',
        message: 'the merge key << takes a mapping or a list of mappings',
        path: this.#path().slice(0, -1),
        offset: spanOf(this.#text, this.#events, this.#ends, index)
      })
    }
  }

  /** The path of the place that is being read. */
  #path(): JsonPath {
    return this.#frames.flatMap((f): JsonPath => ('array' in f ? [f.array.length] : f.key === undefined ? [] : [f.key]))
  }
}

/** An explicit key wins over a merged one whatever their order; of several sources the first one wins. */
function applyMerges(frame: MapFrame): void {
  const own = new Map(frame.keys.map((key) => [key, frame.object[key]]))
  for (const key of frame.keys) delete frame.object[key]
  let done = 0
  const takeOwn = (until: number): void => {
    for (; done < until; done++) setOwn(frame.object, frame.keys[done]!, own.get(frame.keys[done]!))
  }
  for (const { before, sources } of frame.merges) {
    takeOwn(before)
    for (const source of sources) {
      for (const [key, value] of Object.entries(source)) {
        if (!own.has(key) && !Object.hasOwn(frame.object, key)) setOwn(frame.object, key, value)
      }
    }
  }
  takeOwn(frame.keys.length)
}

/** Sets an own property, `__proto__` included. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

/** JSON keys are strings: an unquoted 200 is the response code "200". */
export function keyText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || typeof value !== 'object' ? String(value) : jsonOf(value)
}

function isMergeKey(text: string, event: ScalarEvent): boolean {
  if (event.valueEnd - event.valueStart !== 2 || text.slice(event.valueStart, event.valueEnd) !== '<<') return false
  return event.tagStart >= 0 ? /merge$/.test(text.slice(event.tagStart, event.tagEnd)) : event.style === PLAIN
}

const PLAIN = 1
const SINGLE_QUOTED = 2
const DOUBLE_QUOTED = 3

function scalarValue(text: string, event: ScalarEvent): unknown {
  const written =
    event.valueStart < 0 ? '' : event.fast ? text.slice(event.valueStart, event.valueEnd) : getScalarValue(text, event)
  const tag = event.tagStart < 0 ? undefined : text.slice(event.tagStart, event.tagEnd)
  if (tag === undefined) return event.style === PLAIN ? plainValue(written) : written
  if (/(^!!|tag:yaml\.org,2002:)(int|float|bool|null)>?$/.test(tag)) return plainValue(written)
  return written
}

/** A plain scalar under the YAML 1.2 core schema: dates, `on` and `NO` are strings. */
export function plainValue(text: string): unknown {
  switch (text) {
    case '':
    case '~':
    case 'null':
    case 'Null':
    case 'NULL':
      return null
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
  }
  const first = text.charCodeAt(0)
  const maybeNumber = (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46
  if (!maybeNumber) return text
  if (/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text)) return Number(text)
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return Number(text)
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^\.(nan|NaN|NAN)$/.test(text)) return NaN
  return text
}

function startOf(event: Event): number {
  switch (event.type) {
    case SCALAR:
      return event.valueStart
    case ALIAS:
      return event.anchorStart - 1
    case SEQUENCE:
    case MAPPING:
      return event.start
  }
  return 0
}

function spanOf(text: string, events: Event[], ends: Int32Array, index: number): Span {
  const event = events[index]!
  if (event.type === SCALAR) {
    if (event.valueStart < 0) return { start: -1, end: -1 }
    const quoted = event.style === SINGLE_QUOTED || event.style === DOUBLE_QUOTED ? 1 : 0
    return { start: event.valueStart - quoted, end: event.valueEnd + quoted }
  }
  if (event.type === ALIAS) return { start: event.anchorStart - 1, end: event.anchorEnd }
  if (event.type !== MAPPING && event.type !== SEQUENCE) return { start: 0, end: 0 }
  const start = event.start
  let end = start
  const children: number[] = []
  for (let child = index + 1; child < ends[index]! - 1; child = ends[child]!) children.push(child)
  // The end of a collection is that of its last child that stands in the text.
  for (let child = children.pop(); child !== undefined; child = children.pop()) {
    const inner = spanOf(text, events, ends, child)
    if (inner.end < 0) continue
    end = Math.max(end, inner.end)
    break
  }
  const open = text[start]
  if (open === '{' || open === '[') end = endOfFlow(text, Math.max(end, start + 1))
  return { start, end }
}

/** Behind the bracket that closes a flow collection, whose last child ends at `from`. */
function endOfFlow(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const c = text[i]
    if (c === '#' && /\s/.test(text[i - 1]!)) while (i < text.length && text[i] !== '\n') i++
    else if (c === '}' || c === ']') return i + 1
  }
  return from
}

/** The members of a mapping by name, and what is merged into it. */
interface Members {
  byName: Map<string, { key: number; value: number }>
  merges: number[]
}

class YamlTree implements DocumentTree {
  readonly #text: string
  readonly #events: Event[]
  readonly #ends: Int32Array
  readonly #aliases: Map<number, number>
  readonly #root: number

  constructor(text: string, events: Event[], ends: Int32Array, aliases: Map<number, number>, root: number) {
    this.#text = text
    this.#events = events
    this.#ends = ends
    this.#aliases = aliases
    this.#root = root
  }

  get unshared(): boolean {
    return this.#aliases.size === 0
  }

  locate(path: readonly (string | number)[]): Located | undefined {
    if (this.#root < 0) return undefined
    let index = this.#root
    let key: number | undefined
    for (const segment of path) {
      const child = this.#child(this.#target(index), segment)
      if (!child) return undefined
      index = child.value
      key = child.key
    }
    const keySpan = key === undefined ? undefined : this.#span(key)
    const value = this.#span(index)
    const behindKey = { start: keySpan?.end ?? 0, end: keySpan?.end ?? 0 }
    return { ...(keySpan && { key: keySpan }), value: value.start < 0 ? behindKey : value }
  }

  #span(index: number): Span {
    return spanOf(this.#text, this.#events, this.#ends, index)
  }

  #target(index: number): number {
    return this.#aliases.get(index) ?? index
  }

  #child(index: number, segment: string | number): { key?: number; value: number } | undefined {
    const type = this.#events[index]?.type
    if (type === SEQUENCE) {
      const child = this.#elements(index)[Number(segment)]
      return child === undefined ? undefined : { value: child }
    }
    if (type !== MAPPING) return undefined
    const { byName, merges } = this.#membersOf(index)
    return byName.get(String(segment)) ?? this.#merged(merges, segment)
  }

  /** Collections that were asked about are read once: a document with many findings asks often. */
  readonly #read = new Map<number, Members | number[]>()

  #elements(index: number): number[] {
    const known = this.#read.get(index)
    if (known) return known as number[]
    const children: number[] = []
    for (let child = index + 1; child < this.#ends[index]! - 1; child = this.#ends[child]!) children.push(child)
    this.#read.set(index, children)
    return children
  }

  #membersOf(index: number): Members {
    const known = this.#read.get(index)
    if (known) return known as Members
    const members: Members = { byName: new Map(), merges: [] }
    for (let child = index + 1; child < this.#ends[index]! - 1;) {
      const value = this.#ends[child]!
      const keyEvent = this.#events[this.#target(child)]!
      if (keyEvent.type === SCALAR) {
        if (isMergeKey(this.#text, keyEvent)) members.merges.push(value)
        else members.byName.set(keyText(scalarValue(this.#text, keyEvent)), { key: child, value })
      }
      child = this.#ends[value]!
    }
    this.#read.set(index, members)
    return members
  }

  #merged(merges: number[], segment: string | number): { key?: number; value: number } | undefined {
    for (const merge of merges) {
      const target = this.#target(merge)
      if (this.#events[target]?.type === MAPPING) {
        const found = this.#child(target, segment)
        if (found) return found
        continue
      }
      for (let child = target + 1; child < this.#ends[target]! - 1; child = this.#ends[child]!) {
        const found = this.#child(this.#target(child), segment)
        if (found) return found
      }
    }
    return undefined
  }
}
