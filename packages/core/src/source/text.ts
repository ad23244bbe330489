/** A position as LSP counts it: zero-based line, UTF-16 code units from its start. */
export interface Position {
  line: number
  character: number
}

/** Half open. */
export interface Range {
  start: Position
  end: Position
}

/** Offsets into a text, half open. */
export interface Span {
  start: number
  end: number
}

/** Other words for a part of a text. */
export interface TextEdit extends Span {
  text: string
}

/** A text with edits made that do not overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(done, edit.start), edit.text)
    done = edit.end
  }
  return [...parts, text.slice(done)].join('')
}

/** Line starts of a text, for positions on demand. CR LF, LF and CR end a line, as in LSP. */
export class LineIndex {
  readonly #starts: Uint32Array
  readonly #length: number

  constructor(text: string) {
    this.#length = text.length
    // Counted first: a growing list of half a million lines would cost several times their size.
    let count = 1
    for (let end = endOfLine(text, 0); end >= 0; end = endOfLine(text, end)) count++
    this.#starts = new Uint32Array(count)
    let line = 0
    for (let end = endOfLine(text, 0); end >= 0; end = endOfLine(text, end)) this.#starts[++line] = end
  }

  get lineCount(): number {
    return this.#starts.length
  }

  positionAt(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.#length))
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= clamped) low = middle
      else high = middle - 1
    }
    return { line: low, character: clamped - this.#starts[low]! }
  }

  offsetAt({ line, character }: Position): number {
    const start = this.#starts[line]
    if (start === undefined) return this.#length
    return Math.min(start + character, this.#starts[line + 1] ?? this.#length)
  }

  rangeOf(span: Span): Range {
    return { start: this.positionAt(span.start), end: this.positionAt(span.end) }
  }
}

/** Offset behind the next line end at or after an offset, or -1. */
function endOfLine(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) return i + 1
  }
  return -1
}

/**
 * Text of the bytes of a document: UTF-8, or UTF-16 where a byte order mark says so. The mark itself is dropped, so that
 * positions count as editors count. Throws a TypeError where the bytes are no such text.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  return stripMarks(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes))
}

/** The text without byte order marks at its start. */
export function stripMarks(text: string): string {
  let start = 0
  while (text.charCodeAt(start) === 0xfeff) start++
  return start === 0 ? text : text.slice(start)
}
