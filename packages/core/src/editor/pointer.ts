import { isObject } from '../source/workspace.js'
import { listOf } from '../openapi/schema.js'
import type { JsonSchema } from '../tools/types.js'

/** Where a path leads in a form schema. No schemas: nothing is said about the place, so anything may stand there. */
export type Place = { schemas: JsonSchema[] } | { unknown: string; known: string[]; depth: number }

const IN_PLACE_LISTS = ['allOf', 'oneOf', 'anyOf']
const IN_PLACE = ['then', 'else']

/** The schemas that hold for a place, those of every alternative included. */
export function placeAt(schema: JsonSchema, path: readonly string[]): Place {
  let schemas = [schema]
  for (const [depth, name] of path.entries()) {
    const all = schemas.flatMap(inPlace)
    const next = all.flatMap((s) => inside(s, name))
    if (next.length === 0) {
      const known = [...new Set(all.flatMap((s) => (isObject(s['properties']) ? Object.keys(s['properties']) : [])))]
      const isOpen = all.some((s) => s['additionalProperties'] === true || isObject(s['patternProperties']))
      if (known.length > 0 && !isOpen) return { unknown: name, known, depth }
    }
    schemas = next
  }
  return { schemas: schemas.flatMap(inPlace) }
}

function inPlace(schema: JsonSchema): JsonSchema[] {
  const { dependentSchemas } = schema
  const inner = [
    ...IN_PLACE_LISTS.flatMap((key) => listOf(schema[key])),
    ...IN_PLACE.map((key) => schema[key]),
    ...(isObject(dependentSchemas) ? Object.values(dependentSchemas) : [])
  ]
  return [schema, ...inner.filter(isObject).flatMap(inPlace)]
}

function inside(schema: JsonSchema, name: string): JsonSchema[] {
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema
  const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (own !== undefined) return [own].filter(isObject)
  const element = isIndex(name) || name === '-' ? (listOf(prefixItems)[Number(name)] ?? items) : undefined
  const others = isObject(patternProperties) ? Object.values(patternProperties) : []
  return [element, ...others, additionalProperties].filter(isObject)
}

/** May null stand there? */
export function takesNull(schemas: readonly JsonSchema[]): boolean {
  const typed = schemas.filter((s) => s['type'] !== undefined || Array.isArray(s['enum']) || 'const' in s)
  return (
    typed.length === 0 ||
    typed.some((s) => listOf(s['type']).includes('null') || listOf(s['enum']).includes(null) || s['const'] === null)
  )
}

export function isIndex(name: string): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(name)
}

/** The value at a path; undefined where there is none. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data
  for (const name of path) {
    if (Array.isArray(value)) value = isIndex(name) ? value[Number(name)] : undefined
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** A copy in which the value at a path is another one, or gone where that is undefined. Containers on the way are made. */
export function withValue(
  data: unknown,
  path: readonly string[],
  value: unknown,
  isList: (path: string[]) => boolean,
  done: string[] = []
): { value: unknown } | { error: string } {
  const [name, ...rest] = path
  if (name === undefined) return { value }
  const holder = data ?? (isList(done) ? [] : {})
  const where = [...done, name]
  if (Array.isArray(holder)) {
    const index = name === '-' ? holder.length : isIndex(name) ? Number(name) : -1
    if (index < 0 || index > holder.length)
      return { error: `there is no element ${JSON.stringify(name)} in an array of ${holder.length}` }
    const inner = withValue(holder[index], rest, value, isList, where)
    if ('error' in inner) return inner
    return { value: holder.toSpliced(index, 1, ...(inner.value === undefined ? [] : [inner.value])) }
  }
  if (!isObject(holder)) return { error: 'what stands there has no parts' }
  const inner = withValue(Object.hasOwn(holder, name) ? holder[name] : undefined, rest, value, isList, where)
  if ('error' in inner) return inner
  const entries = Object.entries(holder).filter(([key]) => key !== name || inner.value !== undefined)
  const changed = entries.map(([key, old]) => [key, key === name ? inner.value : old] as const)
  if (!Object.hasOwn(holder, name) && inner.value !== undefined) changed.push([name, inner.value])
  return { value: Object.fromEntries(changed) }
}
