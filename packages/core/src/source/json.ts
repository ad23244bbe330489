import type { JsonPath } from '../diagnostics.js'
import type { Span } from './text.js'
import type { DocumentTree, Located, SyntaxProblem } from './document.js'

/**
 * JSON text as a value. `JSON.parse` reads it; positions are found later, by skipping through the text, and only for the
 * places that are asked for. Text that does not parse goes through a tolerant parser, so that an editor keeps the rest.
 */
export async function parseJson(
  text: string
): Promise<{ value: unknown; tree: DocumentTree; problems: SyntaxProblem[] }> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return parseBrokenJson(text)
  }
  // JSON.parse keeps the last of equal keys and says nothing. Counting members on both sides finds that out at a
  // fraction of the cost of remembering every key.
  const { members, depth } = measure(text)
  if (depth > DEEPEST) throw new RangeError()
  const repeated = members !== countKeys(value)
  const tree = new JsonTree(text, repeated)
  return { value, tree, problems: repeated ? repeatedKeys(text) : [] }
}

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const COMMA = 44
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93

/** Offset behind the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
}

/** Deepest nesting that is read, far beyond any API: what walks over values recurses. */
const DEEPEST = 1000

function measure(text: string): { members: number; depth: number } {
  let members = 0
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i) - 1
    else if (code === COLON) members++
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > deepest) deepest = depth
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return { members, depth: deepest }
}

function countKeys(root: unknown): number {
  let count = 0
  const open: object[] = []
  if (root !== null && typeof root === 'object') open.push(root)
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) {
      for (const item of container) if (item !== null && typeof item === 'object') open.push(item)
    } else {
      for (const key in container) {
        count++
        const item = (container as Record<string, unknown>)[key]
        if (item !== null && typeof item === 'object') open.push(item)
      }
    }
  }
  return count
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

function skipSpace(text: string, offset: number): number {
  while (isSpace(text.charCodeAt(offset))) offset++
  return offset
}

/** Offset behind the value that starts at `start`; the text is known to be valid JSON. */
function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === QUOTE) return endOfString(text, start)
  let i = start
  if (code === OPEN_BRACE || code === OPEN_BRACKET) {
    let depth = 0
    for (; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (c === QUOTE) i = endOfString(text, i) - 1
      else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
      else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return i + 1
    }
    return text.length
  }
  while (i < text.length) {
    const c = text.charCodeAt(i)
    if (c === COMMA || c === CLOSE_BRACE || c === CLOSE_BRACKET || isSpace(c)) break
    i++
  }
  return i
}

interface Member {
  name: string | number
  key?: Span
  start: number
}

/** The children of one container, read as far as they were asked for. */
class Members {
  readonly #text: string
  readonly #isArray: boolean
  readonly #found: Member[] = []
  readonly #byName = new Map<string | number, Member>()
  /** Offset of the next child, or -1 when all are read. */
  #next: number

  constructor(text: string, start: number) {
    this.#text = text
    this.#isArray = text.charCodeAt(start) === OPEN_BRACKET
    this.#next = this.#enter(start + 1)
  }

  get(name: string | number, last: boolean): Member | undefined {
    const wanted = this.#isArray ? Number(name) : String(name)
    if (!last) {
      const known = this.#byName.get(wanted)
      if (known) return known
    }
    while (this.#next >= 0) {
      const member = this.#read()
      if (!last && member.name === wanted) return member
    }
    return this.#byName.get(wanted)
  }

  #enter(offset: number): number {
    const start = skipSpace(this.#text, offset)
    const code = this.#text.charCodeAt(start)
    return code === CLOSE_BRACE || code === CLOSE_BRACKET || start >= this.#text.length ? -1 : start
  }

  #read(): Member {
    const text = this.#text
    let start = this.#next
    let member: Member
    if (this.#isArray) member = { name: this.#found.length, start }
    else {
      const end = endOfString(text, start)
      const name = JSON.parse(text.slice(start, end)) as string
      const key = { start, end }
      start = skipSpace(text, skipSpace(text, end) + 1)
      member = { name, key, start }
    }
    this.#found.push(member)
    this.#byName.set(member.name, member)
    const after = skipSpace(text, endOfValue(text, start))
    this.#next = text.charCodeAt(after) === COMMA ? skipSpace(text, after + 1) : -1
    return member
  }
}

