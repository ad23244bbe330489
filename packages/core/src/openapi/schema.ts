import type { JsonSchema } from '../tools/types.js'
import {
  child,
  elements,
  isObject,
  isObjectNode,
  members,
  type JsonObject,
  type Node,
  type ProblemReport,
  type Workspace
} from '../source/workspace.js'
import { hasLinearForm, unicodePattern } from './pattern.js'
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES } from './schema-keywords.js'

/** 3.0 has a dialect of its own; later versions speak JSON Schema 2020-12. */
export type Dialect = '3.0' | '2020-12'

/**
 * `inline`: self-contained, cycles cut to `{}`, equal parts shared in memory (x-agent vocabulary, "Loading").
 * `refs`: every referenced schema once under `$defs`, recursion kept: for validators, whose work then stays linear.
 */
export type SchemaForm = 'inline' | 'refs'

export interface TranslateOptions {
  workspace: Workspace
  dialect: Dialect
  form: SchemaForm
  /** Input leaves out what only the server sets (`readOnly`), output what only the client sends and what is excluded. */
  direction: 'input' | 'output'
  /** Largest number of schema nodes that one translator may write, shared parts counted each time. */
  budget: number
  onProblem: ProblemReport
  /** Keywords of other vocabularies that go through untouched. Default: none. */
  keep?: ReadonlySet<string>
}

/** Thrown out of a translation that would grow beyond its budget. Caught where the tool is built. */
export class SchemaTooLarge extends Error {}

/** Translated schema with the number of nodes it has when written out. */
interface Sized {
  schema: JsonSchema
  size: number
  /** Objects on the way down at which a cycle was cut; what holds below them is not reusable elsewhere. */
  cuts: ReadonlySet<object>
}

const NO_CUTS: ReadonlySet<object> = new Set()
const NOTHING_OMITTED: ReadonlySet<string> = new Set()

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'])

const MAPS = new Set<string>(SCHEMA_MAPS)
const LISTS = new Set<string>(SCHEMA_LISTS)
const SINGLES = new Set<string>(SCHEMA_SINGLES)
const COUNTS = new Set([
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties'
])
const TEXTS = new Set(['title', 'description', 'format', 'contentEncoding', 'contentMediaType'])
/**
 * What a part of an answer cannot keep: a projection and `exclude` take values away, and what is not required cannot be demanded by
 * another keyword.
 */
