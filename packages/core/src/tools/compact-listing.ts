import { isObject } from '../source/workspace.js'
import type { JsonSchema } from './types.js'

const MOST_VALUES = 8
const LONGEST_DESCRIPTION = 80

/**
 * The description of a `body: compact` argument: one line per property with its name, whether it is required, its type or
 * allowed values, and the start of its description (x-agent vocabulary, "Request bodies").
 */
export function compactListing(
  properties: [string, JsonSchema][],
  required: ReadonlySet<string>,
  about: string | undefined
): string {
  const lead = 'A JSON object. One line per property: name (`?` when not required), type, description.'
  const lines = properties.map(([name, schema]) => {
    const description = shortDescription(schema)
    return `- ${name}${required.has(name) ? '' : '?'}: ${typeText(schema)}${description ? ` — ${description}` : ''}`
  })
  const names = [...required]
  const needed = names.length > 0 ? `required: ${names.join(', ')}` : 'nothing is required'
  return [about?.trim(), `${lead} In short: ${needed}.`, ...lines].filter(Boolean).join('\n')
}

/** A schema in a few characters, as a programmer would write the type. */
export function typeText(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > 4) return 'any'
  if (Array.isArray(schema['enum'])) return valuesText(schema['enum'])
  if ('const' in schema) return JSON.stringify(schema['const'])
  const branches = (schema['oneOf'] ?? schema['anyOf']) as unknown
  if (Array.isArray(branches)) {
    const texts = [...new Set(branches.map((b) => typeText(b, depth + 1)))].filter((t) => t !== 'any')
    if (texts.length > 0) return texts.join(' | ')
  }
  if (Array.isArray(schema['allOf'])) {
    const text = schema['allOf'].map((b) => typeText(b, depth + 1)).find((t) => t !== 'any')
    if (text) return text
  }
  const types = (Array.isArray(schema['type']) ? schema['type'] : [schema['type']]) as unknown[]
  return types.map((type) => oneType(type, schema, depth)).join(' | ')
}

function oneType(type: unknown, schema: JsonSchema, depth: number): string {
  if (type === 'array') {
    const inner = typeText(schema['items'], depth + 1)
    return /[| ]/.test(inner) ? `(${inner})[]` : `${inner}[]`
  }
  if (typeof type === 'string') return type
  return isObject(schema['properties']) ? 'object' : 'any'
}

function valuesText(values: unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map((v) => JSON.stringify(v))
  if (values.length > MOST_VALUES) shown.push(`… (${values.length} values)`)
  return shown.join(' | ')
}

function shortDescription(schema: JsonSchema): string {
  const inner = [schema, ...[schema['oneOf'], schema['anyOf'], schema['allOf']].flat()].find(
    (s): s is JsonSchema => isObject(s) && typeof s['description'] === 'string'
  )
  const text = String(inner?.['description'] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...text]
  return characters.length > LONGEST_DESCRIPTION ? `${characters.slice(0, LONGEST_DESCRIPTION - 1).join('')}…` : text
}
