import { isObject, type JsonObject } from '../source/workspace.js'
import type { SchemaCursor } from './schema-cursor.js'

/** How a JSON response is shown (x-agent vocabulary, "Responses"). */
export interface RenderOptions {
  /** Key of the array of row objects at the root of the response. */
  rows?: string
  /**
   * The fields to show, in this order: of the rows, of the elements of a root array, or else of the root object. Plain
   * top-level names. Without it everything is shown.
   */
  projection?: string[]
  /** Show `meta.hints` of the response as `> Hint:` footnotes. */
  hints: boolean
  /** Longest string in rendered text, in UTF-16 units. */
  maxStringLength: number
  /** The response schema, walked along the data. */
  schema?: SchemaCursor
}

/** x-agent vocabulary, "Loading", `maxStringLength`: in UTF-16 units. */
export const DEFAULT_MAX_STRING_LENGTH = 500

/** Deeper data is written on one line: this bounds recursion, and what indentation adds to a hostile body. */
const MAX_LEVELS = 24
/** Names come from the API too, and models use them to ask for fields; in UTF-16 units. */
const MAX_KEY_LENGTH = 200
/** A nested value in one line or cell may be as long as this many strings. */
const STRINGS_PER_NESTED_VALUE = 4
/** Elements of a list on one line are at most this long, in UTF-16 units. */
const MAX_INLINE_ELEMENT = 80
/** A table with more cells than this, of which less than one in eight holds a value, is shown as a list instead. */
const MAX_SPARSE_CELLS = 10_000
const CELLS_PER_VALUE = 8

/**
 * A response as text for a model: rows as one markdown table, all else as nested `- **key**: value` lines. What the schema
 * excludes is left out at every depth (x-agent vocabulary, "Responses" and "Schema properties"). Never throws and is never
 * empty. `data` is what `JSON.parse` returns, `bigint` allowed; it is not changed.
 */
export function renderJson(data: unknown, options: RenderOptions): string {
  const { rows, schema, maxStringLength: limit } = options
  const hints = options.hints ? hintsOf(data, schema) : []
  const projected = projectData(data, options)
  const shown = options.hints && (hints.length > 0 || isEmptyHints(projected)) ? withoutHints(projected) : projected
  const parts: string[] = []
  if (rows === undefined || Array.isArray(shown)) parts.push(renderWhole(data, shown, options))
  else if (!isObject(shown)) parts.push(noRows(rows), scalarText(shown, limit))
  else {
    const list = Object.hasOwn(shown, rows) ? shown[rows] : undefined
    const { [rows]: _, ...rest } = shown
    const outline = new Outline(limit)
    outline.root(Array.isArray(list) ? rest : shown, schema)
    parts.push(outline.text)
    if (Array.isArray(list)) {
      const listSchema = schema?.property(rows)
      const title = listSchema?.hint ? noteLine(rows, listSchema.hint) : ''
      parts.push(list.length === 0 ? 'No rows.' : renderList(list, listSchema, options), title)
    } else parts.push(noRows(rows))
  }
  parts.push(hints.map((hint) => `> Hint: ${oneLine(clean(truncate(hint, limit)))}`).join('\n'))
  return parts.filter((part) => part !== '').join('\n\n')
}

/**
 * The same data as structured content: excluded fields dropped at every depth, the projection applied, nothing cut. Parts
 * without a schema are shared with `data`, which is not changed. Data of any depth is fine.
 */
export function projectData(data: unknown, options: Pick<RenderOptions, 'rows' | 'projection' | 'schema'>): unknown {
  const { rows, projection, schema } = options
  if (Array.isArray(data)) return projectElements(data, projection, schema)
  if (rows === undefined) return projectFields(data, projection, schema)
  if (!isObject(data)) return data
  const list = schema?.property(rows)
  if (!projection || list?.excluded || !Object.hasOwn(data, rows) || !Array.isArray(data[rows]))
    return withoutExcluded(data, schema)
  // The placeholder keeps the place of the rows among the keys.
  const projected = withoutExcluded({ ...data, [rows]: [] }, schema) as JsonObject
  setOwn(projected, rows, projectElements(data[rows] as unknown[], projection, list))
  return projected
}

/**
 * Text of at most `maxLength` UTF-16 units and a note of how many are missing: `… (+1,234 characters)`. It is cut between
 * graphemes, or between code points where one grapheme is longer than the limit.
 */
