import { isSlip, type Diagnostic, type JsonPath, type SourceDocument, type TextEdit } from '@openapi-mcp/core'
import type { Fix, FixContext } from './rule.js'

/** Where a finding points: its place, or the smaller one inside of it. */
export function placeOf({ path, within = [] }: Diagnostic): JsonPath {
  return [...path, ...within]
}

/** The value at a place, or undefined where there is none. */
export function valueAt(document: SourceDocument, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (value, segment) =>
      value !== null && typeof value === 'object' && Object.hasOwn(value, segment)
        ? (value as Record<string | number, unknown>)[segment]
        : undefined,
    document.value
  )
}

/** The key of a finding gets the name that is most likely meant, unless something of that name is there already. */
export function renameKey(finding: Diagnostic, { document, editor }: FixContext): Fix | undefined {
  const { path, suggestion } = finding
  if (suggestion === undefined || !isSlip(String(path.at(-1)), suggestion)) return undefined
  if (valueAt(document, [...path.slice(0, -1), suggestion]) !== undefined) return undefined
  return fixOf(`Rename to "${suggestion}"`, document, editor(document).renameKey(path, suggestion))
}

/** A name becomes the one that is most likely meant. In a list that has it already, it goes. */
export function replaceName(finding: Diagnostic, { document, editor }: FixContext): Fix | undefined {
  const { suggestion } = finding
  const path = placeOf(finding)
  const name = valueAt(document, path)
  if (suggestion === undefined || typeof name !== 'string' || !isSlip(name, suggestion)) return undefined
  const holder = valueAt(document, path.slice(0, -1))
  if (Array.isArray(holder) && holder.includes(suggestion))
    return fixOf(`Remove "${name}"`, document, editor(document).removeElement(path))
  return fixOf(`Replace by "${suggestion}"`, document, editor(document).replaceScalar(path, suggestion))
}

/** A text says what the finding proposes. */
export function reword(title: string, finding: Diagnostic, { document, editor }: FixContext): Fix | undefined {
  const { rewording } = finding
  const path = placeOf(finding)
  return rewording && fixOf(title, document, editor(document).replaceInScalar(path, rewording))
}

/** A fix of edits in one document; none where they cannot be made. */
export function fixOf(title: string, { uri }: SourceDocument, edits: TextEdit[] | undefined): Fix | undefined {
  return edits && { title, edits: edits.map((edit) => ({ uri, ...edit })) }
}
