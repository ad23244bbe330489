import type { Diagnostic, JsonPath } from '../diagnostics.js'
import { parseJson } from './json.js'
import { LineIndex, type Range, type Span } from './text.js'

/** Where a place of a document stands in its text. */
export interface Located {
  /** The key, quotes included, where the place is a member of an object. */
  key?: Span
  value: Span
}

/** Positions of a parsed text, computed when asked for. */
export interface DocumentTree {
  /** No value stands at two places: the text has no aliases. */
  readonly unshared: boolean
  locate(path: readonly (string | number)[]): Located | undefined
}

export interface SyntaxProblem {
  rule: 'yaml-syntax' | 'json-syntax' | 'duplicate-key' | 'yaml-merge-key' | 'yaml-alias' | 'yaml-several-documents'
  message: string
  path: JsonPath
  offset?: Span
  on?: 'key'
}

/**
 * One document: its value as plain JavaScript, its syntax findings, and positions on demand. The value is never changed
 * by anyone.
 */
export class SourceDocument {
  readonly uri: string
  readonly value: unknown
  /** Absent where the document was given as an object. */
  readonly text: string | undefined
  readonly version: number | undefined
  readonly diagnostics: Diagnostic[]
  readonly #tree: DocumentTree | undefined
  #lines: LineIndex | undefined

  constructor(
    uri: string,
    content: { value: unknown; text?: string; tree?: DocumentTree; problems?: SyntaxProblem[]; version?: number }
  ) {
    this.uri = uri
    this.value = content.value
    this.text = content.text
    this.version = content.version
    this.#tree = content.tree
    this.diagnostics = (content.problems ?? []).map((p) => ({ ...p, severity: 'error', uri }))
  }

  /** Is the value a tree, in which no object is met twice? Else a walk has to remember where it was. */
  get isTree(): boolean {
    return this.#tree?.unshared ?? false
  }

  get lines(): LineIndex {
    return (this.#lines ??= new LineIndex(this.text ?? ''))
  }

  /** Spans of a place, or undefined where the document has no text or no such place. */
  locate(path: readonly (string | number)[]): Located | undefined {
    return this.#tree?.locate(path)
  }

  /** The range of a finding: that of its place, or of the nearest place around it that exists. */
  rangeOf(finding: Pick<Diagnostic, 'path' | 'on' | 'within' | 'offset'>): Range | undefined {
    if (this.text === undefined) return undefined
    if (finding.offset) return this.lines.rangeOf(finding.offset)
    if (finding.within) {
      const inner = this.locate([...finding.path, ...finding.within])
      if (inner) return this.lines.rangeOf(inner.value)
    }
    for (let depth = finding.path.length; depth >= 0; depth--) {
      const located = this.locate(finding.path.slice(0, depth))
      if (!located) continue
      const exact = depth === finding.path.length
      const empty = located.value.start >= located.value.end
      const useKey = located.key && (empty || !exact || finding.on === 'key' || this.#isLong(located.value))
      return this.lines.rangeOf(useKey ? located.key! : this.#firstLine(located.value))
    }
    return this.lines.rangeOf({ start: 0, end: 0 })
  }

  /** Underlining half a file helps nobody: a value over several lines is shown by its key. */
  #isLong(span: Span): boolean {
    const end = this.text!.slice(span.start, span.end).search(/[\r\n]/)
    return end >= 0
  }

  #firstLine(span: Span): Span {
    const end = this.text!.slice(span.start, span.end).search(/[\r\n]/)
    return end < 0 ? span : { start: span.start, end: span.start + end }
  }
}

/** Reads a document from its text (without byte order mark). Never rejects: what is wrong becomes findings. */
export async function parseDocument(uri: string, text: string, version?: number): Promise<SourceDocument> {
  const extra = version === undefined ? {} : { version }
  try {
    return new SourceDocument(uri, { ...(await parseText(uri, text)), text, ...extra })
  } catch (error) {
    // The tolerant parsers recurse: text that nests thousands of levels deep ends them, whatever else is wrong in it.
    if (!(error instanceof RangeError)) throw error
    const rule = looksLikeJson(text) ? 'json-syntax' : 'yaml-syntax'
    const problem: SyntaxProblem = {
      rule,
      message: 'the text is nested too deeply',
      path: [],
      offset: { start: 0, end: 1 }
    }
    return new SourceDocument(uri, { value: undefined, problems: [problem], text, ...extra })
  }
}

async function parseText(
  uri: string,
  text: string
): Promise<{ value: unknown; tree: DocumentTree; problems: SyntaxProblem[] }> {
  if (looksLikeJson(text)) {
    const parsed = await parseJson(text)
    // A YAML flow mapping also starts with a brace: only what is called JSON must be JSON.
    if (!parsed.problems.some((p) => p.rule === 'json-syntax') || /\.json$/i.test(pathOf(uri))) return parsed
  }
  const { parseYaml } = await import('./yaml.js')
  return parseYaml(text)
}

/** What a text is shows in its first character; names lie, of addresses most of all. */
function looksLikeJson(text: string): boolean {
  const first = /\S/.exec(text)?.[0]
  return first === '{' || first === '['
}

function pathOf(uri: string): string {
  return uri.replace(/[?#].*$/, '')
}
