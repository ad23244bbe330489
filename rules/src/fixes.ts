import {
  documentEditors,
  parseDocument,
  toPointer,
  withEdits,
  type Diagnostic,
  type DocumentEditor,
  type Session,
  type SourceDocument
} from '@openapi-mcp/core'
import { lintDocument, type LintResult } from './lint.js'
import { rules } from './registry.js'
import type { Fix, FixEdit } from './rule.js'
import type { LintSettings } from './settings.js'

/** Rounds in which one fix may call for the next one. */
const ROUNDS = 10

/** The fix of each finding of a document that was linted in the session, undefined where there is none. */
export async function fixesOf(
  findings: readonly Diagnostic[],
  session: Session,
  source: string
): Promise<(Fix | undefined)[]> {
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]))
  if (!findings.some(({ rule }) => ruleOf.get(rule)?.fix)) return findings.map(() => undefined)
  const main = await session.open(source)
  const editorOf = await documentEditors()
  const editors = new Map<SourceDocument, DocumentEditor>()
  const editor = (document: SourceDocument): DocumentEditor => {
    const made = editors.get(document) ?? editorOf(document)
    editors.set(document, made)
    return made
  }
  return findings.map((finding) => {
    const document = session.workspace.get(finding.uri)
    if (document?.text === undefined || main.text === undefined) return undefined
    return ruleOf.get(finding.rule)?.fix?.(finding, { main, document, editor })
  })
}

/** A document that fixes changed. Texts have no byte order mark. */
export interface FixedText {
  uri: string
  before: string
  after: string
}

/** What lint says of the fixed texts, and how they came to be. */
export interface Fixed extends LintResult {
  texts: FixedText[]
  /** What was done, each with the finding that it mended. */
  applied: { finding: Diagnostic; fix: Fix }[]
}

export interface FixOptions extends LintSettings {
  /** May a document be changed? Default: those that are not on the web. */
  mayChange?: (uri: string) => boolean
  /** Is this finding to be mended? Default: every one is. */
  isWanted?: (finding: Diagnostic) => boolean
}

/**
 * Mends what can be mended in a document and in those that it refers to. Nothing is written: it gives texts. The session is one
 * of its own for this, and has the fixed texts as its buffers afterwards.
 */
export async function applyFixes(session: Session, source: string, options: FixOptions = {}): Promise<Fixed> {
  const mayChange = options.mayChange ?? ((uri: string) => !/^https?:/i.test(uri))
  const before = new Map<string, string>()
  const after = new Map<string, string>()
  const applied: Fixed['applied'] = []
  const harmful = new Set<string>()
  let linted = await lintDocument(session, source, options)
  for (let round = 1; round <= ROUNDS; round++) {
    const fixes = await fixesOf(linted.diagnostics, session, source)
    const candidates = linted.diagnostics.flatMap((finding, i) => {
      const fix = fixes[i]
      if (!fix?.edits.every(({ uri }) => mayChange(uri)) || harmful.has(keyOf(finding))) return []
      return options.isWanted?.(finding) === false ? [] : { finding, fix }
    })
    let chosen = withoutOverlaps(candidates)
    while (chosen.length > 0) {
      const texts = editedTexts(session, chosen)
      if (await isReadable(session, texts)) {
        for (const [uri, text] of texts) {
          if (!before.has(uri)) before.set(uri, textOf(session, uri))
          after.set(uri, text)
          session.setBuffer(uri, text, round)
        }
        break
      }
      // One of them does harm beside the others: fewer are tried, and one that does harm alone never again.
      if (chosen.length === 1) harmful.add(keyOf(chosen[0]!.finding))
      chosen = chosen.slice(0, chosen.length >> 1)
    }
    applied.push(...chosen)
    if (chosen.length > 0) linted = await lintDocument(session, source, options)
    else if (candidates.every(({ finding }) => harmful.has(keyOf(finding)))) break
  }
  const texts = [...after].map(([uri, text]) => ({ uri, before: before.get(uri)!, after: text }))
  return { texts: texts.filter((t) => t.before !== t.after), applied, ...linted }
}

function keyOf(finding: Diagnostic): string {
  return `${finding.rule} ${finding.uri} ${toPointer([...finding.path, ...(finding.within ?? [])])}`
}

/** The first fixes of which none touches another one. */
function withoutOverlaps<T extends { fix: Fix }>(candidates: T[]): T[] {
  const taken: FixEdit[] = []
  return candidates.filter(({ fix }) => {
    const touches = (a: FixEdit, b: FixEdit): boolean => a.uri === b.uri && a.start <= b.end && b.start <= a.end
    if (fix.edits.length === 0 || fix.edits.some((edit) => taken.some((other) => touches(edit, other)))) return false
    taken.push(...fix.edits)
    return true
  })
}

function editedTexts(session: Session, chosen: { fix: Fix }[]): Map<string, string> {
  const edits = chosen.flatMap(({ fix }) => fix.edits)
  const uris = new Set(edits.map(({ uri }) => uri))
  return new Map(
    [...uris].map((uri) => [
      uri,
      withEdits(
        textOf(session, uri),
        edits.filter((edit) => edit.uri === uri)
      )
    ])
  )
}

function textOf(session: Session, uri: string): string {
  return session.workspace.get(uri)!.text!
}

/** Do the texts have no more mistakes of syntax than they had? */
async function isReadable(session: Session, texts: ReadonlyMap<string, string>): Promise<boolean> {
  for (const [uri, text] of texts) {
    const { diagnostics } = await parseDocument(uri, text)
    if (diagnostics.length > session.workspace.get(uri)!.diagnostics.length) return false
  }
  return true
}
