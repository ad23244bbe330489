import { parsePointer, toPointer } from '../diagnostics.js'
import { listOf } from '../openapi/schema.js'
import { isObject } from '../source/workspace.js'
import type { ArgumentError } from '../tools/validate-arguments.js'
import type { JsonSchema } from '../tools/types.js'
import { didYouMean, nearest } from '../vocabulary/suggestions.js'
import type { CompiledLayout, Field, LayoutState, Suggestion } from './layout.js'
import { placeAt, takesNull, valueAt, withValue } from './pointer.js'
import type { FormSchema } from './schema.js'

/** What forms of one schema have in common. */
export interface FormKind {
  schema: FormSchema
  layout: CompiledLayout
  validate(value: unknown): { value: unknown } | { errors: ArgumentError[] }
  /** Parts of the document that the tool sets: the form does not have them. */
  fixed: Readonly<Record<string, unknown>>
}

/** Why an edit was not made; undefined where it was. */
export type Refusal = { error: string } | { errors: ArgumentError[] } | undefined

export interface ArrayEdit {
  action: 'append' | 'insert' | 'remove' | 'move'
  index?: number | undefined
  to?: number | undefined
  value?: unknown
}

/** A document under edit. Its draft may be invalid, but never of another shape than the form can show. */
export class Form {
  readonly #kind: FormKind
  readonly #state: LayoutState
  #data: unknown
  #errors: ArgumentError[] = []

  /** `data` may come from anywhere: what the schema does not let through is left out of it where that can be told. */
  constructor(kind: FormKind, data: unknown) {
    this.#kind = kind
    const cleaned = this.#withoutFixed(this.#withoutForbidden(withoutNulls(data, kind.schema.fields)))
    this.#state = kind.layout.open(cleaned)
    this.#take(cleaned)
  }

  get kind(): FormKind {
    return this.#kind
  }

  get data(): unknown {
    return this.#data
  }

  get errors(): ArgumentError[] {
    return this.#errors
  }

