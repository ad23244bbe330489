import type { TextEdit } from './source/text.js'

/** A place in a document: object keys as strings, array indexes as numbers. Empty for the document itself. */
export type JsonPath = (string | number)[]

export type Severity = 'error' | 'warning' | 'info' | 'hint'

/** What a finding points at besides its own place. */
export interface RelatedLocation {
  uri: string
  path: JsonPath
  message: string
}

/** A finding. Plain data: ranges are looked up from `uri` and `path` when someone shows it (`Session.rangeOf`). */
export interface Diagnostic {
  /** Rule id, such as `x-agent-unknown-field`. */
  rule: string
  severity: Severity
  message: string
  /** The document in which the cause is written. */
  uri: string
  /** The place of the cause in that document. */
  path: JsonPath
  /** What to underline: the key at `path` or its value (the default). */
  on?: 'key' | 'value'
  /** Segments below `path`, where a smaller place than `path` is to be underlined. */
  within?: JsonPath
  /** Offset in the text, for findings about text that has no JSON path of its own (syntax errors). */
  offset?: { start: number; end: number }
  related?: RelatedLocation[]
  /** The replacement that is most likely meant, for messages and fixes. */
  suggestion?: string
  /** What the text at the place should say instead: edits of the text as it is read, which is not always how it is written. */
  rewording?: TextEdit[]
}

/** Thrown where a document is refused. `message` lists every error with its JSON path. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly diagnostics: Diagnostic[]

  constructor(diagnostics: Diagnostic[]) {
    const errors = diagnostics.filter((d) => d.severity === 'error')
    const first = errors[0] ?? diagnostics[0]
    const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
    super(
      `${first ? displayUri(first.uri) : 'the document'} is refused (${count}):\n` +
        errors.map((d) => `  ${toJsonPath(d.path)}: ${d.message} [${d.rule}]`).join('\n')
    )
    this.diagnostics = diagnostics
  }
}

/** Thrown where a call cannot be carried out as asked: an unknown profile, an unreadable source. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** JSON Pointer (RFC 6901) of a path. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((s) => '/' + String(s).replaceAll('~', '~0').replaceAll('/', '~1')).join('')
}

/** Segments of a JSON Pointer, all as strings. Throws a SyntaxError where the text is no pointer. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new SyntaxError(`A JSON Pointer starts with "/": ${pointer}`)
  return pointer
    .slice(1)
    .split('/')
    .map((s) => s.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The path as RFC 9535 JSONPath in its short form: `$.paths['/pets/{id}'].get['x-agent']`. */
export function toJsonPath(path: readonly (string | number)[]): string {
  let text = '$'
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(segment)) text += `.${segment}`
    else text += `['${escapeName(segment)}']`
  }
  return text
}

function escapeName(name: string): string {
  const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' }
  // eslint-disable-next-line no-control-regex -- RFC 9535 escapes the C0 controls
  return name.replace(/[\\'\u0000-\u001f]/g, (c) =>
    c === "'" || c === '\\' ? `\\${c}` : (short[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  )
}

/** A URI as people write it: a path for files, the address itself otherwise. */
export function displayUri(uri: string): string {
  if (!uri.startsWith('file:')) return withoutCredentials(uri)
  try {
    return decodeURIComponent(new URL(uri).pathname)
  } catch {
    return uri
  }
}

/** An address may carry a name and a password; nobody is to read them in a finding or a log. */
function withoutCredentials(uri: string): string {
  return uri.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, '$1')
}

const severityOrder: Record<Severity, number> = { error: 0, warning: 1, info: 2, hint: 3 }

/** Is `severity` at least as severe as `threshold`? */
export function atLeast(severity: Severity, threshold: Severity): boolean {
  return severityOrder[severity] <= severityOrder[threshold]
}

/** What makes two findings the same one: the rule, the document and the place. */
export function findingKey({ rule, uri, path, within = [], offset }: Diagnostic): string {
  return `${rule}\n${uri}\n${toPointer(path)}\n${toPointer(within)}\n${offset?.start ?? ''}`
}

/**
 * Collects findings, each once per rule, document and place: a shared definition is looked at from many operations and
 * its mistake is still one mistake.
 */
export class DiagnosticBag {
  readonly #byKey = new Map<string, Diagnostic>()

  add(diagnostic: Diagnostic): void {
    const key = findingKey(diagnostic)
    const known = this.#byKey.get(key)
    if (!known || severityOrder[diagnostic.severity] < severityOrder[known.severity]) this.#byKey.set(key, diagnostic)
  }

  addAll(diagnostics: Iterable<Diagnostic>): void {
    for (const diagnostic of diagnostics) this.add(diagnostic)
  }

  get all(): Diagnostic[] {
    return [...this.#byKey.values()]
  }
}
