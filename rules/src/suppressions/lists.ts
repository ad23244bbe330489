import {
  at,
  child,
  elements,
  isObject,
  members,
  parsePointer,
  toPointer,
  type Diagnostic,
  type Node,
  type SourceDocument
} from '@openapi-mcp/core'
import { pathFrom } from '../config/paths.js'
import { severityOf, type LintSettings } from '../settings.js'
import { isOwnRule, nearestRule, noSuchRule } from './rule-names.js'

/** A finding that a file holds back: document, rule and place, whatever the line. */
interface Entry {
  file: string
  rule: string
  pointer: string
  node: Node
}

/** A document that was checked: the addresses of all that was read for it, and the settings. */
export interface LintRun {
  documents: readonly string[]
  settings: LintSettings
}

/** Findings, parted by a list of those that are held back. */
export interface Parted<T> {
  kept: T[]
  suppressed: T[]
  /** About the lists themselves: what is wrong with them, and what they list in vain. */
  own: Diagnostic[]
}

const BASELINE_VERSION = 1

/**
 * Findings that a file holds back: the ignore file, which people write, or the baseline, which the command writes. Both map documents to rules
 * to JSON Pointers; documents are paths from the folder of the file.
 */
export class SuppressionList {
  readonly document: SourceDocument
  /** What is wrong with the file. */
  readonly problems: Diagnostic[]
  /** The documents that it names, with the places of their names. */
  readonly files = new Map<string, Node>()
  readonly #folder: string
  readonly #entries: Entry[] = []
  readonly #missing = new Set<string>()
  /** Rules that are not ours, with the places of their names. */
  readonly #unknown: { file: string; rule: string; node: Node }[] = []

  constructor(document: SourceDocument, kind: 'ignore file' | 'baseline') {
    this.document = document
    this.problems = [...document.diagnostics]
    this.#folder = new URL('.', document.uri).href
    const root: Node = { document, path: [], value: document.value }
    if (root.value === null || root.value === undefined) return
    const map = kind === 'baseline' ? this.#findingsOf(root) : root
    if (!map) return
    if (!isObject(map.value)) this.#refuse(map, `the ${kind} must be a map from documents to rules`)
    for (const [file, byRule] of members(map)) this.#readFile(file.replaceAll('\\', '/').replace(/^\.\//, ''), byRule)
  }

