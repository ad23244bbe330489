import { typeText, type Tool } from '@openapi-mcp/core'

/** One argument of a tool in words, for tables. */
export interface ArgumentWords {
  name: string
  type: string
  required: boolean
  default: string
  limits: string
  description: string
  /** The API's own name and place, where the argument is called otherwise. */
  wire: string
}

type Schema = Record<string, unknown>

export function argumentsOf(tool: Tool): ArgumentWords[] {
  const { properties = {}, required = [] } = tool.inputSchema as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema),
    required: required.includes(name),
    default: schema['default'] === undefined ? '' : JSON.stringify(schema['default']),
    limits: limitsOf(schema),
    description: typeof schema['description'] === 'string' ? schema['description'].trim() : '',
    wire: wireOf(tool, name)
  }))
}

function wireOf(tool: Tool, name: string): string {
  const target = tool.arguments[name]
  if (target?.kind === 'parameter' && target.parameter.name !== name)
    return `${target.parameter.name} in ${target.parameter.in}`
  if (target?.kind === 'bodyProperty' && target.name !== name) return `${target.name} in body`
  return ''
}

/** Bounds of a value: `1…100`, `≤ 50 characters`, a format, a pattern. Those of the items for an array. */
function limitsOf(schema: Schema): string {
  const only = nonNullBranch(schema)
  const items = schema['items']
  return [
    bounds(schema, 'minimum', 'maximum'),
    typeof schema['exclusiveMinimum'] === 'number' ? `> ${schema['exclusiveMinimum']}` : '',
    typeof schema['exclusiveMaximum'] === 'number' ? `< ${schema['exclusiveMaximum']}` : '',
    typeof schema['multipleOf'] === 'number' ? `multiple of ${schema['multipleOf']}` : '',
    bounds(schema, 'minLength', 'maxLength', 'character'),
    bounds(schema, 'minItems', 'maxItems', 'item'),
    bounds(schema, 'minProperties', 'maxProperties', 'property', 'properties'),
    schema['uniqueItems'] === true ? 'no duplicates' : '',
    typeof schema['format'] === 'string' ? schema['format'] : '',
    typeof schema['pattern'] === 'string' ? `pattern ${schema['pattern']}` : '',
    isSchema(items) ? limitsOf(items) : '',
    only ? limitsOf(only) : ''
  ]
    .filter(Boolean)
    .join(', ')
}

/** The one branch that says what a nullable value is. */
function nonNullBranch(schema: Schema): Schema | undefined {
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(branches)) return undefined
  const others = branches.filter((b) => isSchema(b) && b['type'] !== 'null') as Schema[]
  return others.length === 1 ? others[0] : undefined
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function bounds(schema: Schema, low: string, high: string, one = '', many = `${one}s`): string {
  const [from, to] = [schema[low], schema[high]]
  // Saying that a number of things is not negative says nothing.
  const hasLow = typeof from === 'number' && (one === '' || from > 0)
  const unit = (n: number): string => (one === '' ? '' : ` ${n === 1 ? one : many}`)
  if (hasLow && typeof to === 'number') return from === to ? `${to}${unit(to)}` : `${from}…${to}${unit(to)}`
  if (hasLow) return `≥ ${from}${unit(from)}`
  return typeof to === 'number' ? `≤ ${to}${unit(to)}` : ''
}

/** The hints that are known, as badges. */
export function badgesOf({ annotations }: Tool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const badges: string[] = []
  if (readOnlyHint === true) badges.push('read-only')
  else if (destructiveHint === true) badges.push('destructive')
  else badges.push('writes')
  if (idempotentHint === true) badges.push('idempotent')
  if (openWorldHint === true) badges.push('open world')
  if (openWorldHint === false) badges.push('closed world')
  return badges
}

/** The hints that nobody gave and that matter: clients then assume the worst. */
export function unsetHintsOf({ annotations }: Tool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const unset: string[] = []
  if (readOnlyHint === undefined) unset.push('read-only')
  // What does not change anything neither destroys nor repeats.
  if (readOnlyHint !== true && destructiveHint === undefined) unset.push('destructive')
  if (readOnlyHint !== true && idempotentHint === undefined) unset.push('idempotent')
  if (openWorldHint === undefined) unset.push('open world')
  return unset
}

/** How the response is shown, in sentences. */
export function responseWords({ response, arguments: targets }: Tool): string[] {
  const { rows, concise, detailed, selectParam, hints, markdown } = response
  if (markdown) return ['Markdown of the API, passed through untouched.']
  const all = concise === undefined
  const words = [
    rows === undefined
      ? all
        ? 'Every field.'
        : `The fields ${concise.join(', ')}.`
      : `A table of \`${rows}\`, ${all ? 'every field' : `with ${concise.join(', ')}`}.`
  ]
  const has = (kind: string): boolean => Object.values(targets).some((t) => t.kind === kind)
  if (has('responseFormat'))
    words.push(
      `\`response_format: detailed\` shows ${detailed === true ? 'every field' : (detailed ?? []).join(', ')}.`
    )
  if (has('fields'))
    words.push(
      `\`fields\` chooses the fields${selectParam === undefined ? '' : `, through \`${selectParam}\` of the API`}.`
    )
  if (hints) words.push('Hints of the API follow as footnotes.')
  return words
}

type Declared = { name: string; includes: string[] }[]

/** A profile set with all that it includes: `edit (with explore)`. */
export function profileWords(names: string[], declared: Declared): string {
  return names
    .map((name) => {
      const [, ...included] = withIncludes([name], declared)
      return included.length > 0 ? `${name} (with ${included.join(', ')})` : name
    })
    .join(', ')
}

/** The names, and those that they include, directly or not. */
export function withIncludes(names: string[], declared: Declared): string[] {
  const all = new Set(names)
  for (const name of all) declared.find((p) => p.name === name)?.includes.forEach((included) => all.add(included))
  return [...all]
}
