import {
  at,
  didYouMean,
  elements,
  isObject,
  members,
  nearest,
  parsePointer,
  toPointer,
  type Diagnostic,
  type Node,
  type SourceDocument
} from '@openapi-mcp/core'
import { rules } from '../registry.js'

/** A finding that a file holds back: document, rule and place, whatever the line. */
interface Entry {
  file: string
  rule: string
  pointer: string
  node: Node
  used: boolean
}

/**
 * Findings that a file holds back: the ignore file, which people write, or the baseline, which the command writes. Both map documents to rules
 * to JSON Pointers; documents are paths from the folder of the file.
 */
export class SuppressionList {
  readonly #entries: Entry[] = []
  readonly #byKey = new Map<string, Entry[]>()
  readonly problems: Diagnostic[]

  /** `key` is where the map stands in the document; the root where it is absent. */
  constructor(document: SourceDocument, key?: string) {
    this.problems = [...document.diagnostics]
    const root: Node = { document, path: [], value: document.value }
    const map = key === undefined ? root : members(root).find(([name]) => name === key)?.[1]
    if (!map || map.value === null || map.value === undefined) return
    if (!isObject(map.value)) this.#refuse(map, 'this must be a map from documents to rules')
    for (const [file, byRule] of members(map)) this.#readFile(normalized(file), byRule)
  }

  #readFile(file: string, byRule: Node): void {
    if (!isObject(byRule.value)) return this.#refuse(byRule, 'a document must have a map from rules to JSON Pointers')
    const ids = rules.map(({ id }) => id)
    for (const [rule, pointers] of members(byRule)) {
      if (!ids.includes(rule)) {
        const message = `there is no rule ${JSON.stringify(rule)}${didYouMean(nearest(rule, ids))}`
        this.problems.push(at(pointers, { rule: 'unknown-suppression', severity: 'warning', message, on: 'key' }))
      }
      if (!Array.isArray(pointers.value)) {
        this.#refuse(pointers, 'a rule must have a list of JSON Pointers')
        continue
      }
      for (const node of elements(pointers)) {
        if (!isPointer(node.value)) this.#refuse(node, 'this must be a JSON Pointer such as /paths/~1items/get/x-agent')
        else this.#add({ file, rule, pointer: node.value, node, used: false })
      }
    }
  }

  #refuse(node: Node, message: string): void {
    this.problems.push(at(node, { rule: 'config-invalid-value', severity: 'error', message }))
  }

  #add(entry: Entry): void {
    this.#entries.push(entry)
    const key = keyOf(entry.file, entry.rule, entry.pointer)
    const known = this.#byKey.get(key)
    if (known) known.push(entry)
    else this.#byKey.set(key, [entry])
  }

  /** Is a finding held back? One entry holds one finding back, so that a second one at the same place is new. */
  suppresses(file: string | undefined, { rule, path }: Pick<Diagnostic, 'rule' | 'path'>): boolean {
    if (file === undefined) return false
    const entry = this.#byKey.get(keyOf(file, rule, toPointer(path)))?.find((candidate) => !candidate.used)
    if (entry) entry.used = true
    return entry !== undefined
  }

  /** Entries that held nothing back, of documents that were checked and rules that ran. */
  unused(wasChecked: (file: string) => boolean, isOn: (rule: string) => boolean): Diagnostic[] {
    return this.#entries
      .filter(({ used, file, rule }) => !used && wasChecked(file) && isOn(rule))
      .map(({ node, rule, file }) =>
        at(node, {
          rule: 'unused-suppression',
          severity: 'warning',
          message: `${file} has no finding of ${rule} at this place any more`
        })
      )
  }

  /** What is listed of documents that pass the test. */
  entriesOf(test: (file: string) => boolean): { file: string; rule: string; pointer: string }[] {
    return this.#entries.filter(({ file }) => test(file)).map(({ file, rule, pointer }) => ({ file, rule, pointer }))
  }
}

/** The text of a baseline, in stable order, a finding on each line. */
export function baselineText(entries: readonly { file: string; rule: string; pointer: string }[]): string {
  const sorted = entries.toSorted(
    (a, b) => compare(a.file, b.file) || compare(a.rule, b.rule) || compare(a.pointer, b.pointer)
  )
  const findings: Record<string, Record<string, string[]>> = {}
  for (const { file, rule, pointer } of sorted) {
    const byRule = (findings[file] ??= {})
    ;(byRule[rule] ??= []).push(pointer)
  }
  return `${JSON.stringify({ version: 1, findings }, null, 2)}\n`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function keyOf(file: string, rule: string, pointer: string): string {
  return `${file}\n${rule}\n${pointer}`
}

function normalized(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '')
}

function isPointer(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    parsePointer(value)
    return true
  } catch {
    return false
  }
}
