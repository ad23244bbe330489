import { isObject, SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES, type JsonSchema } from '@openapi-mcp/core'

/** A schema inside an input schema. */
export interface SchemaPlace {
  schema: JsonSchema
  /** Names and keywords on the way, as a JSON Pointer below the input schema. */
  pointer: string
  /** How many objects and arrays it stands in. */
  depth: number
}

/** Keywords whose schemas describe what is inside a value, not the value itself. */
const INSIDE = ['items', 'additionalProperties', 'contains', 'unevaluatedItems', 'unevaluatedProperties']

/** Every schema of an input schema, from the outside in. Input schemas are written out, so there are no references to follow. */
export function* schemasIn(schema: JsonSchema, pointer = '', depth = 0): Generator<SchemaPlace> {
  yield { schema, pointer, depth }
  const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
  for (const key of SCHEMA_MAPS) {
    const map = schema[key]
    if (!isObject(map)) continue
    for (const [name, inner] of Object.entries(map)) {
      if (isObject(inner)) yield* schemasIn(inner, `${pointer}/${key}/${escaped(name)}`, depth + 1)
    }
  }
  for (const key of SCHEMA_LISTS) {
    const list: unknown = schema[key]
    if (!Array.isArray(list)) continue
    for (const [index, inner] of list.entries()) {
      if (isObject(inner))
        yield* schemasIn(inner, `${pointer}/${key}/${index}`, key === 'prefixItems' ? depth + 1 : depth)
    }
  }
  for (const key of SCHEMA_SINGLES) {
    const inner = schema[key]
    if (isObject(inner)) yield* schemasIn(inner, `${pointer}/${key}`, INSIDE.includes(key) ? depth + 1 : depth)
  }
}
