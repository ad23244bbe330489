import { child, elements, isObject, members, type Node, type Workspace } from '@openapi-mcp/core'

/** The schema at a node, references followed; undefined where one leads nowhere, which is said elsewhere. */
export function followed(node: Node, workspace: Workspace): Node | undefined {
  const resolved = workspace.follow(node)
  return 'node' in resolved ? resolved.node : undefined
}

/** What an object schema declares, its own and in its `allOf`. */
export interface ObjectSchema {
  properties: Map<string, Node>
  required: Set<string>
}

/** The properties of an object schema; undefined where it is none. */
export function objectSchema(node: Node, workspace: Workspace): ObjectSchema | undefined {
  const found: ObjectSchema = { properties: new Map(), required: new Set() }
  let isObjectSchema = false
  const seen = new Set<unknown>()
  const collect = (part: Node): void => {
    const schema = followed(part, workspace)
    if (!schema || !isObject(schema.value) || seen.has(schema.value)) return
    seen.add(schema.value)
    const { type, required } = schema.value
    if (type === 'object' || (Array.isArray(type) && type.includes('object')) || 'properties' in schema.value)
      isObjectSchema = true
    for (const [name, property] of members(child(schema, 'properties'))) found.properties.set(name, property)
    for (const name of Array.isArray(required) ? (required as unknown[]) : [])
      if (typeof name === 'string') found.required.add(name)
    for (const inner of elements(child(schema, 'allOf'))) collect(inner)
  }
  collect(node)
  return isObjectSchema ? found : undefined
}