  #findingsOf(root: Node): Node | undefined {
    const version = child(root, 'version')
    if (version && version.value !== BASELINE_VERSION) {
      this.#refuse(version, `a baseline of version ${String(version.value)} cannot be read; write it anew`)
      return undefined
    }
    const findings = child(root, 'findings')
    if (!findings) this.#refuse(root, 'this is no baseline: it has no `findings`')
    return findings
  }

  #readFile(file: string, byRule: Node): void {
    if (!isObject(byRule.value)) return this.#refuse(byRule, 'a document must have a map from rules to JSON Pointers')
    this.files.set(file, byRule)
    for (const [rule, pointers] of members(byRule)) {
      if (!isOwnRule(rule)) this.#unknown.push({ file, rule, node: pointers })
      if (!Array.isArray(pointers.value)) {
        this.#refuse(pointers, 'a rule must have a list of JSON Pointers')
        continue
      }
      for (const node of elements(pointers)) {
        if (!isPointer(node.value)) this.#refuse(node, 'this must be a JSON Pointer such as /paths/~1items/get/x-agent')
        else this.#entries.push({ file, rule, pointer: node.value, node })
      }
    }
  }

  #refuse(node: Node, message: string): void {
    this.problems.push(at(node, { rule: 'config-invalid-value', severity: 'error', message }))
  }

  /** Says that a document that the list names does not exist. */
  setMissing(file: string): void {
    this.#missing.add(file)
  }

  /** Parts findings. One entry holds one finding back, so that a second one at the same place is new. */
  part<T>(findings: readonly T[], diagnosticOf: (finding: T) => Diagnostic, runs: readonly LintRun[]): Parted<T> {
    const open = new Map<string, Entry[]>()
    for (const entry of this.#entries) {
      const key = keyOf(entry)
      const known = open.get(key)
      if (known) known.push(entry)
      else open.set(key, [entry])
    }
    const kept: T[] = []
    const suppressed: T[] = []
    for (const finding of findings) {
      const { rule, uri, path } = diagnosticOf(finding)
      const entry = open.get(keyOf({ file: pathFrom(this.#folder, uri), rule, pointer: toPointer(path) }))?.shift()
      ;(entry ? suppressed : kept).push(finding)
    }
    const idle = [...open.values()].flat()
    return { kept, suppressed, own: [...this.problems, ...this.#unknownRules(idle, runs), ...this.#inVain(idle, runs)] }
  }

  /** Names that no rule has. Where there are foreign rules, those that held nothing back and are nearly the name of one of ours. */
  #unknownRules(idle: readonly Entry[], runs: readonly LintRun[]): Diagnostic[] {
    const isForeign = runs.some(({ settings }) => settings.foreignRules)
    const isSlip = ({ file, rule }: { file: string; rule: string }): boolean =>
      nearestRule(rule) !== undefined && idle.some((entry) => entry.file === file && entry.rule === rule)
    return this.#unknown
      .filter((name) => !isForeign || isSlip(name))
      .map(({ rule, node }) =>
        at(node, { rule: 'unknown-suppression', severity: 'warning', message: noSuchRule(rule), on: 'key' })
      )
  }

  /** Entries that held nothing back: of documents that were checked, under rules that ran, and of documents that do not exist. */
  #inVain(entries: readonly Entry[], runs: readonly LintRun[]): Diagnostic[] {
    const report = (node: Node, message: string, on: 'key' | 'value'): Diagnostic =>
      at(node, { rule: 'unused-suppression', severity: 'warning', message, on })
    const checked = new Map<string, LintSettings[]>()
    for (const { documents, settings } of runs) {
      for (const uri of documents) {
        const file = pathFrom(this.#folder, uri)
        const known = checked.get(file)
        if (known) known.push(settings)
        else checked.set(file, [settings])
      }
    }
    // Unknown rules are told of by their names.
    const unused = entries.filter(
      ({ file, rule }) => isOwnRule(rule) && checked.get(file)?.some((s) => severityOf(rule, s) !== 'off')
    )
    return [
      ...unused.map(({ node, file, rule }) =>
        report(node, `${file} has no finding of ${rule} at this place any more`, 'value')
      ),
      ...[...this.#missing]
        .filter((file) => !checked.has(file))
        .map((file) => report(this.files.get(file)!, `there is no document ${file}`, 'key'))
    ]
  }

  /** What the list has of documents that exist, as far as they pass a test. */
  entriesOf(test: (file: string) => boolean): Pick<Entry, 'file' | 'rule' | 'pointer'>[] {
    return this.#entries
      .filter(({ file }) => !this.#missing.has(file) && test(file))
      .map(({ file, rule, pointer }) => ({ file, rule, pointer }))
  }
}

/** Findings, parted by several lists, one after the other. */
export function partedBy<T>(
  lists: readonly SuppressionList[],
  findings: readonly T[],
  diagnosticOf: (finding: T) => Diagnostic,
  runs: readonly LintRun[]
): Parted<T> {
  const all: Parted<T> = { kept: [...findings], suppressed: [], own: [] }
  for (const list of lists) {
    const { kept, suppressed, own } = list.part(all.kept, diagnosticOf, runs)
    all.kept = kept
    all.suppressed.push(...suppressed)
    all.own.push(...own)
  }
  return all
}

/**
 * The text of a baseline at an address: the findings of a run, and what the one before has of documents that were not checked in it and still
 * exist. In stable order, a finding on each line.
 */
export function updatedBaseline(
  uri: string,
  findings: readonly Diagnostic[],
  runs: readonly LintRun[],
  before?: SuppressionList
): string {
  const folder = new URL('.', uri).href
  const checked = new Set(runs.flatMap(({ documents }) => documents.map((document) => pathFrom(folder, document))))
  return baselineText([
    ...(before?.entriesOf((file) => !checked.has(file)) ?? []),
    ...findings.map(({ rule, uri: document, path }) => ({
      file: pathFrom(folder, document),
      rule,
      pointer: toPointer(path)
    }))
  ])
}

function baselineText(entries: readonly Pick<Entry, 'file' | 'rule' | 'pointer'>[]): string {
  const sorted = entries.toSorted(
    (a, b) => compare(a.file, b.file) || compare(a.rule, b.rule) || compare(a.pointer, b.pointer)
  )
  const findings: Record<string, Record<string, string[]>> = {}
  for (const { file, rule, pointer } of sorted) {
    const byRule = (findings[file] ??= {})
    ;(byRule[rule] ??= []).push(pointer)
  }
  return `${JSON.stringify({ version: BASELINE_VERSION, findings }, null, 2)}\n`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function keyOf({ file, rule, pointer }: Pick<Entry, 'file' | 'rule' | 'pointer'>): string {
  return `${file}\n${rule}\n${pointer}`
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
