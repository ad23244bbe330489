import { Ajv2020, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import { parsePointer } from '../diagnostics.js'
import { didYouMean, nearest } from '../vocabulary/suggestions.js'
import { linearPattern } from './linear-pattern.js'
import type { JsonSchema } from './types.js'

export { isLinearPattern } from './linear-pattern.js'

/** An offence of a value against a schema. */
export interface ArgumentError {
  /** JSON Pointer into the value; empty for the value itself. */
  path: string
  /** Keyword of JSON Schema; `schema` where the schema itself is broken. */
  keyword: string
  message: string
}

export interface ValidatorOptions {
  /** Fill in defaults. Default true. */
  useDefaults?: boolean
}

// In CommonJS terms the plugin is the module's `default`; bundlers and Node disagree about which level that is.
const addFormats = ((addFormatsModule as { default?: FormatsPlugin }).default ?? addFormatsModule) as FormatsPlugin

/** One for every schema: an `$id` in a document must not meet that of another. */
function createAjv(useDefaults: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    // Errors then carry the schema objects they come from, which their schemaPath does not tell behind a reference.
    verbose: true,
    useDefaults,
    strict: false,
    logger: false,
    validateSchema: false,
    meta: false,
    // A required property called `toString` is not there because every object has one.
    ownProperties: true,
    // 0.07 is a multiple of 0.01, whatever binary fractions say
    multipleOfPrecision: 9,
    code: { regExp: linearRegExp }
  })
  addFormats(ajv)
  // The expression of ajv-formats takes quadratic time.
  ajv.addFormat('url', isUrl)
  // So does its comparison of every item with every other.
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems)
  // Ajv refuses whole schemas for this relic of draft 4.
  ajv.removeKeyword('id')
  return ajv
}

/** The engine for `pattern`. A pattern without a linear-time form is not checked. Ajv tells patterns apart by `toString`. */
const linearRegExp = Object.assign(
  (pattern: string) => ({
    test: (text: string) => linearPattern(pattern)?.test(text) ?? true,
    toString: () => pattern
  }),
  { code: 'linearRegExp' }
)

/** Does a name match a pattern of `patternProperties`? A pattern that cannot be checked matches, so that nothing is shown by mistake. */
export function matchesPattern(pattern: string, name: string): boolean {
  return linearPattern(pattern)?.test(name) ?? true
}

function isUrl(text: string): boolean {
  return /^(https?|ftp):\/\//i.test(text) && !/\s/.test(text) && URL.canParse(text)
}

const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: (wanted: boolean) => {
    const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (items: unknown[]) => {
      const repeat = wanted ? firstRepeat(items) : undefined
      validate.errors = repeat && [{ keyword: 'uniqueItems', params: repeat }]
      return !repeat
    }
    return validate
  }
}

function firstRepeat(items: unknown[]): { i: number; j: number } | undefined {
  const seen = new Map<string, number>()
  for (const [i, item] of items.entries()) {
    const text = JSON.stringify(item, sorted)
    const j = seen.get(text)
    if (j !== undefined) return { i, j }
    seen.set(text, i)
  }
  return undefined
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * A validator that never changes what it is given: it answers a copy with the defaults filled in, or every offence. Nothing is
 * coerced. The schema is compiled at the first use; it never throws.
 */
export function createValidator(
  schema: JsonSchema,
  { useDefaults = true }: ValidatorOptions = {}
): (value: unknown) => { value: unknown } | { errors: ArgumentError[] } {
  let validate: ValidateFunction | undefined
  let problem: string | undefined
  return (value) => {
    if (!validate && problem === undefined) {
      try {
        validate = compile(schema, useDefaults)
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error)
      }
    }
    if (!validate)
      return {
        errors: [{ path: '', keyword: 'schema', message: `the schema of this tool cannot be compiled: ${problem}` }]
      }
    try {
      const copy = clone(value)
      return validate(copy) ? { value: copy } : { errors: readable(validate.errors ?? [], schema) }
    } catch {
      // The stack ends: a cycle, or more levels than any API takes.
      return {
        errors: [{ path: '', keyword: 'type', message: 'must be JSON with finite numbers, and not nested that deeply' }]
      }
    }
  }
}