export function truncate(text: string, maxLength: number): string {
  // Not `<=`: a limit that is no number limits nothing.
  if (!(text.length > maxLength)) return text
  const end = cutBefore(text, Math.max(0, Math.trunc(maxLength)))
  return `${text.slice(0, end)}… (+${withSeparators(text.length - end)} characters)`
}

/** Is a body of this media type readable as text? Parameters such as `charset` are ignored. */
export function isTextual(contentType: string): boolean {
  const type = mediaType(contentType)
  return type.startsWith('text/') || TEXTUAL_SUFFIX.test(type) || TEXTUAL_TYPES.has(type)
}

/** What stands in for a body that is not text: its media type and its size. */
export function describeBinary(contentType: string, bytes: number): string {
  const type = oneLine(clean(mediaType(contentType))) || 'unknown media type'
  const unit = bytes === 1 ? 'byte' : 'bytes'
  const rounded = bytes < 1024 ? '' : `, about ${binarySize(bytes)}`
  return `Binary body, not shown: ${type}, ${bytes} ${unit}${rounded}.`
}

const TEXTUAL_SUFFIX = /\+(?:xml|json|json-seq|yaml|csv|text)$/
const TEXTUAL_TYPES = new Set(
  (
    'csv ecmascript graphql javascript jose json json-seq json5 jsonl jwt n-quads n-triples ndjson schema+json sdp ' +
    'sparql-query sql toml trig typescript vnd.oai.openapi x-javascript x-ndjson x-sh x-www-form-urlencoded x-yaml xml ' +
    'xml-dtd yaml'
  )
    .split(' ')
    .map((subtype) => `application/${subtype}`)
)

function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase()
}

