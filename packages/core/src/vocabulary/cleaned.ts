import type { Diagnostic } from '../diagnostics.js'
import { isObject, type Node } from '../source/workspace.js'
import { validateAnnotation } from './validate.js'
import type { Scope } from './definitions.js'

/**
 * An annotation without what is wrong in it, so that the layers above can take its shape for granted and still say what
 * else is wrong: all findings at once, not one layer after the other. Undefined where nothing of it is usable.
 */
export function cleanedAnnotation<T>(scope: Scope, node: Node, depth = 0): T | undefined {
  const findings = validateAnnotation(scope, node)
  if (findings.length === 0) return node.value as T
  const remove = findings.map((f: Diagnostic) => f.path.slice(node.path.length))
  // A mistake inside a list takes the list with it: what is left of it would mean something else.
  if (remove.some((path) => path.length === 0)) {
    const missing = findings.every((f) => f.path.length > node.path.length || f.rule === 'x-agent-missing-field')
    if (!missing || !isObject(node.value)) return undefined
  }
  const cleaned = without(
    node.value,
    remove.filter((p) => p.length > 0),
    []
  )
  if (depth > 8) return undefined
  return (
    cleanedAnnotation<T>(scope, { ...node, value: cleaned }, depth + 1) ??
    (isObject(cleaned) ? (cleaned as T) : undefined)
  )
}

function without(value: unknown, remove: (string | number)[][], path: (string | number)[]): unknown {
  const hits = remove.filter((r) => r.length > path.length && path.every((segment, i) => segment === r[i]))
  if (hits.length === 0) return value
  if (!isObject(value)) return REMOVED
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (hits.some((r) => r.length === path.length + 1 && r[path.length] === key)) continue
    const kept = without(inner, remove, [...path, key])
    if (kept !== REMOVED) out[key] = kept
  }
  return out
}

const REMOVED = Symbol('removed')
