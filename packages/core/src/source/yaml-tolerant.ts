import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseAllDocuments,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type YAMLMap
} from 'yaml'
import type { JsonPath } from '../diagnostics.js'
import type { DocumentTree, SyntaxProblem } from './document.js'
import { MOST_PROBLEMS } from './json.js'
import type { Span } from './text.js'
import { keyText, setOwn } from './yaml.js'

/**
 * YAML with errors in it, as far as it can be read. Slower than the event stream, but it recovers: what stands before and
 * beside an error keeps its value and its place.
 */
export function parseBrokenYaml(text: string): { value: unknown; tree: DocumentTree; problems: SyntaxProblem[] } {
  const document = parseFirst(text)
  const reader = new Reader(document)
  const value = reader.valueOf(document.contents as Node | null)
  const problems: SyntaxProblem[] = []
  for (const error of document.errors.slice(0, MOST_PROBLEMS)) {
    // A message in `yaml` ends in a picture of the line, which the reader of a finding has before them anyway.
    const message = error.message.replace(/ at line \d+, column \d+:?[\s\S]*$/, '')
    const repeated = error.code === 'DUPLICATE_KEY'
    const start = Math.min(error.pos[0], Math.max(0, text.length - 1))
    problems.push({
      rule: repeated ? 'duplicate-key' : error.code === 'MULTIPLE_DOCS' ? 'yaml-several-documents' : 'yaml-syntax',
      message: repeated
        ? 'this key stands twice in one mapping; only the last one counts'
        : `not valid YAML: ${message}`,
      path: pathAt(document, start),
      offset: { start, end: Math.max(start + 1, Math.min(error.pos[1], endOfLine(text, start))) }
    })
  }
  if (problems.length === 0) {
    problems.push({ rule: 'yaml-syntax', message: 'not valid YAML', path: [], offset: { start: 0, end: 1 } })
  }
  return { value, tree: { unshared: false, locate: (path) => locate(document, path) }, problems }
}

function parseFirst(text: string): Document {
  const options = { merge: true, uniqueKeys: true, prettyErrors: false, logLevel: 'silent' } as const
  try {
    return parseDocument(text, options) as Document
  } catch {
    const all = parseAllDocuments(text, options)
    return (Array.isArray(all) ? all[0]! : new (parseDocument('').constructor as typeof Document)(null)) as Document
  }
}

function endOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/[\r\n]/)
  return end < 0 ? text.length : offset + end
}

class Reader {
  readonly #document: Document
  readonly #known = new Map<Node, unknown>()

  constructor(document: Document) {
    this.#document = document
  }

  valueOf(node: Node | null | undefined, depth = 0): unknown {
    if (!node || depth > 2000) return null
    if (this.#known.has(node)) return this.#known.get(node)
    if (isAlias(node)) return this.valueOf(node.resolve(this.#document), depth + 1)
    if (isScalar(node)) return node.value
    if (isSeq(node)) {
      const array: unknown[] = []
      this.#known.set(node, array)
      for (const item of node.items) array.push(this.valueOf(isNode(item) ? item : undefined, depth + 1))
      return array
    }
    if (!isMap(node)) return null
    const object: Record<string, unknown> = {}
    this.#known.set(node, object)
    const merged: Record<string, unknown>[] = []
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const key = isScalar(pair.key) ? pair.key : undefined
      const value = this.valueOf(pair.value, depth + 1)
      if (isMerge(pair)) merged.push(...([value].flat() as Record<string, unknown>[]))
      else setOwn(object, keyText(key ? key.value : this.valueOf(pair.key, depth + 1)), value)
    }
    for (const source of merged) {
      if (source === null || typeof source !== 'object') continue
      for (const [key, value] of Object.entries(source)) if (!Object.hasOwn(object, key)) setOwn(object, key, value)
    }
    return object
  }
}

function isMerge(pair: Pair<Node, Node | null>): boolean {
  return (
    isScalar(pair.key) && pair.key.type === 'PLAIN' && (pair.key.value === '<<' || typeof pair.key.value === 'symbol')
  )
}

function spanOf(node: Node | null | undefined): Span | undefined {
  return node?.range ? { start: node.range[0], end: node.range[1] } : undefined
}

function findPair(map: YAMLMap, segment: string | number): Pair<Node, Node | null> | undefined {
  const pairs = map.items as Pair<Node, Node | null>[]
  return pairs.findLast((p) => keyText(isScalar(p.key) ? p.key.value : undefined) === String(segment))
}

function locate(document: Document, path: readonly (string | number)[]): { key?: Span; value: Span } | undefined {
  let node = document.contents as Node | null
  let key: Node | undefined
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document) ?? null
    if (isMap(node)) {
      const pair = findPair(node, segment)
      if (!pair) return undefined
      key = pair.key
      node = pair.value
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(segment)]
      if (!isNode(item)) return undefined
      key = undefined
      node = item
    } else return undefined
  }
  const keySpan = spanOf(key)
  const value = spanOf(node) ?? (keySpan && { start: keySpan.end, end: keySpan.end })
  return value && { ...(keySpan && { key: keySpan }), value }
}

/** The innermost place around an offset. */
function pathAt(document: Document, offset: number): JsonPath {
  const path: JsonPath = []
  let node = document.contents as Node | null
  const holds = (n: Node | null | undefined): boolean =>
    Boolean(n?.range && n.range[0] <= offset && offset < n.range[2])
  for (let depth = 0; depth < 1000; depth++) {
    if (isMap(node)) {
      const pair = (node.items as Pair<Node, Node | null>[]).find((p) => holds(p.value) || holds(p.key))
      if (!pair || !isScalar(pair.key)) return path
      path.push(keyText(pair.key.value))
      if (!holds(pair.value)) return path
      node = pair.value
    } else if (isSeq(node)) {
      const index = node.items.findIndex((item) => isNode(item) && holds(item))
      if (index < 0) return path
      path.push(index)
      node = node.items[index] as Node
    } else return path
  }
  return path
}