function compile(schema: JsonSchema, useDefaults: boolean): ValidateFunction {
  // With `$async`, an invention of Ajv, a document would turn every answer into a promise, and so into consent.
  const { $async: _, ...rest } = schema
  return createAjv(useDefaults).compile('$async' in schema ? rest : schema)
}

function clone(value: unknown): unknown {
  // JSON has no such number; written out it would become null.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError()
  if (Array.isArray(value)) return value.map(clone)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clone(inner)]))
}

const MOST_ERRORS = 12

/** One text for a model: what was refused, where, and by which keyword. */
export function formatErrors(what: string, errors: ArgumentError[]): string {
  const lines = errors
    .slice(0, MOST_ERRORS)
    .map(({ path, keyword, message }) => `${path === '' ? '' : `${path} `}${message} (${keyword})`)
  if (errors.length > MOST_ERRORS) lines.push(`… and ${errors.length - MOST_ERRORS} more`)
  return lines.length === 1 ? `${what}: ${lines[0]}` : [`${what}:`, ...lines.map((l) => `- ${l}`)].join('\n')
}

// --- from Ajv's errors to ours

/** An error, and those that led to it: the errors of the alternatives of `oneOf`, of `then` under `if`. */
interface ErrorNode {
  error: ErrorObject
  causes: ErrorNode[]
}

function readable(errors: ErrorObject[], root: JsonSchema): ArgumentError[] {
  const seen = new Set<string>()
  return treeOf(errors, root)
    .flatMap((node) => explain(node, root))
    .filter((e) => {
      const key = `${e.path} ${e.keyword} ${e.message}`
      return !seen.has(key) && seen.add(key)
    })
}

/** Ajv lists the errors of subschemas right before the error of the keyword that applied them. */
function treeOf(errors: ErrorObject[], root: JsonSchema): ErrorNode[] {
  const nodes: ErrorNode[] = []
  for (const error of errors) {
    const subschemas = subschemasOf(error)
    let start = nodes.length
    while (start > 0 && subschemas.some((s) => comesFrom(nodes[start - 1]!.error, s, error, root))) start--
    nodes.push({ error, causes: nodes.splice(start) })
  }
  return nodes
}

/** The subschemas whose errors Ajv reports beside the error of the keyword itself, each as applied to the same value. */
function subschemasOf({ keyword, schema, parentSchema, params }: ErrorObject): unknown[] {
  switch (keyword) {
    case 'oneOf':
    case 'anyOf':
      return schema as unknown[]
    case 'if':
      return [parentSchema?.[(params as { failingKeyword: string }).failingKeyword]]
    case 'contains':
      return [{ items: schema }]
    case 'propertyNames':
      return [schema]
    default:
      return []
  }
}

/** Can this error come from the subschema, where a keyword applied that to the value of `applied`? */
function comesFrom(error: ErrorObject, subschema: unknown, applied: ErrorObject, root: JsonSchema): boolean {
  const base = applied.instancePath
  if (error.instancePath !== base && !error.instancePath.startsWith(`${base}/`)) return false
  return leadsTo(subschema, parsePointer(error.instancePath.slice(base.length)), error.parentSchema, root)
}

const IN_PLACE = ['not', 'if', 'then', 'else', 'propertyNames']
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf']
const INSIDE = ['additionalProperties', 'unevaluatedProperties', 'items', 'contains', 'unevaluatedItems']

/** Is `target` among the schemas that `start` applies at the end of the path? */
function leadsTo(start: unknown, path: string[], target: unknown, root: JsonSchema): boolean {
  let reached = new Set([start])
  for (let depth = 0; ; depth++) {
    // A Set goes on to what is added to it on the way.
    for (const schema of reached) for (const next of inPlace(schema, root)) reached.add(next)
    const name = path[depth]
    if (name === undefined) return reached.has(target)
    reached = new Set([...reached].flatMap((schema) => inside(schema, name)))
  }
}

function inPlace(schema: unknown, root: JsonSchema): unknown[] {
  if (!isSchema(schema)) return []
  const { $ref, dependentSchemas } = schema
  return [
    ...(typeof $ref === 'string' ? [resolve($ref, root)] : []),
    ...IN_PLACE.map((key) => schema[key]),
    ...IN_PLACE_LISTS.flatMap((key) => listOf(schema[key])),
    ...(isSchema(dependentSchemas) ? Object.values(dependentSchemas) : [])
  ].filter((s) => s !== undefined)
}