const NOT_IN_OUTPUT = new Set([
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'contains',
  'minContains',
  'maxContains',
  'minItems',
  'minProperties',
  'unevaluatedItems',
  'unevaluatedProperties'
])
const FLAGS = new Set(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'])

/** Translates schemas of a document to JSON Schema 2020-12. One instance per tool: its budget and `$defs` belong together. */
export class SchemaTranslator {
  readonly #options: TranslateOptions
  readonly #memo = new Map<object, Sized>()
  readonly #open = new Set<object>()
  readonly #names = new Map<object, string>()
  readonly #defs: Record<string, JsonSchema> = {}
  readonly #queue: (() => void)[] = []
  /** Nodes translated so far: bounds the time, where `size` bounds the result. */
  #work = 0

  constructor(options: TranslateOptions) {
    this.#options = options
  }

  /** The schema at a node. Throws SchemaTooLarge. */
  translate(node: Node): JsonSchema {
    const { schema, size } = this.#any(node, NOTHING_OMITTED)
    this.#spend(size)
    return schema
  }

  /**
   * One schema for several that hold together, such as a property that two parts of an `allOf` describe. `inside` are the
   * schemas around it that are spread: a reference back to one of them is a cycle.
   */
  translateAll(nodes: readonly Node[], inside: ReadonlySet<object>): JsonSchema {
    const added = this.#options.form === 'inline' ? [...inside].filter((value) => !this.#open.has(value)) : []
    for (const value of added) this.#open.add(value)
    try {
      if (nodes.length === 1) return this.translate(nodes[0]!)
      return { allOf: nodes.map((node) => this.translate(node)) }
    } finally {
      for (const value of added) this.#open.delete(value)
    }
  }

  /** The schema with the definitions that translated schemas refer to (form `refs`), made complete. */
  withDefs(schema: JsonSchema): JsonSchema {
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) job()
    return Object.keys(this.#defs).length > 0 ? { ...schema, $defs: this.#defs } : schema
  }

  #spent = 0
  #spend(size: number): void {
    this.#spent += size
    if (this.#spent > this.#options.budget) throw new SchemaTooLarge()
  }

  #any(node: Node, omit: ReadonlySet<string>): Sized {
    const { value } = node
    if (++this.#work > this.#options.budget) throw new SchemaTooLarge()
    if (typeof value === 'boolean') return leaf(value ? {} : { not: {} })
    if (!isObject(value)) return leaf({})
    if (typeof value['$ref'] === 'string') return this.#reference(node as Node<JsonObject>, omit)
    if ('$ref' in value) this.#options.onProblem(node, { rule: 'unresolved-ref', message: '`$ref` must be a text' })
    if (this.#open.has(value)) return this.#cut(node, value)
    return this.#target(node as Node<JsonObject>, omit)
  }

  /** A place that is being translated already: a cycle. */
  #cut(node: Node, value: object): Sized {
    if (this.#options.form === 'inline') return { schema: {}, size: 1, cuts: new Set([value]) }
    return leaf({ $ref: this.#define(node as Node<JsonObject>) })
  }

  #target(node: Node<JsonObject>, omit: ReadonlySet<string>): Sized {
    const known = omit.size === 0 ? this.#memo.get(node.value) : undefined
    if (known) return known
    this.#open.add(node.value)
    const result = this.#keywords(node, omit)
    this.#open.delete(node.value)
    if (result.size > this.#options.budget) throw new SchemaTooLarge()
    const cuts = new Set(result.cuts)
    cuts.delete(node.value)
    const sized = { ...result, cuts }
    if (cuts.size === 0 && omit.size === 0) this.#memo.set(node.value, sized)
    return sized
  }

  #reference(node: Node<JsonObject>, omit: ReadonlySet<string>): Sized {
    const { nodes, end } = this.#options.workspace.chain(node)
    if (!('node' in end)) {
      if ('problem' in end && end.problem.rule !== 'circular-ref') this.#options.onProblem(node, end.problem)
      return leaf({})
    }
    // From the target outwards: what stands beside the nearer reference comes last.
    return nodes.slice(0, -1).reduceRight(
      (inner, holder) => {
        const siblings = isObjectNode(holder) ? this.#siblings(holder) : undefined
        return siblings ? combine(inner, this.#target(siblings, omit)) : inner
      },
      this.#referenced(end.node, omit)
    )
  }

  #referenced(target: Node, omit: ReadonlySet<string>): Sized {
    if (!isObjectNode(target)) return this.#any(target, omit)
    if (this.#options.form === 'refs' && omit.size === 0) return leaf({ $ref: this.#define(target) })
    return this.#open.has(target.value) ? this.#cut(target, target.value) : this.#target(target, omit)
  }

  /** Keywords beside `$ref`: they hold in 2020-12; in 3.0 only the words an author put there are kept. */
  #siblings(node: Node<JsonObject>): Node<JsonObject> | undefined {
    const names = Object.keys(node.value).filter(
      (name) =>
        name !== '$ref' &&
        (!name.startsWith('x-') || this.#options.keep?.has(name)) &&
        (this.#options.dialect !== '3.0' || name === 'description')
    )
    if (names.length === 0) return undefined
    return { ...node, value: Object.fromEntries(names.map((name) => [name, node.value[name]])) }
  }

  #define(node: Node<JsonObject>): string {
    let name = this.#names.get(node.value)
    if (name === undefined) {
      name = `s${this.#names.size + 1}`
      this.#names.set(node.value, name)
      const key = name
      this.#queue.push(() => {
        this.#defs[key] = this.#target(node, NOTHING_OMITTED).schema
      })
    }
    return `#/$defs/${name}`
  }

  #keywords(node: Node<JsonObject>, omit: ReadonlySet<string>): Sized {
    const source = node.value
    const out: JsonSchema = {}
    const sum = new Sum()
    const omitted = this.#omitted(node, omit)
    const isOutput = this.#options.direction === 'output'
    for (const key of Object.keys(source)) {
      const value = source[key]
      const inner = child(node, key)!
      if (isOutput && NOT_IN_OUTPUT.has(key)) continue
      if (isOutput && key === 'oneOf') {
        // What is left of a value may fit several of the alternatives.
        if (Array.isArray(value) && value.length > 0 && !('anyOf' in source))
          out['anyOf'] = this.#list(inner, NOTHING_OMITTED, sum)
      } else if (MAPS.has(key)) {
        if (isObject(value)) out[key] = this.#map(inner, key === 'properties' ? omitted : NOTHING_OMITTED, sum)
      } else if (LISTS.has(key)) {
        if (Array.isArray(value) && value.length > 0)
          out[key] = this.#list(inner, key === 'allOf' ? omitted : NOTHING_OMITTED, sum)
      } else if (key === 'items' && Array.isArray(value)) {
        // a tuple of older drafts
        if (value.length > 0) out['prefixItems'] = this.#list(inner, NOTHING_OMITTED, sum)
        if (source['additionalItems'] !== undefined)
          out['items'] = sum.add(this.#any(child(node, 'additionalItems')!, NOTHING_OMITTED))
      } else if (SINGLES.has(key)) {
        if (typeof value === 'boolean' && /^(additional|unevaluated)/.test(key)) out[key] = value
        else if (isObject(value) || typeof value === 'boolean') out[key] = sum.add(this.#any(inner, NOTHING_OMITTED))
      } else if (key === 'pattern') {
        const pattern = typeof value === 'string' ? this.#pattern(inner, value) : undefined
        if (pattern !== undefined) out[key] = pattern
      } else if (this.#options.keep?.has(key)) setOwnSchema(out, key, value)
      else this.#plain(key, value, source, omitted, out)
    }
    if (Array.isArray(source['enum'])) sum.size += source['enum'].length >> 3
    if (listOf(out['type']).includes('array') && !('items' in out)) out['items'] = {}
    const schema = source['nullable'] === true ? nullable(out) : out
    return { schema, size: sum.size, cuts: sum.cuts }
  }

  #map(node: Node, omitted: ReadonlySet<string>, sum: Sum): JsonSchema {
    const out: JsonSchema = {}
    for (const [name, inner] of members(node)) {
      if (omitted.has(name)) continue
      const key = node.path.at(-1) === 'patternProperties' ? this.#pattern(inner, name) : name
      if (key === undefined) continue
      setOwnSchema(out, key, sum.add(this.#any(inner, NOTHING_OMITTED)))
    }
    return out
  }

  #pattern(node: Node, pattern: string): string | undefined {
    const mended = unicodePattern(pattern)
    if (mended === undefined) {
      const message = `the pattern ${JSON.stringify(pattern)} is no regular expression that a validator can compile; it is left out`
      this.#options.onProblem(node, { rule: 'openapi-pattern', message })
    } else if (!hasLinearForm(mended)) {
      const message = `the pattern ${JSON.stringify(pattern)} looks around or refers back, which cannot be checked in linear time; agents see it, and calls are not checked against it`
      this.#options.onProblem(node, { rule: 'openapi-pattern', message })
    }
    return mended
  }

  #list(node: Node, omitted: ReadonlySet<string>, sum: Sum): JsonSchema[] {
    return elements(node).map((inner) => sum.add(this.#any(inner, omitted)))
  }

  /** Keywords without schemas in them. What is no keyword of 2020-12, or malformed, is left out. */
  #plain(key: string, value: unknown, source: JsonObject, omitted: ReadonlySet<string>, out: JsonSchema): void {
    if (key === 'type') {
      const types = listOf(value).filter((t): t is string => typeof t === 'string' && TYPES.has(t))
      if (types.length > 0) out['type'] = Array.isArray(value) && types.length > 1 ? [...new Set(types)] : types[0]
    } else if (key === 'enum') {
      if (Array.isArray(value) && value.length > 0) out['enum'] = [...new Set<unknown>(value)]
    } else if (key === 'const' || key === 'default') out[key] = value
    else if (key === 'required') {
      if (!Array.isArray(value) || this.#options.direction === 'output') return
      const names = [...new Set(value.filter((n): n is string => typeof n === 'string' && !omitted.has(n)))]
      if (names.length > 0) out['required'] = names
    } else if (key === 'dependentRequired') {
      if (isObject(value) && this.#options.direction === 'input') out[key] = value
    } else if (key === 'minimum' || key === 'maximum') this.#bound(key, value, source, out)
    else if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') {
      if (typeof value === 'number' && Number.isFinite(value)) out[key] = value
    } else if (key === 'multipleOf') {
      if (typeof value === 'number' && value > 0) out[key] = value
    } else if (COUNTS.has(key)) {
      if (Number.isSafeInteger(value) && (value as number) >= 0) out[key] = value
    } else if (TEXTS.has(key)) {
      if (typeof value === 'string') out[key] = value
    } else if (FLAGS.has(key)) {
      if (value === true) out[key] = true
    } else if (key === 'examples') {
      if (Array.isArray(value)) out['examples'] = value
    } else if (key === 'example' && !Array.isArray(source['examples'])) out['examples'] = [value]
  }

  /** OpenAPI 3.0 has boolean exclusive bounds; they turn the bound beside them into an exclusive one. */
  #bound(key: 'minimum' | 'maximum', value: unknown, source: JsonObject, out: JsonSchema): void {
    if (typeof value !== 'number' || !Number.isFinite(value)) return
    const exclusive = key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
    out[source[exclusive] === true ? exclusive : key] = value
  }

  /** Property names that this direction does not have: they go out of `properties` and of `required`, across an `allOf` too. */
  #omitted(node: Node<JsonObject>, inherited: ReadonlySet<string>): ReadonlySet<string> {
    const names = new Set(inherited)
    this.#collectOmitted(node, names, new Set())
    return names.size === 0 ? NOTHING_OMITTED : names
  }

  #collectOmitted(node: Node, names: Set<string>, seen: Set<object>): void {
    if (!isObjectNode(node) || seen.has(node.value)) return
    seen.add(node.value)
    for (const [name, property] of members(child(node, 'properties'))) {
      if (this.#isOmitted(property)) names.add(name)
    }
    for (const part of elements(child(node, 'allOf'))) {
      const resolved = this.#options.workspace.follow(part)
      if ('node' in resolved) this.#collectOmitted(resolved.node, names, seen)
    }
  }

  #isOmitted(property: Node): boolean {
    const values = this.#options.workspace
      .chain(property)
      .nodes.map((node) => node.value)
      .filter(isObject)
    if (this.#options.direction === 'input') return values.some((v) => v['readOnly'] === true)
    return values.some((v) => v['writeOnly'] === true || (isObject(v['x-agent']) && v['x-agent']['exclude'] === true))
  }
}

function leaf(schema: JsonSchema): Sized {
  return { schema, size: 1, cuts: NO_CUTS }
}

class Sum {
  size = 1
  readonly cuts = new Set<object>()

  add(inner: Sized): JsonSchema {
    this.size += inner.size
    for (const cut of inner.cuts) this.cuts.add(cut)
    return inner.schema
  }
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function setOwnSchema(target: JsonSchema, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Keywords whose meaning depends on their neighbours: they cannot move into another schema object. */
const CONTEXTUAL = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'if',
  'then',
  'else'
])

/** A referenced schema together with the keywords that stand beside the reference. */
function combine(target: Sized, siblings: Sized): Sized {
  const size = target.size + siblings.size
  const cuts = new Set([...target.cuts, ...siblings.cuts])
  const names = Object.keys(siblings.schema)
  const words = Object.fromEntries(names.filter((n) => ANNOTATIONS.has(n)).map((n) => [n, siblings.schema[n]]))
  const rest = Object.fromEntries(names.filter((n) => !ANNOTATIONS.has(n)).map((n) => [n, siblings.schema[n]]))
  const simple =
    Object.keys(rest).every((n) => !CONTEXTUAL.has(n) && !Object.hasOwn(target.schema, n)) && !('$ref' in target.schema)
  if (Object.keys(rest).length === 0) return { schema: { ...target.schema, ...words }, size, cuts }
  if (simple) return { schema: { ...target.schema, ...rest, ...words }, size, cuts }
  return { schema: { allOf: [target.schema, rest], ...words }, size, cuts }
}

/** OpenAPI 3.0 `nullable` in the words of JSON Schema: null is a type, and an enum or a composition must let it pass. */
function nullable(schema: JsonSchema): JsonSchema {
  const out = { ...schema }
  if (out['type'] !== undefined && !listOf(out['type']).includes('null')) out['type'] = [...listOf(out['type']), 'null']
  if (Array.isArray(out['enum']) && !out['enum'].includes(null)) out['enum'] = [...(out['enum'] as unknown[]), null]
  for (const key of ['anyOf', 'oneOf']) {
    const branches = out[key]
    if (Array.isArray(branches) && !branches.some(acceptsNull))
      out[key] = [...(branches as unknown[]), { type: 'null' }]
  }
  const strict = ['allOf', 'not', 'const', 'if', '$ref'].filter((key) => key in out)
  if (strict.length === 0) return out
  const words = Object.fromEntries(Object.entries(out).filter(([key]) => ANNOTATIONS.has(key)))
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !ANNOTATIONS.has(key)))
  return { anyOf: [rest, { type: 'null' }], ...words }
}

function acceptsNull(branch: unknown): boolean {
  return isObject(branch) && (Object.keys(branch).length === 0 || listOf(branch['type']).includes('null'))
}

/** The size of a value when written as JSON, up to a limit; shared parts count each time they are written. */
export function writtenSize(value: unknown, limit: number): number {
  const known = new Map<object, number>()
  const open = new Set<object>()
  const measure = (v: unknown): number => {
    if (typeof v === 'string') return v.length + 2
    if (v === null || typeof v !== 'object') return 5
    const before = known.get(v)
    if (before !== undefined) return before
    if (open.has(v)) return limit + 1
    open.add(v)
    let size = 2
    for (const [key, item] of Object.entries(v)) {
      size += (Array.isArray(v) ? 1 : key.length + 4) + measure(item)
      if (size > limit) break
    }
    open.delete(v)
    known.set(v, size)
    return size
  }
  return measure(value)
}

/** Does the schema describe arrays: by its type, or that of what it is composed of? */
export function isArraySchema(schema: unknown, depth = 0): boolean {
  if (!isObject(schema) || depth > 8) return false
  if (schema['type'] !== undefined) return listOf(schema['type']).includes('array')
  if (listOf(schema['allOf']).some((part) => isArraySchema(part, depth + 1))) return true
  return ['anyOf', 'oneOf'].some((key) => {
    const branches = listOf(schema[key]).filter((b) => !isObject(b) || b['type'] !== 'null')
    return branches.length > 0 && branches.every((branch) => isArraySchema(branch, depth + 1))
  })
}

/** The values that a schema allows, where it lists them: by `enum` or `const`, or through what it is composed of. */
export function allowedValues(schema: unknown, depth = 0): unknown[] | undefined {
  if (!isObject(schema) || depth > 8) return undefined
  if (Array.isArray(schema['enum'])) return schema['enum']
  if ('const' in schema) return [schema['const']]
  for (const part of listOf(schema['allOf'])) {
    const values = allowedValues(part, depth + 1)
    if (values) return values
  }
  for (const key of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[key]).filter((b) => !isObject(b) || b['type'] !== 'null')
    const values = branches.map((branch) => allowedValues(branch, depth + 1))
    if (values.length > 0 && values.every((v) => v !== undefined)) return values.flat()
  }
  return undefined
}

/** A composition of one part as that part: the way to put words beside a reference in 3.0. */
export function collapsed(schema: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isObject(allOf[0])) return { ...schema }
  if (Object.keys(rest).some((key) => !ANNOTATIONS.has(key))) return { ...schema }
  return { ...collapsed(allOf[0]), ...rest }
}
