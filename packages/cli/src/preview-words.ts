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

/** Bounds of a value: `1…100`, `at most 50 characters`, a format, a pattern. Those of the items for an array. */
function limitsOf(schema: Schema): string {
  const items = schema['items']
  const inner =
    schema['type'] === 'array' && items !== null && typeof items === 'object' ? limitsOf(items as Schema) : ''
  return [
    bounds(schema, 'minimum', 'maximum', ''),
    typeof schema['exclusiveMinimum'] === 'number' ? `> ${schema['exclusiveMinimum']}` : '',
    typeof schema['exclusiveMaximum'] === 'number' ? `< ${schema['exclusiveMaximum']}` : '',
    typeof schema['multipleOf'] === 'number' ? `multiple of ${schema['multipleOf']}` : '',
    bounds(schema, 'minLength', 'maxLength', ' characters'),
    bounds(schema, 'minItems', 'maxItems', ' items'),
    bounds(schema, 'minProperties', 'maxProperties', ' properties'),
    typeof schema['format'] === 'string' ? schema['format'] : '',
    typeof schema['pattern'] === 'string' ? schema['pattern'] : '',
    inner
  ]
    .filter(Boolean)
    .join(', ')
}

function bounds(schema: Schema, low: string, high: string, unit: string): string {
  const [from, to] = [schema[low], schema[high]]
  if (typeof from === 'number' && typeof to === 'number') return `${from}…${to}${unit}`
  if (typeof from === 'number') return `≥ ${from}${unit}`
  return typeof to === 'number' ? `≤ ${to}${unit}` : ''
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

/** How the response is shown, in sentences. */
export function responseWords({ response, arguments: targets }: Tool): string[] {
  const { rows, concise, detailed, hints, markdown } = response
  if (markdown) return ['Markdown of the API, passed through untouched.']
  const what = rows === undefined ? 'Key and value' : `A table of \`${rows}\``
  const words = [concise ? `${what}, with ${concise.join(', ')}.` : `${what}, every field.`]
  const has = (kind: string): boolean => Object.values(targets).some((t) => t.kind === kind)
  if (has('responseFormat'))
    words.push(
      `\`response_format: detailed\` shows ${detailed === true ? 'every field' : (detailed ?? []).join(', ')}.`
    )
  if (has('fields')) words.push('`fields` chooses the fields.')
  if (hints) words.push('Hints of the API follow as footnotes.')
  return words
}

/** The profiles that were asked for, with what they include: `edit (with explore)`. */
export function profileWords(names: string[], declared: { name: string; includes: string[] }[]): string {
  return names
    .map((name) => {
      const { includes = [] } = declared.find((p) => p.name === name) ?? {}
      return includes.length > 0 ? `${name} (with ${includes.join(', ')})` : name
    })
    .join(', ')
}
