import { commentsOf, didYouMean, nearest, type Diagnostic, type Range, type SourceDocument } from '@openapi-mcp/core'
import { rules } from '../registry.js'

/** The start of every directive: whoever has no such text in a document need not look further. */
const MARK = 'openapi-mcp-'

const DIRECTIVES = ['disable-next-line', 'disable-line', 'disable-file', 'disable', 'enable'] as const

type Directive = (typeof DIRECTIVES)[number]

/** A comment that holds findings back, with the lines on which it does: zero-based, both included. */
interface Suppression {
  directive: Directive
  /** Undefined for every rule. */
  rules: string[] | undefined
  first: number
  last: number
  offset: { start: number; end: number }
}

/** What comments of a document hold back, and what is wrong with them. */
export interface CommentSuppressions {
  /** Is this finding of the document held back? Remembers which comments were of use. */
  suppresses(finding: Diagnostic, range: Range | undefined): boolean
  /** Comments that held nothing back, once all findings were asked about; `isOn` tells which rules ran. */
  unused(isOn: (rule: string) => boolean): Diagnostic[]
  /** Directives and rules that do not exist. */
  problems: Diagnostic[]
}

/** The suppressions in the comments of a YAML document; undefined where there are none. */
export async function commentSuppressions(document: SourceDocument): Promise<CommentSuppressions | undefined> {
  if (!document.text?.includes(MARK)) return undefined
  const problems: Diagnostic[] = []
  const suppressions: Suppression[] = []
  const { text, lines } = document
  const lineOf = (offset: number): number => lines.rangeOf({ start: offset, end: offset }).start.line
  const comments = await commentsOf(document)
  const starts = new Set(comments.map(({ start }) => start))
  for (const { start, end, text: comment } of comments) {
    const match = /^#\s*openapi-mcp-([\w-]+)(.*)$/.exec(comment)
    if (!match) continue
    const [, word = '', rest = ''] = match
    const offset = { start, end }
    const report = (message: string): void =>
      void problems.push({
        rule: 'unknown-suppression',
        severity: 'warning',
        message,
        uri: document.uri,
        path: [],
        offset
      })
    const directive = DIRECTIVES.find((known) => known === word)
    if (!directive) {
      // The name of the tool in prose, such as `openapi-mcp-rules`, is no directive.
      const meant = nearest(word, DIRECTIVES)
      if (meant !== undefined) report(`there is no directive openapi-mcp-${word}${didYouMean(`openapi-mcp-${meant}`)}`)
      continue
    }
    const named = namesIn(rest)
    for (const name of named ?? []) {
      const ids = rules.map(({ id }) => id)
      if (!ids.includes(name)) report(`there is no rule ${JSON.stringify(name)}${didYouMean(nearest(name, ids))}`)
    }
    const line = lineOf(start)
    if (directive === 'enable') {
      endBlocks(suppressions, named, line)
      continue
    }
    const [first, last] =
      directive === 'disable-line'
        ? [line, line]
        : directive === 'disable-next-line'
          ? [nextLine(text, end, starts, lineOf), nextLine(text, end, starts, lineOf)]
          : directive === 'disable-file'
            ? [0, Infinity]
            : [line, Infinity]
    suppressions.push({ directive, rules: named, first, last, offset })
  }
  if (suppressions.length === 0 && problems.length === 0) return undefined
  const used = new Map<Suppression, Set<string>>(suppressions.map((suppression) => [suppression, new Set()]))
  return {
    problems,
    suppresses: ({ rule }, range) => {
      const line = range?.start.line ?? 0
      const found = suppressions.filter(
        (s) => s.first <= line && line <= s.last && (s.rules === undefined || s.rules.includes(rule))
      )
      for (const suppression of found) used.get(suppression)!.add(rule)
      return found.length > 0
    },
    unused: (isOn) =>
      suppressions.flatMap(({ rules: named, offset, ...own }) => {
        const of = used.get(suppressions.find((s) => s.offset === offset)!)!
        const idle = named?.filter((name) => !of.has(name) && isOn(name) && rules.some(({ id }) => id === name))
        if (named ? idle!.length === 0 : of.size > 0) return []
        const what = named ? ` for ${idle!.map((name) => JSON.stringify(name)).join(', ')}` : ''
        const message = `openapi-mcp-${own.directive} has nothing to hold back${what}`
        return [{ rule: 'unused-suppression', severity: 'warning', message, uri: document.uri, path: [], offset }]
      })
  }
}

/** The rules behind a directive; what follows ` -- ` is the reason. Undefined where none is named. */
function namesIn(text: string): string[] | undefined {
  const [list = ''] = text.split(/(?:^|\s)--(?:\s|$)/, 1)
  const names = list.split(/[\s,]+/).filter((name) => name !== '')
  return names.length > 0 ? names : undefined
}

function endBlocks(suppressions: Suppression[], named: string[] | undefined, line: number): void {
  for (const [index, suppression] of suppressions.entries()) {
    if (suppression.directive !== 'disable' || suppression.last !== Infinity) continue
    if (named === undefined || suppression.rules?.every((name) => named.includes(name))) suppression.last = line
    else if (suppression.rules?.some((name) => named.includes(name))) {
      const rest = suppression.rules.filter((name) => !named.includes(name))
      suppressions.splice(index, 1, {
        ...suppression,
        rules: suppression.rules.filter((n) => named.includes(n)),
        last: line
      })
      suppressions.push({ ...suppression, rules: rest })
    }
  }
}

/** The line behind an offset that holds more than space and a comment. */
function nextLine(
  text: string,
  from: number,
  comments: ReadonlySet<number>,
  lineOf: (offset: number) => number
): number {
  for (let at = from; at < text.length;) {
    const next = text.slice(at).search(/\S/)
    if (next < 0) return Infinity
    if (!comments.has(at + next)) return lineOf(at + next)
    const end = text.slice(at + next).search(/[\r\n]/)
    if (end < 0) return Infinity
    at += next + end
  }
  return Infinity
}
