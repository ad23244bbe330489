import { commentsOf, didYouMean, nearest, type Diagnostic, type Range, type SourceDocument } from '@openapi-mcp/core'
import { isOwnRule, nearestRule, noSuchRule } from './rule-names.js'

/** The start of every directive: whoever has no such text in a document need not look further. */
const MARK = 'openapi-mcp-'

const DIRECTIVES = ['disable-next-line', 'disable-line', 'disable-file', 'disable', 'enable'] as const

type Directive = (typeof DIRECTIVES)[number]

/** Where a directive, or a rule that it names, is written. */
interface Offsets {
  start: number
  end: number
}

/** What a comment holds back: one rule, or every rule, on some lines. Zero-based, both included. */
interface Suppression {
  directive: Directive
  /** Undefined for every rule. */
  rule: string | undefined
  first: number
  last: number
  /** Rules that `enable` let through again, with the line of it, where every rule is held back. */
  enabled: Map<string, number>
  offset: Offsets
  isUsed: boolean
}

/** What comments of a document hold back, and what is wrong with them. */
export interface CommentSuppressions {
  /** Is this finding of the document held back? Remembers which comments were of use. */
  suppresses(finding: Diagnostic, range: Range | undefined): boolean
  /** Comments that held nothing back, once all findings were asked about; `isOn` tells which rules are on. */
  unused(isOn: (rule: string) => boolean): Diagnostic[]
  /** Directives and rules that do not exist. */
  problems: Diagnostic[]
}

/** The suppressions in the comments of a YAML document; undefined where there are none. `foreignRules`: see LintSettings. */
export async function commentSuppressions(
  document: SourceDocument,
  foreignRules = false
): Promise<CommentSuppressions | undefined> {
  if (!document.text?.includes(MARK)) return undefined
  const comments = await commentsOf(document)
  const reader = new DirectiveReader(document, new Set(comments.map(({ start }) => start)), foreignRules)
  for (const comment of comments) reader.read(comment)
  const { problems, suppressions, idle } = reader
  if (suppressions.length + problems.length + idle.length === 0) return undefined
  return {
    problems,
    suppresses: ({ rule }, range) => {
      const line = range?.start.line ?? 0
      const found = suppressions.filter((suppression) => holdsBack(suppression, rule, line))
      for (const suppression of found) suppression.isUsed = true
      return found.length > 0
    },
    unused: (isOn) => [
      ...suppressions
        .filter(({ isUsed, rule }) => !isUsed && (rule === undefined || isOn(rule)))
        .flatMap(({ directive, rule, offset }) => reader.unused(directive, rule, offset)),
      ...idle
    ]
  }
}

function holdsBack({ rule: named, first, last, enabled }: Suppression, rule: string, line: number): boolean {
  if (named !== undefined) return named === rule && first <= line && line <= last
  return first <= line && line <= (enabled.get(rule) ?? last)
}

class DirectiveReader {
  readonly problems: Diagnostic[] = []
  readonly suppressions: Suppression[] = []
  /** Findings about `enable` where nothing is held back. */
  readonly idle: Diagnostic[] = []
  readonly #document: SourceDocument
  readonly #text: string
  /** Where comments start. */
  readonly #comments: ReadonlySet<number>
  readonly #foreignRules: boolean

  constructor(document: SourceDocument, comments: ReadonlySet<number>, foreignRules: boolean) {
    this.#document = document
    this.#text = document.text ?? ''
    this.#comments = comments
    this.#foreignRules = foreignRules
  }

