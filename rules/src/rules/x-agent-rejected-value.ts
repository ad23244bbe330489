import {
  child,
  inputSchemaAt,
  isArraySchema,
  isObject,
  members,
  overridesOf,
  parametersOf,
  requestBodyOf,
  schemaNodeOf,
  valueCheck,
  type JsonSchema,
  type Node,
  type ToolDefinition
} from '@openapi-mcp/core'
import { objectSchema } from '../schemas.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-rejected-value',
  category: 'calls',
  severity: 'error',
  summary: 'A `fixed` value or a `default` is one that the schema accepts.',
  why: 'The API refuses every call with a value that it does not take. Text counts as what it is in a URL, so "10" is an integer there.',
  examples: {
    wrong: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: string, enum: [small, large] } }]
x-agent: { fixed: { size: huge } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: size, in: query, schema: { type: string, enum: [small, large] } }]
x-agent: { fixed: { size: large } }
responses: { '200': { description: ok } }`
  },
  async measure({ definitions, workspace, report }) {
    const concerned = definitions.flatMap((definition) => {
      // The validator takes longer to load than a small document to lint, and most values are plain.
      const values = [...fixedValues(definition), ...defaults(definition)].filter(
        ({ node, schema, onWire }) =>
          !(onWire ? wireForms(node.value, schema) : [node.value]).some((v) => fitsPlainly(v, schema))
      )
      return values.length > 0 ? { definition, values } : []
    })
    if (concerned.length === 0) return
    const check = await valueCheck()
    const reported = new Set<string>()
    for (const { definition, values } of concerned) {
      for (const { node, name, what, schema, onWire } of values) {
        const candidates = onWire ? wireForms(node.value, schema) : [node.value]
        const [first] = candidates.map((value) => check.value(schema, value))
        if (!first || candidates.some((value) => check.value(schema, value).length === 0)) continue
        // A shared parameter is met once for each of its operations.
        const place = `${node.document.uri} ${node.path.join('/')}`
        if (reported.has(place)) continue
        reported.add(place)
        const { path, message, keyword } = first[0]!
        const where = path === '' ? '' : `${path} `
        report(node, {
          message: `the ${what} of "${name}" in ${definition.name} is refused by its schema: ${where}${message} (${keyword})`
        })
      }
    }

    interface Value {
      node: Node
      name: string
      what: 'fixed value' | 'default'
      schema: JsonSchema
      /** Sent as text in the URL or a header, where types do not show. */
      onWire: boolean
    }

    function fixedValues({ view, context }: ToolDefinition): Value[] {
      const fixed = members(child(view.node, 'fixed'))
      if (fixed.length === 0) return []
      const parameters = parametersOf(view.operation, workspace, () => {})
      const body = requestBodyOf(view.operation, workspace, () => {})?.schema
      const properties = body && objectSchema(body, workspace)?.properties
      return fixed.flatMap(([name, node]): Value[] => {
        const parameter = parameters.find((p) => p.name === name)
        const written = parameter ? schemaNodeOf(parameter).schema : properties?.get(name)
        if (!written) return []
        return [
          { node, name, what: 'fixed value', schema: inputSchemaAt(context, written), onWire: parameter !== undefined }
        ]
      })
    }

    function defaults({ view, context }: ToolDefinition): Value[] {
      return parametersOf(view.operation, workspace, () => {}).flatMap((parameter): Value[] => {
        const { merged, source } = overridesOf(view.node, parameter)
        if (!source.default || merged.exclude || Object.hasOwn(view.annotation.fixed ?? {}, parameter.name)) return []
        const written = schemaNodeOf(parameter).schema
        const declared = written ? inputSchemaAt(context, written) : { type: 'string' }
        // On an array an override describes the items, save a default that is an array itself.
        const isList = isArraySchema(declared)
        const items = isList && isObject(declared['items']) ? declared['items'] : declared
        const limited: JsonSchema = {
          ...items,
          ...(merged.enum && { enum: merged.enum }),
          ...(merged.maximum !== undefined && { maximum: merged.maximum })
        }
        const value = source.default.value
        const schema = isList && Array.isArray(value) ? { ...declared, items: limited } : limited
        return [{ node: source.default, name: parameter.name, what: 'default', schema, onWire: false }]
      })
    }
  }
})

/** Keywords that say nothing of a value, or that are looked at here. */
const PLAIN = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'type',
  'enum',
  'minimum',
  'maximum',
  'items'
]

/** Is a value valid, as far as that shows without a validator? */
function fitsPlainly(value: unknown, schema: JsonSchema, depth = 0): boolean {
  if (depth > 3) return false
  const { type, enum: allowed, minimum, maximum, items } = schema
  if (Object.keys(schema).some((keyword) => !PLAIN.includes(keyword))) return false
  if (Array.isArray(allowed) && !allowed.includes(value)) return false
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) return false
    if (typeof maximum === 'number' && value > maximum) return false
  }
  if (Array.isArray(value) && isObject(items) && !value.every((item) => fitsPlainly(item, items, depth + 1)))
    return false
  const own = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  const isInteger = type === 'integer' && Number.isInteger(value)
  return type === undefined ? allowed !== undefined : isInteger || type === own
}

/** What a value may be read as by an API that gets it as text. */
function wireForms(value: unknown, schema: JsonSchema): unknown[] {
  const forms = [value]
  if (typeof value === 'number' || typeof value === 'boolean') forms.push(String(value))
  if (typeof value === 'string') {
    if (value.trim() !== '' && Number.isFinite(Number(value))) forms.push(Number(value))
    if (value === 'true' || value === 'false') forms.push(value === 'true')
    if (value === '' || value === 'null') forms.push(null)
    if (/^\s*[[{]/.test(value)) {
      try {
        forms.push(JSON.parse(value))
      } catch {}
    }
  }
  if (!isArraySchema(schema) || Array.isArray(value)) return forms
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value]
  const numbers = items.map((item) => (typeof item === 'string' && item !== '' ? Number(item) : NaN))
  return [...forms, items, ...(numbers.every((n) => Number.isFinite(n)) ? [numbers] : []), ...forms.map((f) => [f])]
}