function binarySize(bytes: number): string {
  const units = ['KiB', 'MiB', 'GiB']
  let size = bytes / 1024
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${Number(size.toPrecision(3))} ${units[unit]}`
}

// --- projection and exclusion

function projectElements(
  list: unknown[],
  projection: string[] | undefined,
  schema: SchemaCursor | undefined
): unknown[] {
  if (!projection) return withoutExcluded(list, schema) as unknown[]
  return list.flatMap((element, index) => {
    const inner = schema?.item(index)
    return inner?.excluded ? [] : [projectFields(element, projection, inner)]
  })
}

function projectFields(value: unknown, projection: string[] | undefined, schema: SchemaCursor | undefined): unknown {
  if (!projection || !isObject(value)) return withoutExcluded(value, schema)
  const out: JsonObject = {}
  for (const name of projection) {
    if (!Object.hasOwn(value, name)) continue
    const inner = schema?.property(name)
    if (!inner?.excluded) setOwn(out, name, withoutExcluded(value[name], inner))
  }
  return out
}

/** Without recursion: a body may be nested deeper than the stack. */
function withoutExcluded(value: unknown, schema: SchemaCursor | undefined): unknown {
  const open: (() => void)[] = []
  const copy = (from: unknown, cursor: SchemaCursor | undefined): unknown => {
    // Where there is no schema nothing can be excluded.
    if (!cursor || from === null || typeof from !== 'object') return from
    if (Array.isArray(from)) {
      const list: unknown[] = []
      open.push(() => {
        for (let i = 0; i < from.length; i++) {
          const inner = cursor.item(i)
          if (!inner?.excluded) list.push(copy(from[i], inner))
        }
      })
      return list
    }
    const object: JsonObject = {}
    open.push(() => {
      for (const key of Object.keys(from)) {
        const inner = cursor.property(key)
        if (!inner?.excluded) setOwn(object, key, copy((from as JsonObject)[key], inner))
      }
    })
    return object
  }
  const result = copy(value, schema)
  for (let next = open.pop(); next; next = open.pop()) next()
  return result
}

/** `JSON.parse` makes `__proto__` an ordinary key; an assignment would not. */
function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

// --- meta.hints

/** `meta.hints`, where it is a text or a list of texts; anything else stays an ordinary key. */
function hintsOf(data: unknown, schema: SchemaCursor | undefined): string[] {
  if (!isObject(data) || !isObject(data['meta'])) return []
  const metaSchema = schema?.property('meta')
  const hintsSchema = metaSchema?.property('hints')
  if (metaSchema?.excluded || hintsSchema?.excluded) return []
  const hints = withoutExcluded(data['meta']['hints'], hintsSchema)
  const list = Array.isArray(hints) ? (hints as unknown[]) : [hints]
  if (!list.every((hint) => typeof hint === 'string')) return []
  return list.filter((hint) => hint.trim() !== '')
}

/** An API that has no hints to give says so with an empty list. */
function isEmptyHints(data: unknown): boolean {
  const hints = isObject(data) && isObject(data['meta']) ? data['meta']['hints'] : undefined
  return Array.isArray(hints) && hints.length === 0
}

function withoutHints(data: unknown): unknown {
  if (!isObject(data) || !isObject(data['meta'])) return data
  const { hints: _, ...meta } = data['meta']
  if (Object.keys(meta).length > 0) return { ...data, meta }
  const { meta: __, ...rest } = data
  return rest
}

// --- the whole

function renderWhole(data: unknown, shown: unknown, options: RenderOptions): string {
  const { schema, maxStringLength: limit } = options
  if (Array.isArray(shown)) return shown.length === 0 ? 'No items.' : renderList(shown, schema, options)
  if (!isObject(shown)) return scalarText(shown, limit)
  const outline = new Outline(limit)
  outline.root(shown, schema)
  if (outline.text !== '') return outline.text
  return isObject(data) && Object.keys(data).length === 0 ? 'Empty object.' : 'No fields to show.'
}

/** Objects as a table, anything else as a list. */
function renderList(list: unknown[], schema: SchemaCursor | undefined, options: RenderOptions): string {
  const { projection, maxStringLength: limit } = options
  if (list.some(isObject) && list.every((element) => isObject(element) || isAbsent(element))) {
    const rows = list.map((element) => (isObject(element) ? element : {}))
    const columns = columnsOf(rows, projection ?? schema?.item(0)?.propertyNames() ?? [])
    if (columns.length === 0) return `${rows.length === 1 ? '1 row' : `${rows.length} rows`} without fields to show.`
    if (!isSparse(rows, columns)) return renderTable(rows, columns, schema, limit)
  }
  const outline = new Outline(limit)
  outline.items(list, schema, 0)
  return outline.text
}

function noRows(key: string): string {
  return `No rows: the response has no list ${JSON.stringify(key)}.`
}

// --- tables

function columnsOf(rows: JsonObject[], order: string[]): string[] {
  const present = new Set(rows.flatMap((row) => Object.keys(row)))
  return [...new Set([...order.filter((name) => present.has(name)), ...present])]
}

/** Rows that have hardly a key in common would make a table that grows with the square of the body. */
function isSparse(rows: JsonObject[], columns: string[]): boolean {
  const cells = rows.length * columns.length
  if (cells <= MAX_SPARSE_CELLS) return false
  return cells > CELLS_PER_VALUE * rows.reduce((sum, row) => sum + Object.keys(row).length, 0)
}

function renderTable(rows: JsonObject[], columns: string[], schema: SchemaCursor | undefined, limit: number): string {
  const notes = new Notes()
  const noted = new Set<SchemaCursor>()
  const body = rows.map((row, index) => {
    const rowSchema = schema?.item(index)
    if (rowSchema && !noted.has(rowSchema)) {
      noted.add(rowSchema)
      for (const column of columns) notes.add(column, '', column, rowSchema.property(column)?.hint)
    }
    const cells = columns.map((column) => {
      const value = Object.hasOwn(row, column) ? row[column] : undefined
      if (typeof value !== 'object' || value === null) return cellText(value, limit)
      return escapeCell(nestedText(value, limit, { notes, column, schema: rowSchema?.property(column) }))
    })
    return `| ${cells.join(' | ')} |`
  })
  const header = `| ${columns.map((column) => escapeCell(keyText(column))).join(' | ')} |`
  const rule = `|${' --- |'.repeat(columns.length)}`
  const table = [header, rule, ...body].join('\n')
  return notes.text === '' ? table : `${table}\n\n${notes.text}`
}

function cellText(value: unknown, limit: number): string {
  if (isAbsent(value)) return ''
  return typeof value === 'string' ? escapeCell(clean(truncate(value, limit))) : scalarText(value, limit)
}

/** Backslashes before a pipe are doubled: some readers of GFM tables take `\\|` as an escaped backslash and a border. */
function escapeCell(text: string): string {
  return oneLine(text).replace(/\\+\|?|\|/g, (run) => {
    if (!run.endsWith('|')) return run
    const backslashes = run.slice(0, -1)
    return `${backslashes}${backslashes}\\|`
  })
}

/** The hints of the fields of a table, told once under it. Recursive data shows one field at many depths: its first counts. */
class Notes {
  readonly #lines = new Map<string, string>()

  get text(): string {
    return [...this.#lines.values()].join('\n')
  }

  /** `parents`: the path from the row to the object that has the field, with a dot at its end. */
  add(column: string, parents: string, name: string, hint: string | undefined): void {
    if (!hint) return
    const id = JSON.stringify([column, name, hint])
    if (!this.#lines.has(id)) this.#lines.set(id, noteLine(parents + name, hint))
  }
}

function noteLine(label: string, hint: string): string {
  return `> ${boldKey(label)}: ${oneLine(clean(hint)).trim()}`
}

// --- nested values on one line

interface Nesting {
  value: unknown[] | JsonObject
  /** Of an object: the keys to show. */
  keys: string[] | undefined
  next: number
  schema: SchemaCursor | undefined
  /** From the row, with a dot at its end. */
  path: string
}

/**
 * An object or a list on one line, as YAML's flow style writes it: `{name: Ada, teams: [red, blue]}`. Texts that would read
 * as structure are quoted, so a value cannot add a field. Without recursion: a body may be nested deeper than the stack.
 */
function nestedText(
  value: unknown,
  limit: number,
  about?: { notes: Notes; column: string; schema: SchemaCursor | undefined }
): string {
  const open: Nesting[] = []
  let text = ''
  const enter = (inner: unknown, schema: SchemaCursor | undefined, path: string): void => {
    if (Array.isArray(inner)) {
      text += '['
      open.push({ value: inner as unknown[], keys: undefined, next: 0, schema, path })
    } else if (isObject(inner)) {
      text += '{'
      const keys = Object.keys(inner).filter((key) => !isAbsent(inner[key]))
      if (about && schema) for (const key of keys) about.notes.add(about.column, path, key, schema.property(key)?.hint)
      open.push({ value: inner, keys, next: 0, schema, path })
    } else text += inlineText(inner, limit)
  }
  enter(value, about?.schema, about ? `${about.column}.` : '')
  for (let nesting = open.at(-1); nesting; nesting = open.at(-1)) {
    const { keys, schema, path } = nesting
    const index = nesting.next++
    if (index === (keys ?? (nesting.value as unknown[])).length) {
      text += keys ? '}' : ']'
      open.pop()
      continue
    }
    if (index > 0) text += ', '
    if (keys) {
      const key = keys[index]!
      text += `${inlineText(key, MAX_KEY_LENGTH)}: `
      enter((nesting.value as JsonObject)[key], schema?.property(key), schema ? `${path}${key}.` : '')
    } else enter((nesting.value as unknown[])[index], schema?.item(index), path)
  }
  return truncate(text, limit * STRINGS_PER_NESTED_VALUE)
}

function inlineText(value: unknown, limit: number): string {
  return typeof value === 'string' ? quotedWhereNeeded(clean(truncate(value, limit))) : scalarText(value, limit)
}

function quotedWhereNeeded(text: string): string {
  const line = oneLine(text)
  return line !== line.trim() || line === '' || /[,{}[\]"]|:(?=\s|$)/.test(line) ? JSON.stringify(line) : line
}

// --- key/value text

/** Nested `- **key**: value` lines. */
class Outline {
  readonly #limit: number
  readonly #lines: string[] = []
  /** Fields whose hint has been told: once is enough for all elements of a list. */
  readonly #told = new Set<SchemaCursor>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get text(): string {
    return this.#lines.join('\n')
  }

  /** A pagination link that is cut cannot be followed, so `next` is whole at the root. */
  root(object: JsonObject, schema: SchemaCursor | undefined): void {
    this.#fields(object, schema, 0, (key) => (key === 'next' ? Infinity : this.#limit))
  }

  items(list: unknown[], schema: SchemaCursor | undefined, level: number): void {
    for (const [index, element] of list.entries()) {
      const short = typeof element === 'string' ? elementText(element, this.#limit) : shortText(element, this.#limit)
      if (short !== undefined) this.#line(level, `- ${short}`)
      else this.#long(`- item ${index + 1}:`, element, schema?.item(index), level, this.#limit)
    }
  }

  #fields(
    object: JsonObject,
    schema: SchemaCursor | undefined,
    level: number,
    limitOf = (_key: string): number => this.#limit
  ): void {
    for (const key of Object.keys(object)) {
      const value = object[key]
      if (isAbsent(value)) continue
      const inner = schema?.property(key)
      const lead = `- ${boldKey(key)}:`
      const hint = this.#hint(inner)
      const short = shortText(value, limitOf(key))
      if (short !== undefined) this.#line(level, `${lead} ${short}${hint}`)
      else this.#long(lead + hint, value, inner, level, limitOf(key))
    }
  }

  /** What takes more than a line. */
  #long(lead: string, value: unknown, schema: SchemaCursor | undefined, level: number, limit: number): void {
    if (typeof value === 'string') {
      this.#line(level, lead)
      for (const line of fenced(clean(truncate(value, limit)))) this.#line(level + 1, line)
    } else if (level + 1 >= MAX_LEVELS) this.#line(level, `${lead} ${nestedText(value, limit)}`)
    else {
      this.#line(level, lead)
      if (Array.isArray(value)) this.items(value, schema, level + 1)
      else this.#fields(value as JsonObject, schema, level + 1)
    }
  }

  #hint(schema: SchemaCursor | undefined): string {
    const hint = schema?.hint
    if (!schema || !hint || this.#told.has(schema)) return ''
    this.#told.add(schema)
    return ` *${oneLine(clean(hint)).trim()}*`
  }

  #line(level: number, text: string): void {
    this.#lines.push(text === '' ? '' : '  '.repeat(level) + text)
  }
}

/** A value that fits on the line of its key: a scalar of one line, a list of short scalars, an object without values. */
function shortText(value: unknown, limit: number): string | undefined {
  if (typeof value === 'string') {
    const text = clean(truncate(value, limit))
    if (text.trim() === '') return JSON.stringify(oneLine(text))
    const line = text.replace(TRAILING_BREAKS, '')
    return LINE_BREAK.test(line) ? undefined : line
  }
  if (Array.isArray(value))
    return value.every(isInline) ? `[${value.map((element) => inlineText(element, limit)).join(', ')}]` : undefined
  if (!isObject(value)) return scalarText(value, limit)
  return Object.values(value).every(isAbsent) ? '{}' : undefined
}

/** The text of a list element starts its line: what would read as a list, a field or a quote there is quoted. */
function elementText(value: string, limit: number): string | undefined {
  const text = shortText(value, limit)
  return text !== undefined && BLOCK_START.test(text) ? JSON.stringify(text) : text
}

const BLOCK_START = /^\s*(?:[-+](?:\s|$)|[*>#|`~]|\d+[.)](?:\s|$)|item \d)/