  read({ start, end, text }: Offsets & { text: string }): void {
    const match = /^#\s*openapi-mcp-([\w-]+)/.exec(text)
    if (!match) return
    const [head, word = ''] = match
    const directive = DIRECTIVES.find((known) => known === word)
    if (!directive) {
      // The name of the tool in prose, such as `openapi-mcp-rules`, is no directive.
      const meant = nearest(word, DIRECTIVES)
      if (meant === undefined) return
      return this.#unknown(`there is no directive ${MARK}${word}${didYouMean(`${MARK}${meant}`)}`, { start, end })
    }
    const named = namesIn(text.slice(head.length), start + head.length)
    const known = named.filter(({ name }) => this.#foreignRules || isOwnRule(name))
    if (!this.#foreignRules) this.#reportUnknown(named)
    // A comment whose only rule is misspelled means none, not every one.
    const targets = named.length === 0 ? [{ name: undefined, offset: { start, end } }] : known
    const line = this.#lineOf(start)
    const [first, last] = this.#linesOf(directive, line, end)
    for (const { name: rule, offset } of targets) {
      if (directive === 'enable') this.#enable(rule, line, offset)
      else
        this.suppressions.push({
          directive,
          rule,
          first,
          last,
          enabled: new Map<string, number>(),
          offset,
          isUsed: false
        })
    }
  }

  /** What to say of a directive that held nothing back. Whether a foreign rule ran is not known here. */
  unused(directive: Directive, rule: string | undefined, offset: Offsets): Diagnostic[] {
    if (rule !== undefined && !isOwnRule(rule)) {
      return nearestRule(rule) === undefined ? [] : [this.#finding('unknown-suppression', noSuchRule(rule), offset)]
    }
    const what = rule === undefined ? '' : ` for ${JSON.stringify(rule)}`
    return [this.#finding('unused-suppression', `${MARK}${directive} has nothing to hold back${what}`, offset)]
  }

  #linesOf(directive: Directive, line: number, end: number): [first: number, last: number] {
    switch (directive) {
      case 'disable-line':
        return [line, line]
      case 'disable-next-line': {
        const next = this.#nextLine(end)
        return [next, next]
      }
      case 'disable-file':
        return [0, Infinity]
      default:
        return [line, Infinity]
    }
  }

  /** Ends the blocks of a rule, or all blocks. */
  #enable(rule: string | undefined, line: number, offset: Offsets): void {
    let isIdle = true
    for (const block of this.suppressions) {
      if (block.directive !== 'disable' || block.last !== Infinity) continue
      if (rule === undefined || block.rule === rule) block.last = line
      else if (block.rule === undefined && !block.enabled.has(rule)) block.enabled.set(rule, line)
      else continue
      isIdle = false
    }
    if (!isIdle) return
    const what = rule === undefined ? '' : ` for ${JSON.stringify(rule)}`
    this.idle.push(this.#finding('unused-suppression', `${MARK}enable ends no ${MARK}disable${what}`, offset))
  }

  /** Words without a likely rule are mostly a reason that lacks its sign: what follows is not looked at. */
  #reportUnknown(named: readonly { name: string; offset: Offsets }[]): void {
    for (const { name, offset } of named) {
      if (isOwnRule(name)) continue
      const isWord = nearestRule(name) === undefined
      this.#unknown(`${noSuchRule(name)}${isWord ? '; a reason stands behind --' : ''}`, offset)
      if (isWord) return
    }
  }

  #unknown(message: string, offset: Offsets): void {
    this.problems.push(this.#finding('unknown-suppression', message, offset))
  }

  #finding(rule: string, message: string, offset: Offsets): Diagnostic {
    return { rule, severity: 'warning', message, uri: this.#document.uri, path: [], offset }
  }

  #lineOf(offset: number): number {
    return this.#document.lines.positionAt(offset).line
  }

  /** The line behind an offset that holds more than space and a comment. */
  #nextLine(from: number): number {
    const code = /\S/g
    const lineEnd = /[\r\n]|$/g
    for (code.lastIndex = from; ; code.lastIndex = lineEnd.lastIndex) {
      const next = code.exec(this.#text)
      if (!next) return Infinity
      if (!this.#comments.has(next.index)) return this.#lineOf(next.index)
      lineEnd.lastIndex = next.index
      lineEnd.exec(this.#text)
    }
  }
}

/** The rules behind a directive, with their places; what follows ` -- ` is the reason. */
function namesIn(text: string, from: number): { name: string; offset: Offsets }[] {
  const [list = ''] = text.split(/(?:^|\s)--(?:\s|$)/, 1)
  return [...list.matchAll(/[^\s,]+/g)].map(({ 0: name, index }) => ({
    name,
    offset: { start: from + index, end: from + index + name.length }
  }))
}