class JsonTree implements DocumentTree {
  readonly unshared = true
  readonly #text: string
  readonly #repeated: boolean
  readonly #members = new Map<number, Members>()

  constructor(text: string, repeated: boolean) {
    this.#text = text
    this.#repeated = repeated
  }

  locate(path: readonly (string | number)[]): Located | undefined {
    let start = skipSpace(this.#text, 0)
    let key: Span | undefined
    for (const segment of path) {
      const code = this.#text.charCodeAt(start)
      if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return undefined
      let members = this.#members.get(start)
      if (!members) this.#members.set(start, (members = new Members(this.#text, start)))
      const member = members.get(segment, this.#repeated)
      if (!member) return undefined
      key = member.key
      start = member.start
    }
    return { ...(key && { key }), value: { start, end: endOfValue(this.#text, start) } }
  }
}

/** Every key that stands twice in one object, at its later place. */
function repeatedKeys(text: string): SyntaxProblem[] {
  const problems: SyntaxProblem[] = []
  type Frame = { keys: Set<string> | undefined; name: string | number }
  const frames: Frame[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const frame = frames.at(-1)
    if (code === OPEN_BRACE) frames.push({ keys: new Set(), name: '' })
    else if (code === OPEN_BRACKET) frames.push({ keys: undefined, name: 0 })
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) frames.pop()
    else if (code === COMMA && frame && !frame.keys) frame.name = (frame.name as number) + 1
    else if (code === QUOTE) {
      const end = endOfString(text, i)
      if (frame?.keys && text.charCodeAt(skipSpace(text, end)) === COLON) {
        const name = JSON.parse(text.slice(i, end)) as string
        frame.name = name
        if (frame.keys.has(name))
          problems.push(
            repeatedKey(
              name,
              frames.map((f) => f.name),
              { start: i, end }
            )
          )
        frame.keys.add(name)
      }
      i = end - 1
    }
  }
  return problems
}

/** The finding about a key that stands twice in one object. */
export function repeatedKey(name: string, path: JsonPath, offset: Span): SyntaxProblem {
  return {
    rule: 'duplicate-key',
    message: `the key ${JSON.stringify(name)} stands twice in this object; only the last one counts`,
    path,
    offset,
    on: 'key'
  }
}

/** Behind the first few, syntax errors are consequences. */
export const MOST_PROBLEMS = 20

async function parseBrokenJson(
  text: string
): Promise<{ value: unknown; tree: DocumentTree; problems: SyntaxProblem[] }> {
  const { parseTree, getNodeValue, getLocation, printParseErrorCode, findNodeAtLocation } = await import('jsonc-parser')
  const errors: import('jsonc-parser').ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true })
  const span = (node: import('jsonc-parser').Node): Span => ({ start: node.offset, end: node.offset + node.length })
  const tree: DocumentTree = {
    unshared: true,
    locate(path) {
      const node = root && findNodeAtLocation(root, [...path])
      if (!node) return undefined
      const name = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined
      return { ...(name && { key: span(name) }), value: span(node) }
    }
  }
  const problems = errors.slice(0, MOST_PROBLEMS).map((error): SyntaxProblem => {
    const start = Math.min(error.offset, Math.max(0, text.length - 1))
    const words = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
    return {
      rule: 'json-syntax',
      message: `not valid JSON: ${words}`,
      path: getLocation(text, error.offset).path.filter((s) => s !== ''),
      offset: { start, end: Math.min(text.length, start + Math.max(1, error.length)) }
    }
  })
  if (problems.length === 0) {
    problems.push({ rule: 'json-syntax', message: 'not valid JSON', path: [], offset: { start: 0, end: 1 } })
  }
  return { value: root && (getNodeValue(root) as unknown), tree, problems }
}