function inside(schema: unknown, name: string): unknown[] {
  if (!isSchema(schema)) return []
  const { properties, patternProperties, prefixItems } = schema
  return [
    ...(isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []),
    ...(isSchema(patternProperties) ? Object.values(patternProperties) : []),
    ...listOf(prefixItems),
    ...INSIDE.map((key) => schema[key])
  ].filter((s) => s !== undefined)
}

/** Tool schemas refer to their own `$defs` by pointer; nothing else is followed. */
function resolve(ref: string, root: JsonSchema): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  try {
    const path = parsePointer(decodeURIComponent(ref.slice(1)))
    return path.reduce<unknown>((at, key) => (isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
  } catch {
    return undefined
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function explain(node: ErrorNode, root: JsonSchema): ArgumentError[] {
  const { error, causes } = node
  const { keyword, instancePath: path } = error
  switch (keyword) {
    case 'oneOf':
    case 'anyOf':
      return explainAlternatives(node, root)
    case 'if':
      if (causes.length > 0) return causes.flatMap((cause) => explain(cause, root))
      break
    case 'propertyNames': {
      const name = short((error.params as { propertyName: string }).propertyName)
      const reasons = causes.map((cause) => messageOf(cause.error))
      return [{ path, keyword, message: [`${name} is no allowed property name`, ...reasons].join(': ') }]
    }
  }
  return [{ path, keyword, message: messageOf(error) }]
}

// --- alternatives

/** Errors of alternatives that nobody meant say nothing: those of the one that was meant, or one line for all. */
function explainAlternatives({ error, causes }: ErrorNode, root: JsonSchema): ArgumentError[] {
  const { keyword, instancePath: path, data } = error
  const say = (message: string, at = path): ArgumentError[] => [{ path: at, keyword, message }]
  if ((error.params as { passingSchemas?: unknown }).passingSchemas)
    return say('fits more than one of the alternatives')
  const alternatives = byAlternative(error, causes, root)
  const decisive = alternatives.map((list) => list.map((c) => c.error).filter((e) => decides(e, path)))
  const meant = alternatives.filter((list, i) => list.length > 0 && decisive[i]!.length === 0)
  if (meant.length === 1) return meant[0]!.flatMap((cause) => explain(cause, root))
  const types = decisive.map((list) => list.find((e) => e.keyword === 'type'))
  if (types.every((e) => e !== undefined)) return say(typeMessage([...new Set(types.flatMap((e) => typesOf(e)))], data))
  const kinds = decisive.map((list) => list.find((e) => e.keyword !== 'type'))
  const [first] = kinds
  if (first && kinds.every((e) => e?.instancePath === first.instancePath))
    return say(
      enumMessage(
        kinds.flatMap((e) => allowedBy(e!)),
        first.data
      ),
      first.instancePath
    )
  const closest = closestOf(alternatives, path)
  return [
    ...say(`fits none of the alternatives, got ${short(data)}`),
    ...closest.flatMap((cause) => explain(cause, root)).slice(0, MOST_OF_CLOSEST)
  ]
}

const MOST_OF_CLOSEST = 3

/** The alternative that fits but for something inside of the value, where there is one: that is what has to be mended. */
function closestOf(alternatives: ErrorNode[][], path: string): ErrorNode[] {
  const fitting = alternatives.filter(
    (list) => list.length > 0 && list.every(({ error }) => error.instancePath.length > path.length)
  )
  return fitting.sort((a, b) => a.length - b.length)[0] ?? []
}

/** The errors of each alternative. Ajv reports them one alternative after the other. */
function byAlternative(error: ErrorObject, causes: ErrorNode[], root: JsonSchema): ErrorNode[][] {
  const subschemas = error.schema as unknown[]
  const lists = subschemas.map((): ErrorNode[] => [])
  let at = 0
  for (const cause of causes) {
    // Alternatives may share a schema; its error does not come twice from one of them.
    const isRepeated = lists[at]!.some((c) => isSameError(c.error, cause.error))
    const next = subschemas.findIndex(
      (s, i) => i >= at + (isRepeated ? 1 : 0) && comesFrom(cause.error, s, error, root)
    )
    if (next >= 0) at = next
    lists[at]!.push(cause)
  }
  return lists
}

function isSameError(a: ErrorObject, b: ErrorObject): boolean {
  return (
    a.parentSchema === b.parentSchema &&
    a.keyword === b.keyword &&
    a.instancePath === b.instancePath &&
    JSON.stringify(a.params) === JSON.stringify(b.params)
  )
}

/** A wrong type of the value itself, or a wrong constant in it or directly below, says that another alternative was meant. */
function decides({ keyword, instancePath }: ErrorObject, path: string): boolean {
  const depth = instancePath.slice(path.length).split('/').length - 1
  return depth === 0 ? ['type', 'const', 'enum'].includes(keyword) : depth === 1 && ['const', 'enum'].includes(keyword)
}

function allowedBy({ keyword, params }: ErrorObject): unknown[] {
  const { allowedValue, allowedValues } = params as { allowedValue: unknown; allowedValues: unknown[] }
  return keyword === 'const' ? [allowedValue] : allowedValues
}

function typesOf({ params }: ErrorObject): string[] {
  return [(params as { type: string | string[] }).type].flat()
}

// --- wording

function messageOf(error: ErrorObject): string {
  const { keyword, data } = error
  const params = error.params as Record<string, unknown>
  const limit = String(params['limit'])
  switch (keyword) {
    case 'type':
      return typeMessage(typesOf(error), data)
    case 'enum':
    case 'const':
      return enumMessage(allowedBy(error), data)
    case 'required':
      return `${short(params['missingProperty'])} is required`
    case 'dependentRequired':
      return `${short(params['missingProperty'])} is required beside ${short(params['property'])}`
    case 'additionalProperties':
      return unknownProperty(params['additionalProperty'] as string, error)
    case 'unevaluatedProperties':
      return unknownProperty(params['unevaluatedProperty'] as string, error)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${String(params['comparison'])} ${limit}, got ${short(data)}`
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}, got ${short(data)}`
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`
    case 'maxItems':
    case 'items':
    case 'unevaluatedItems':
      return `must have at most ${counted(String(params['limit'] ?? params['len']), 'item')}`
    case 'minProperties':
      return `must have at least ${counted(limit, 'property')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'property')}`
    case 'uniqueItems':
      return `must not have equal items (${String(params['j'])} and ${String(params['i'])})`
    case 'contains':
      return `must have at least ${String(params['minContains'])} items of the expected kind`
    case 'pattern':
      return `must match ${short(params['pattern'])}, got ${short(data)}`
    case 'format':
      return `must be of the format ${String(params['format'])}, got ${short(data)}`
    case 'not':
      return `must not be of the excluded kind, got ${short(data)}`
    case 'false schema':
      return 'is not allowed'
    default:
      return error.message ?? 'is not valid'
  }
}

function typeMessage(types: string[], value: unknown): string {
  return `must be ${types.join(' or ')}, got ${typeof value === 'number' ? short(value) : typeOf(value)}`
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function enumMessage(allowed: unknown[], value: unknown): string {
  const values = [...new Set(allowed.map(short))]
  return `must be ${values.length === 1 ? '' : 'one of '}${capped(values)}, got ${short(value)}`
}

function unknownProperty(name: string, { parentSchema, keyword }: ErrorObject): string {
  const properties: unknown = parentSchema?.['properties']
  const known = isSchema(properties) ? Object.keys(properties) : []
  const suggestion = nearest(name, known)
  // Behind `unevaluatedProperties` there are names that stand elsewhere.
  const hasList = suggestion === undefined && known.length > 0 && keyword === 'additionalProperties'
  return `${short(name)} is no known property${didYouMean(suggestion)}${hasList ? `; known: ${capped(known)}` : ''}`
}

function counted(limit: string, noun: string): string {
  if (limit === '1') return `1 ${noun}`
  return `${limit} ${noun === 'property' ? 'properties' : `${noun}s`}`
}

const LONGEST_VALUE = 80
const MOST_VALUES = 20

/** A value as JSON, cut between characters. */
function short(value: unknown): string {
  let text: string
  try {
    text = JSON.stringify(value) ?? 'nothing'
  } catch {
    text = String(value)
  }
  const characters = [...text.slice(0, 4 * LONGEST_VALUE)]
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE).join('')}…` : text
}

function capped(values: string[]): string {
  const shown = values.slice(0, MOST_VALUES).join(', ')
  return values.length > MOST_VALUES ? `${shown}, … (${values.length} in all)` : shown
}
