import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import { nearest } from '../vocabulary/suggestions.js'
import { linearPattern } from './linear-pattern.js'
import type { JsonSchema } from './types.js'

/** An offence of a value against a schema. */
export interface ArgumentError {
  /** JSON Pointer into the value; empty for the value itself. */
  path: string
  keyword: string
  message: string
}

export interface ValidatorOptions {
  /** Fill in defaults. Default true. */
  useDefaults?: boolean
}

// In CommonJS terms the plugin is the module's `default`; bundlers and Node disagree about which level that is.
const addFormats = ((addFormatsModule as { default?: FormatsPlugin }).default ?? addFormatsModule) as FormatsPlugin

function createAjv(useDefaults: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults,
    strict: false,
    logger: false,
    validateSchema: false,
    code: { regExp: linearRegExp }
  })
  addFormats(ajv)
  return ajv
}

/** The engine for `pattern`. A pattern without a linear-time form is not checked. */
const linearRegExp = Object.assign((pattern: string) => linearPattern(pattern) ?? { test: () => true }, {
  code: 'linearRegExp'
})

/**
 * A validator that never changes what it is given: it answers a copy with the defaults filled in, or every offence. Nothing is
 * coerced. The schema is compiled at the first use.
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
        validate = createAjv(useDefaults).compile(schema)
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error)
      }
    }
    if (!validate)
      return {
        errors: [{ path: '', keyword: 'schema', message: `the schema of this tool cannot be compiled: ${problem}` }]
      }
    const copy = structuredClone(value)
    if (validate(copy)) return { value: copy }
    return { errors: readable(validate.errors ?? [], value) }
  }
}

/** Does a name match a pattern of `patternProperties`? A pattern that cannot be checked matches, so that nothing is shown by mistake. */
export function matchesPattern(pattern: string, name: string): boolean {
  return linearPattern(pattern)?.test(name) ?? true
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

/** Ajv's errors as a reader needs them: an alternative that nobody meant says nothing. */
function readable(errors: ErrorObject[], value: unknown): ArgumentError[] {
  const branches = errors.filter((e) => e.keyword === 'oneOf' || e.keyword === 'anyOf')
  const kept = errors.filter((e) => !branches.some((b) => isInside(e, b)) || branches.includes(e))
  const result: ArgumentError[] = []
  for (const error of kept) {
    if (!branches.includes(error)) {
      if (!branches.some((b) => b !== error && isInside(error, b))) result.push(describe(error, value))
      continue
    }
    if (branches.some((b) => b !== error && isInside(error, b))) continue
    const inner = likelyBranch(errors, error)
    result.push(...(inner ?? [error]).map((e) => describe(e, value)))
  }
  const seen = new Set<string>()
  return result.filter((e) => {
    const key = `${e.path} ${e.keyword} ${e.message}`
    return seen.has(key) ? false : seen.add(key)
  })
}

function isInside(error: ErrorObject, branch: ErrorObject): boolean {
  return (
    error !== branch &&
    error.schemaPath.startsWith(`${branch.schemaPath}/`) &&
    error.instancePath.startsWith(branch.instancePath)
  )
}

/**
 * The errors of the alternative that was meant: the only one that is not refused at the very place itself, where a wrong
 * type or constant says that another alternative was meant.
 */
function likelyBranch(errors: ErrorObject[], branch: ErrorObject): ErrorObject[] | undefined {
  const byIndex = new Map<string, ErrorObject[]>()
  for (const error of errors) {
    if (!isInside(error, branch)) continue
    const index = error.schemaPath.slice(branch.schemaPath.length + 1).split('/')[0]!
    byIndex.set(index, [...(byIndex.get(index) ?? []), error])
  }
  const decides = (e: ErrorObject): boolean => {
    const depth = e.instancePath.slice(branch.instancePath.length).split('/').length - 1
    return (depth === 0 && e.keyword === 'type') || (depth <= 1 && (e.keyword === 'const' || e.keyword === 'enum'))
  }
  const meant = [...byIndex.values()].filter((list) => !list.some(decides))
  return meant.length === 1 && meant[0]!.length <= 4 ? meant[0] : undefined
}

function describe(error: ErrorObject, root: unknown): ArgumentError {
  const { keyword, instancePath: path } = error
  return { path, keyword, message: messageOf(error, valueAt(root, path)) }
}

function messageOf(error: ErrorObject, value: unknown): string {
  const { keyword, params } = error as { keyword: string; params: Record<string, unknown> }
  const limit = params['limit'] as number
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}, got ${typeOf(value)}`
    case 'enum':
      return `must be one of ${list(params['allowedValues'] as unknown[])}, got ${short(value)}`
    case 'const':
      return `must be ${short(params['allowedValue'])}, got ${short(value)}`
    case 'required':
      return `must have the property "${String(params['missingProperty'])}"`
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty'])
      const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
      const suggestion = nearest(name, known)
      return `has the unknown property "${name}"${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${String(params['comparison'])} ${limit}, got ${short(value)}`
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}, got ${short(value)}`
    case 'minLength':
      return `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} items`
    case 'maxItems':
      return `must have at most ${limit} items`
    case 'minProperties':
      return `must have at least ${limit} properties`
    case 'maxProperties':
      return `must have at most ${limit} properties`
    case 'uniqueItems':
      return `must not have equal items (${String(params['j'])} and ${String(params['i'])})`
    case 'pattern':
      return `must match ${short(params['pattern'])}, got ${short(value)}`
    case 'format':
      return `must be of the format ${String(params['format'])}, got ${short(value)}`
    case 'oneOf':
    case 'anyOf':
      return params['passingSchemas']
        ? 'fits more than one of the alternatives'
        : `fits none of the alternatives, got ${short(value)}`
    case 'false schema':
      return 'is not allowed'
    default:
      return error.message ?? 'is not valid'
  }
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

const LONGEST_VALUE = 80

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  const characters = [...text.slice(0, 4 * LONGEST_VALUE)]
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE).join('')}…` : text
}

function list(values: unknown[]): string {
  const shown = values.slice(0, 20).map(short).join(', ')
  return values.length > 20 ? `${shown}, … (${values.length} values)` : shown
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const part of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}
