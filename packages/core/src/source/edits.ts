import type { JsonPath } from '../diagnostics.js'
import type { SourceDocument } from './document.js'
import { withEdits, type Span, type TextEdit } from './text.js'
import { isObject } from './workspace.js'

/**
 * Edits of one document, in place: what they do not touch keeps its comments, quotes, order, anchors and line ends. Each function gives the
 * edits, or undefined where the place cannot be edited safely: it is written elsewhere (an alias, a merge key), it has no text, or its
 * form does not allow it.
 */
export interface DocumentEditor {
  /** Another name for the key at a path. */
  renameKey(path: JsonPath, name: string): TextEdit[] | undefined
  /** Another scalar, in the quotes of the present one as far as they can hold it. */
  replaceScalar(path: JsonPath, value: string | number | boolean | null): TextEdit[] | undefined
  /** Other words in a text. Offsets are in the text as it is read. */
  replaceInScalar(path: JsonPath, rewordings: readonly TextEdit[]): TextEdit[] | undefined
  /** Takes a member out, with its line and the comment behind it. */
  removeMember(path: JsonPath): TextEdit[] | undefined
  /** Takes an element out of a list. */
  removeElement(path: JsonPath): TextEdit[] | undefined
  /** Adds a member, and the objects around it that are missing; a scalar that is there already is replaced. */
  setMember(path: JsonPath, value: unknown): TextEdit[] | undefined
}

/** An editor of a document with text. */
export function createEditor(document: SourceDocument): DocumentEditor {
  return new Editor(document)
}

interface Child {
  key: Span | undefined
  value: Span
}

class Editor implements DocumentEditor {
  readonly #document: SourceDocument
  readonly #text: string
  readonly #isJson: boolean
  readonly #newline: string

  constructor(document: SourceDocument) {
    this.#document = document
    this.#text = document.text ?? ''
    this.#isJson = isJson(document)
    this.#newline = /\r\n/.test(this.#text) ? '\r\n' : '\n'
  }