function isInline(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_INLINE_ELEMENT && !LINE_BREAK.test(value)
  return typeof value !== 'object' || value === null
}

/** A text of several lines in a code fence that it cannot close, so that none of its lines reads as a field. */
function fenced(text: string): string[] {
  let fence = '```'
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``
  return [fence, ...text.replace(TRAILING_BREAKS, '').split(LINE_BREAK), fence]
}

// --- texts

/** JSON knows no such thing as an undefined value; it leaves it out. */
function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

/** A value that is no object and no list, as JSON writes it; texts without quotes. */
function scalarText(value: unknown, limit: number): string {
  if (typeof value === 'string') return value.trim() === '' ? 'Empty text.' : clean(truncate(value, limit))
  if (typeof value === 'bigint') return String(value)
  return isAbsent(value) ? 'null' : JSON.stringify(value)
}

/** A key on one line, with nothing in it that ends the bold type early. */
function boldKey(key: string): string {
  return `**${keyText(key).replace(/[\\*`]/g, '\\$&')}**`
}

function keyText(key: string): string {
  const text = oneLine(clean(truncate(key, MAX_KEY_LENGTH)))
  return text === '' || text !== text.trim() ? JSON.stringify(text) : text
}

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
const LINE_BREAKS = new RegExp(LINE_BREAK, 'g')
const TRAILING_BREAKS = /(?<![\n\r\v\f\u0085\u2028\u2029])[\n\r\v\f\u0085\u2028\u2029]+$/

function oneLine(text: string): string {
  return text.replace(LINE_BREAKS, ' ')
}

/** Well-formed Unicode without control characters: what is printed to a terminal must not steer it. */
function clean(text: string): string {
  return text.replace(/(?![\t\n\r\v\f\u0085])\p{Cc}|\p{Cs}/gu, '\ufffd')
}

// Absent in a few engines that are otherwise recent enough.
let segmenter: Intl.Segmenter | undefined

/** The last place at or before `end` that is not inside a character. */
function cutBefore(text: string, end: number): number {
  if (typeof Intl.Segmenter === 'function') {
    segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
    // Two units more than asked for hold the code point at the cut, which decides whether there is a border.
    const start = segmenter.segment(text.slice(0, end + 2)).containing(end)?.index
    if (start) return start
  }
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && /[\udc00-\udfff]/.test(text.charAt(end))
  return splitsPair ? end - 1 : end
}

function withSeparators(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