  fields(): Field[] {
    const own = this.#state.fields().filter(({ path }) => !this.#isFixed(parsePointer(path)))
    return own.map((field) =>
      field.variants ? field : { ...field, value: valueAt(this.#data, parsePointer(field.path)) }
    )
  }

  replace(data: unknown): Refusal {
    const next = this.#withoutFixed(withoutNulls(data, this.#kind.schema.fields))
    const checked = this.#validate(next)
    const known = new Set(this.#errors.map((e) => `${e.path} ${e.keyword}`))
    const misfits = 'errors' in checked ? checked.errors.filter((e) => e.keyword === 'type') : []
    const added = misfits.filter((e) => !known.has(`${e.path} ${e.keyword}`))
    if (added.length > 0) return { errors: added }
    const before = this.#data
    try {
      this.#state.data = next
      this.#take(next)
    } catch (error) {
      this.#state.data = before
      this.#take(before)
      return { error: `the form cannot show that: ${error instanceof Error ? error.message : String(error)}` }
    }
    return undefined
  }

  set(pointer: string, value: unknown): Refusal {
    if (pointer.endsWith('/$oneOf')) {
      if (!Number.isSafeInteger(value) || !this.#state.choose(pointer, value as number))
        return { error: `${pointer} is no choice between variants, or has no variant ${JSON.stringify(value)}` }
      this.#take(this.#state.data)
      return undefined
    }
    const found = this.#find(pointer)
    if ('error' in found) return found
    const { path, schemas } = found
    if (schemas.length > 0 && schemas.every((s) => s['readOnly'] === true)) return { error: `${pointer} is read-only` }
    // A form that is emptied gives null; where there can be none the value goes.
    const next = value === null && !takesNull(schemas) ? undefined : value
    return this.#put(path, path.length === 0 ? (next ?? {}) : next)
  }

  edit(pointer: string, { action, index, to, value }: ArrayEdit): Refusal {
    const found = this.#find(pointer)
    if ('error' in found) return found
    const { path, schemas } = found
    const current = valueAt(this.#data, path)
    const isList = Array.isArray(current) || (current === undefined && (schemas.length === 0 || schemas.some(isArray)))
    if (!isList) return { error: `${pointer} is no array` }
    const list: unknown[] = Array.isArray(current) ? current : []
    const within = (i: number | undefined, end: number): i is number => i !== undefined && i >= 0 && i < end
    const outside = (name: string, end: number): Refusal => ({
      error: `${name} must be ${end === 0 ? 'left out: the array is empty' : `from 0 to ${end - 1}`}, the array has ${list.length} elements`
    })
    if ((action === 'append' || action === 'insert') && value === undefined) return { error: `${action} needs a value` }
    switch (action) {
      case 'append':
        return this.#put(path, [...list, value])
      case 'insert':
        return within(index, list.length + 1)
          ? this.#put(path, list.toSpliced(index, 0, value))
          : outside('index', list.length + 1)
      case 'remove':
        return within(index, list.length) ? this.#put(path, list.toSpliced(index, 1)) : outside('index', list.length)
      case 'move': {
        if (!within(index, list.length)) return outside('index', list.length)
        if (!within(to, list.length)) return outside('to', list.length)
        return this.#put(path, list.toSpliced(index, 1).toSpliced(to, 0, list[index]))
      }
    }
  }

  /** Values that a field allows, else those that its layout lists. */
  async suggestions(pointer: string, query: string): Promise<{ items: Suggestion[] } | { error: string }> {
    const fromVariants = this.fields().find((f) => f.path === pointer)?.variants
    if (fromVariants) return { items: fromVariants.map(({ index, title }) => ({ value: index, title })) }
    const found = this.#find(pointer)
    if ('error' in found) return found
    const wanted = query.toLowerCase()
    let items: Suggestion[] | undefined = await this.#state.suggestions(pointer, query)
    if (!items || items.length === 0) {
      const elements = [...found.schemas, ...found.schemas.flatMap((s) => elementsOf(s))]
      items = elements.flatMap(allowedBy)
    }
    const seen = new Set<string>()
    const distinct = items.filter(({ value }) => {
      const text = JSON.stringify(value)
      return !seen.has(text) && seen.add(text)
    })
    return {
      items: distinct.filter(
        ({ value, title }) => title.toLowerCase().includes(wanted) || String(value).toLowerCase().includes(wanted)
      )
    }
  }

  #put(path: string[], value: unknown): Refusal {
    const isList = (at: string[]): boolean => {
      const place = placeAt(this.#kind.schema.fields, at)
      return 'schemas' in place && place.schemas.some(isArray)
    }
    const changed = withValue(this.#data, path, value, isList)
    if ('error' in changed) return { error: `${toPointer(path)}: ${changed.error}` }
    return this.replace(changed.value)
  }

  #find(pointer: string): { path: string[]; schemas: JsonSchema[] } | { error: string } {
    if (pointer !== '' && !pointer.startsWith('/'))
      return { error: `path must be a JSON Pointer such as /name, got ${JSON.stringify(pointer)}` }
    const path = parsePointer(pointer)
    if (this.#isFixed(path)) return { error: `${pointer} is set by the tool (fixed)` }
    const place = placeAt(this.#kind.schema.fields, path)
    if ('schemas' in place) return { path, schemas: place.schemas }
    // What the document has already may be changed, declared or not.
    if (valueAt(this.#data, path) !== undefined) return { path, schemas: [] }
    const { unknown, known, depth } = place
    const holder = toPointer(path.slice(0, depth))
    const help = didYouMean(nearest(unknown, known)) || `; there are ${known.slice(0, 20).join(', ')}`
    return {
      error: `there is no field ${JSON.stringify(unknown)} ${holder === '' ? 'in the form' : `in ${holder}`}${help}`
    }
  }

  /** What the layout made of the data, without what it only made up. */
  #take(own: unknown): void {
    this.#data = this.#withoutFixed(kept(own, this.#state.data ?? {}))
    const checked = this.#validate(this.#data)
    this.#errors = 'errors' in checked ? checked.errors : []
  }

  #validate(data: unknown): ReturnType<FormKind['validate']> {
    return this.#kind.validate(isObject(data) ? { ...data, ...this.#kind.fixed } : data)
  }

  #isFixed([name]: string[]): boolean {
    return name !== undefined && Object.hasOwn(this.#kind.fixed, name)
  }

  #withoutFixed(data: unknown): unknown {
    if (!isObject(data)) return data
    return Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(this.#kind.fixed, name)))
  }

  /** A service answers more than it takes. */
  #withoutForbidden(data: unknown): unknown {
    let cleaned = data
    // Each round may bring to light what lies deeper.
    for (let round = 0; round < 8; round++) {
      const checked = this.#validate(cleaned)
      const forbidden = 'errors' in checked ? checked.errors.filter((e) => FORBIDDING.has(e.keyword)) : []
      const before = cleaned
      for (const { path } of forbidden) cleaned = this.#withoutUndeclared(cleaned, parsePointer(path))
      if (cleaned === before) break
    }
    return cleaned
  }

  #withoutUndeclared(data: unknown, path: string[]): unknown {
    const holder = valueAt(data, path)
    if (!isObject(holder)) return data
    const declared = Object.entries(holder).filter(
      ([name]) => 'schemas' in placeAt(this.#kind.schema.fields, [...path, name])
    )
    if (declared.length === Object.keys(holder).length) return data
    const changed = withValue(data, path, Object.fromEntries(declared), () => false)
    return 'value' in changed ? changed.value : data
  }
}

const FORBIDDING = new Set(['additionalProperties', 'unevaluatedProperties'])

/** A layout takes what is empty for absent and fills gaps with null; a document that is sent whole must not change by that. */
function kept(own: unknown, shown: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(shown))
    return own.length === shown.length ? shown.map((value, i) => kept(own[i], value)) : own
  if (!isObject(own) || !isObject(shown)) {
    const isSameKind =
      own === undefined || own === null || (typeof own === typeof shown && Array.isArray(own) === Array.isArray(shown))
    return isSameKind ? shown : own
  }
  const entries = Object.entries(own).map(([name, value]) => [
    name,
    Object.hasOwn(shown, name) ? kept(value, shown[name]) : value
  ])
  const added = Object.entries(shown).filter(
    ([name, value]) => !Object.hasOwn(own, name) && value !== null && value !== undefined
  )
  return Object.fromEntries([...entries, ...added])
}

/** The data without nulls where the schema lets none through. */
function withoutNulls(data: unknown, schema: JsonSchema): unknown {
  const visit = (value: unknown, path: string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => visit(item, [...path, String(i)]))
    if (!isObject(value)) return value
    const entries = Object.entries(value).flatMap(([name, inner]) => {
      const at = [...path, name]
      if (inner !== null) return [[name, visit(inner, at)] as const]
      const place = placeAt(schema, at)
      return 'schemas' in place && !takesNull(place.schemas) ? [] : [[name, null] as const]
    })
    return Object.fromEntries(entries)
  }
  return visit(data, [])
}

function isArray(schema: JsonSchema): boolean {
  return listOf(schema['type']).includes('array')
}

function elementsOf(schema: JsonSchema): JsonSchema[] {
  const { items } = schema
  if (!isArray(schema) || !isObject(items)) return []
  return [items, ...[...listOf(items['oneOf']), ...listOf(items['anyOf'])].filter(isObject)]
}

function allowedBy(schema: JsonSchema): Suggestion[] {
  const title = typeof schema['title'] === 'string' ? schema['title'] : undefined
  if ('const' in schema) return [{ value: schema['const'], title: title ?? String(schema['const']) }]
  return listOf(schema['enum']).map((value) => ({ value, title: String(value) }))
}