  renameKey(path: JsonPath, name: string): TextEdit[] | undefined {
    const key = this.#own(path)?.key
    return key && [{ ...key, text: this.#quotedLike(this.#slice(key), name, this.#isFlow(path.slice(0, -1))) }]
  }

  replaceScalar(path: JsonPath, value: string | number | boolean | null): TextEdit[] | undefined {
    const place = this.#own(path)
    if (!place || isContainer(this.#valueAt(path)) || this.#isBlockScalar(place)) return undefined
    const written = this.#slice(place.value)
    if (written.startsWith('*') && !this.#isJson) return undefined
    const isFlow = this.#isFlow(path.slice(0, -1))
    const text = typeof value === 'string' ? this.#quotedLike(written, value, isFlow) : String(value)
    if (written !== '') return [{ ...place.value, text }]
    // An empty value stands behind the colon, where nothing is.
    const colon = place.key && this.#text.indexOf(':', place.key.end) + 1
    return colon === undefined ? undefined : [{ start: colon, end: colon, text: ` ${text}` }]
  }

  replaceInScalar(path: JsonPath, rewordings: readonly TextEdit[]): TextEdit[] | undefined {
    const place = this.#own(path)
    const value = this.#valueAt(path)
    if (!place || typeof value !== 'string') return undefined
    const written = this.#slice(place.value)
    if (!this.#isBlockScalar(place) && !/[\r\n]/.test(written))
      return this.replaceScalar(path, withEdits(value, rewordings))
    // Over several lines the written text differs from the one that is read; the words to replace are found in it where they stand once.
    const edits: TextEdit[] = []
    // In quotation marks these have another form, and without any they end the text.
    const special = this.#isBlockScalar(place) ? /[\r\n]/ : /^["']/.test(written) ? /["'\\\r\n]/ : /["'\\\r\n:#]/
    for (const { start, end, text } of rewordings) {
      const old = value.slice(start, end)
      const index = written.indexOf(old)
      if (old === '' || index < 0 || written.indexOf(old, index + 1) >= 0 || special.test(old + text)) return undefined
      const at = place.value.start + index
      edits.push({ start: at, end: at + old.length, text })
    }
    return edits
  }

  removeMember(path: JsonPath): TextEdit[] | undefined {
    const place = this.#own(path)
    const siblings = place?.key && this.#children(path.slice(0, -1))
    if (!place?.key || !siblings) return undefined
    return this.#remove(path, { key: place.key, value: place.value }, siblings, '{}')
  }

  removeElement(path: JsonPath): TextEdit[] | undefined {
    const place = this.#own(path)
    const siblings = place && this.#children(path.slice(0, -1))
    if (!siblings) return undefined
    return this.#remove(path, { key: undefined, value: place.value }, siblings, '[]')
  }

  setMember(path: JsonPath, value: unknown): TextEdit[] | undefined {
    const place = this.#own(path)
    if (place && this.#valueAt(path) !== undefined) {
      if (isContainer(value)) return undefined
      return this.replaceScalar(path, value as string | number | boolean | null)
    }
    let depth = path.length - 1
    while (depth > 0 && !isObject(this.#valueAt(path.slice(0, depth))) && !this.#isEmpty(path.slice(0, depth))) depth--
    const holder = path.slice(0, depth)
    const [name, ...inner] = path.slice(depth)
    const member = inner.reduceRight<unknown>((content, key) => ({ [key]: content }), value)
    return this.#insert(holder, String(name), member)
  }

  // --- reading

  #slice({ start, end }: Span): string {
    return this.#text.slice(start, end)
  }

  #valueAt(path: JsonPath): unknown {
    return path.reduce<unknown>(
      (value, segment) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, segment)
          ? (value as Record<string | number, unknown>)[segment]
          : undefined,
      this.#document.value
    )
  }

  /** The spans of a place that is written where its path says. */
  #own(path: JsonPath): Child | undefined {
    if (this.#document.text === undefined) return undefined
    let holder: Span | undefined
    let found: Child | undefined
    for (let depth = 0; depth <= path.length; depth++) {
      const located = this.#document.locate(path.slice(0, depth))
      if (!located) return undefined
      const start = located.key?.start ?? located.value.start
      // Outside of what holds it: behind an alias, or merged in.
      if (holder && (start < holder.start || located.value.end > Math.max(holder.end, this.#lineEnd(holder.end))))
        return undefined
      holder = located.value
      found = { key: located.key, value: located.value }
    }
    return found
  }

  /** The members or elements of a container in the order in which they are written; undefined where some stand elsewhere. */
  #children(path: JsonPath): Child[] | undefined {
    const value = this.#valueAt(path)
    if (!isContainer(value)) return undefined
    const names = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value)
    const children = names.map((name) => this.#own([...path, name]))
    const own = children.filter((c): c is Child => c !== undefined)
    if (own.length < children.length && this.#isFlow(path)) return undefined
    return own.sort((a, b) => startOf(a) - startOf(b))
  }

  /** Is the container at a path written with braces or brackets? */
  #isFlow(path: JsonPath): boolean {
    const place = this.#document.locate(path)
    return place !== undefined && /^[{[]/.test(this.#text.slice(place.value.start, place.value.start + 1))
  }

  #isEmpty(path: JsonPath): boolean {
    const place = this.#own(path)
    return place?.key !== undefined && this.#valueAt(path) === null && this.#slice(place.value) === ''
  }

  /** Behind `|` or `>` a text begins at the start of a line. */
  #isBlockScalar({ key, value }: Child): boolean {
    if (this.#isJson || value.start === 0) return false
    const before = this.#text.slice(key?.end ?? this.#lineStart(value.start - 1), value.start)
    return /[|>][+\-0-9]*[ \t]*(#[^\r\n]*)?\r?\n$/.test(before)
  }

  #lineStart(offset: number): number {
    return Math.max(this.#text.lastIndexOf('\n', offset - 1), this.#text.lastIndexOf('\r', offset - 1)) + 1
  }

  /** Offset of the line break at or behind an offset, or the end of the text. */
  #lineEnd(offset: number): number {
    const length = this.#text.slice(offset).search(/[\r\n]/)
    return length < 0 ? this.#text.length : offset + length
  }

  /** End of what belongs to a child of a block: its last text and the comment behind it, without the line break. */
  #contentEnd({ key, value }: Child): number {
    let end = Math.max(value.end, key?.end ?? 0)
    while (end > startOf({ key, value }) && /\s/.test(this.#text[end - 1]!)) end--
    const rest = this.#text.slice(end, this.#lineEnd(end))
    // The colon of an empty value, and a comment.
    const colon = value.start === value.end && key ? (/^\s*:/.exec(rest)?.[0].length ?? 0) : 0
    return /^\s*(#.*)?$/.test(rest.slice(colon)) ? end + rest.length : end + colon
  }

  // --- removing

  #remove(path: JsonPath, child: Child, siblings: Child[], empty: string): TextEdit[] | undefined {
    const holder = this.#own(path.slice(0, -1))
    const index = siblings.findIndex((sibling) => startOf(sibling) === startOf(child))
    if (!holder || index < 0) return undefined
    if (this.#isFlow(path.slice(0, -1))) return this.#removeFromFlow(holder, child, siblings, index)
    if (siblings.length === 1) {
      // The line break behind a block text is not part of what goes.
      const written = this.#slice({ start: holder.value.start, end: Math.max(holder.value.end, child.value.end) })
      return [{ start: holder.value.start, end: holder.value.start + written.trimEnd().length, text: empty }]
    }
    const next = siblings[index + 1]
    const lineStart = this.#lineStart(startOf(child))
    const before = this.#text.slice(lineStart, startOf(child))
    const dash = child.key ? '' : /-\s+$/.exec(before)?.[0]
    if (dash === undefined) return undefined
    const own = before.slice(0, before.length - dash.length)
    // Where the member stands behind a dash, the next one takes its place.
    if (/\S/.test(own)) return next && [{ start: startOf(child), end: startOf(next), text: '' }]
    const end = this.#contentEnd(child)
    const lineBreak = /^\r?\n|^\r/.exec(this.#text.slice(end))?.[0].length ?? 0
    if (lineBreak > 0) return [{ start: lineStart, end: end + lineBreak, text: '' }]
    // The last line of the text goes with the break before it.
    const from = lineStart - (/\r?\n$|\r$/.exec(this.#text.slice(0, lineStart))?.[0].length ?? 0)
    return [{ start: from, end, text: '' }]
  }

  #removeFromFlow(holder: Child, child: Child, siblings: Child[], index: number): TextEdit[] {
    const next = siblings[index + 1]
    if (next) return [{ start: startOf(child), end: startOf(next), text: '' }]
    const previous = siblings[index - 1]
    if (previous) return [{ start: previous.value.end, end: child.value.end, text: '' }]
    return [{ start: holder.value.start + 1, end: holder.value.end - 1, text: '' }]
  }

  // --- adding

  #insert(path: JsonPath, name: string, value: unknown): TextEdit[] | undefined {
    const holder = this.#own(path)
    if (!holder) return undefined
    if (this.#isEmpty(path)) {
      const colon = this.#text.indexOf(':', holder.key!.end) + 1
      return [{ start: colon, end: colon, text: ` { ${this.#member(name, value, true)} }` }]
    }
    const children = this.#children(path)
    if (!children) return undefined
    if (this.#isFlow(path)) return this.#insertIntoFlow(holder, children, name, value)
    const last = children.at(-1)
    if (!last?.key) return undefined
    const indent = ' '.repeat(last.key.start - this.#lineStart(last.key.start))
    const end = this.#contentEnd(last)
    return [{ start: end, end, text: `${this.#newline}${indent}${this.#member(name, value, false)}` }]
  }

  #insertIntoFlow(holder: Child, children: Child[], name: string, value: unknown): TextEdit[] {
    const member = this.#member(name, value, true)
    const last = children.at(-1)
    const [first] = children
    if (!last || !first) {
      const space = this.#isJson ? '' : ' '
      return [{ start: holder.value.start + 1, end: holder.value.end - 1, text: `${space}${member}${space}` }]
    }
    // A line for each where the first one has a line of its own.
    const lead = this.#text.slice(holder.value.start + 1, startOf(first))
    const separator = /[\r\n]/.test(lead)
      ? `,${lead.slice(lead.search(/[\r\n]/))}`
      : this.#isCompact(holder)
        ? ','
        : ', '
    return [{ start: last.value.end, end: last.value.end, text: `${separator}${member}` }]
  }

  /** JSON without spaces between its parts. */
  #isCompact({ value }: Child): boolean {
    return this.#isJson && /":\S/.test(this.#slice(value))
  }

  #member(name: string, value: unknown, isFlow: boolean): string {
    if (this.#isJson) return `${JSON.stringify(name)}: ${spaced(value)}`
    return `${plainOrQuoted(name, isFlow)}: ${flowText(value, isFlow)}`
  }

  /** A text in the quotes that the present one has. */
  #quotedLike(written: string, text: string, isFlow: boolean): string {
    if (this.#isJson || written.startsWith('"')) return JSON.stringify(text)
    if (written.startsWith("'")) return singleQuoted(text)
    return plainOrQuoted(text, isFlow)
  }
}

function isJson({ text = '' }: SourceDocument): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function startOf({ key, value }: Child): number {
  return key?.start ?? value.start
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Quotes of which none has to be escaped, where there are such. */
function singleQuoted(text: string): string {
  // eslint-disable-next-line no-control-regex -- what only double quotes can hold
  return /[\u0000-\u001f\u007f-\u009f]/.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`
}

/** What YAML reads as something else than a text (1.2 and, for the sake of older readers, 1.1). */
const OTHER_THAN_TEXT =
  /^(|~|null|true|false|yes|no|on|off|y|n|[-+]?(\.\d|\d).*|[-+]?\.(inf|nan)|0x.*|0o.*|=|<<|---.*|\.\.\.)$/i

function plainOrQuoted(text: string, isFlow: boolean): string {
  const isSafe =
    !OTHER_THAN_TEXT.test(text) &&
    !/^[\s\-?:,[\]{}#&*!|>'"%@`]|[\s:]$|:\s|\s#/.test(text) &&
    // eslint-disable-next-line no-control-regex -- what no plain text can hold
    !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text) &&
    !(isFlow && /[,[\]{}]/.test(text))
  if (isSafe) return text
  return text.includes("'") && !text.includes('"') ? JSON.stringify(text) : singleQuoted(text)
}

/** A value on one line. */
function flowText(value: unknown, isFlow: boolean): string {
  if (typeof value === 'string') return plainOrQuoted(value, isFlow)
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, true)).join(', ')}]`
  if (!isContainer(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, inner]) => `${plainOrQuoted(name, true)}: ${flowText(inner, true)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** JSON on one line, as people write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (!isContainer(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${spaced(inner)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
