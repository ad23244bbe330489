import { DiagnosticBag, toJsonPath, type Diagnostic } from '../diagnostics.js'
import { methodsOf } from '../openapi/operations.js'
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES } from '../openapi/schema-keywords.js'
import type { OpenApiVersion } from '../openapi/version.js'
import { at, child, isObject, type JsonObject, type Node } from '../source/workspace.js'
import { placeOf, type Scope } from './definitions.js'
import { looksForeign, looksOwn, validateAnnotation } from './validate.js'

/** What stands at a place of an OpenAPI document. A name in a map is no keyword, and data is no schema. */
export type Kind =
  | 'document'
  | 'tag'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'callback'
  | 'components'
  | 'example'
  | 'laterOperation'
  | 'property'
  | 'schema'
  | 'other'

/** `map`: any name is a name. `open`: names have a form of their own, so `x-agent` among them is the extension. */
type Shape = Kind | { map: Kind } | { open: Kind } | { list: Kind } | 'data'

const each = (keywords: readonly string[], shape: Shape): Record<string, Shape> =>
  Object.fromEntries(keywords.map((keyword) => [keyword, shape]))

const schemaKeys: Record<string, Shape> = {
  ...each(SCHEMA_MAPS, { map: 'schema' }),
  ...each(SCHEMA_LISTS, { list: 'schema' }),
  ...each(SCHEMA_SINGLES, 'schema'),
  // Their schemas are properties.
  properties: { map: 'property' },
  patternProperties: { map: 'property' },
  additionalProperties: 'property',
  $defs: { map: 'property' },
  definitions: { map: 'property' },
  default: 'data',
  example: 'data',
  examples: 'data',
  enum: 'data',
  const: 'data'
}

const exampleKeys: Record<string, Shape> = { example: 'data', examples: { map: 'example' } }

const shapeRecords: Record<Kind, Record<string, Shape>> = {
  document: {
    info: 'other',
    servers: { list: 'other' },
    tags: { list: 'tag' },
    paths: { open: 'pathItem' },
    webhooks: { map: 'pathItem' },
    components: 'components',
    security: 'data',
    externalDocs: 'other'
  },
  tag: { externalDocs: 'other' },
  pathItem: {
    parameters: { list: 'parameter' },
    servers: { list: 'other' },
    additionalOperations: { map: 'operation' }
  },
  operation: {
    parameters: { list: 'parameter' },
    requestBody: 'requestBody',
    responses: { open: 'response' },
    externalDocs: 'other',
    callbacks: { map: 'callback' },
    servers: { list: 'other' },
    security: 'data'
  },
  parameter: { schema: 'schema', content: { open: 'mediaType' }, ...exampleKeys },
  header: { schema: 'schema', content: { open: 'mediaType' }, ...exampleKeys },
  requestBody: { content: { open: 'mediaType' } },
  response: { headers: { map: 'header' }, content: { open: 'mediaType' }, links: { map: 'other' } },
  mediaType: { schema: 'schema', itemSchema: 'schema', encoding: { map: 'encoding' }, ...exampleKeys },
  encoding: { headers: { map: 'header' } },
  callback: {},
  components: {
    schemas: { map: 'property' },
    responses: { map: 'response' },
    parameters: { map: 'parameter' },
    requestBodies: { map: 'requestBody' },
    headers: { map: 'header' },
    callbacks: { map: 'callback' },
    pathItems: { map: 'pathItem' },
    mediaTypes: { map: 'mediaType' },
    securitySchemes: { map: 'other' },
    links: { map: 'other' },
    examples: { map: 'example' }
  },
  example: { value: 'data', dataValue: 'data' },
  laterOperation: {},
  property: schemaKeys,
  schema: schemaKeys,
  other: { contact: 'other', license: 'other', externalDocs: 'other' }
}

const kinds = Object.keys(shapeRecords) as Kind[]
const shapes = Object.fromEntries(kinds.map((kind) => [kind, new Map(Object.entries(shapeRecords[kind]))])) as Record<
  Kind,
  Map<string, Shape>
>

/** The vocabulary scope of `x-agent` at a place of this kind. A component schema may be used as a property, so it counts as one. */
const scopes: Partial<Record<Kind, Scope>> = {
  document: 'root',
  tag: 'tag',
  operation: 'operation',
  parameter: 'parameter',
  property: 'property'
}

const placeWords: Record<Kind, string> = {
  document: 'a document',
  tag: 'a tag',
  pathItem: 'a path item (annotate its operations)',
  operation: 'an operation of a webhook or callback',
  parameter: 'a parameter',
  header: 'a header',
  requestBody: 'a request body',
  response: 'a response',
  mediaType: 'a media type',
  encoding: 'an encoding',
  callback: 'a callback',
  components: 'components',
  example: 'an example',
  laterOperation: 'an operation that needs OpenAPI 3.2',
  property: 'a schema property',
  schema: 'a schema that is no property',
  other: 'this object'
}

/** A value on the way, linked to what it stands in: paths are only made where an annotation stands. */
interface Entry {
  value: unknown
  shape: Shape
  live: boolean
  parent: Entry | undefined
  name: string | number
}

function nodeAt(start: Node, entry: Entry): Node {
  const path: (string | number)[] = []
  for (let at = entry; at.parent; at = at.parent) path.push(at.name)
  return { document: start.document, path: [...start.path, ...path.reverse()], value: entry.value }
}

/** An `x-agent` value where the vocabulary has a meaning for it. */
export interface AnnotationPlace {
  scope: Scope
  node: Node
}

/**
 * Finds every `x-agent` of a document, or of a fragment that a reference leads to, and checks it where it stands. One walk,
 * each object once; data (examples, defaults, extensions) is passed over.
 */
export class AnnotationScan {
  readonly #version: OpenApiVersion
  /** Kinds, as bits, under which an object was visited. */
  readonly #seen = new Map<object, number>()
  readonly #places: AnnotationPlace[] = []
  readonly #misplaced: { kind: Kind; node: Node }[] = []

  constructor(version: OpenApiVersion) {
    this.#version = version
  }

  scan(start: Node, kind: Kind, live = true): void {
    const open: Entry[] = [{ value: start.value, shape: kind, live, parent: undefined, name: '' }]
    for (let next = open.pop(); next; next = open.pop()) this.#visit(start, next, open)
  }

  /** The places found so far. */
  get places(): readonly AnnotationPlace[] {
    return this.#places
  }

  #visit(start: Node, entry: Entry, open: Entry[]): void {
    const { value, shape, live } = entry
    if (value === null || typeof value !== 'object' || shape === 'data') return
    const push = (name: string | number, inner: Shape, innerLive = live): void => {
      const next = (value as JsonObject)[name]
      if (next !== null && typeof next === 'object')
        open.push({ value: next, shape: inner, live: innerLive, parent: entry, name })
    }
    if (typeof shape === 'object') {
      if ('list' in shape) {
        if (Array.isArray(value)) for (let i = 0; i < value.length; i++) push(i, shape.list)
      } else if (isObject(value)) {
        const isOpen = 'open' in shape
        if (isOpen && Object.hasOwn(value, 'x-agent')) this.#note(nodeAt(start, entry), 'other', live)
        const inner = isOpen ? shape.open : shape.map
        for (const name in value) {
          // extensions stand beside paths, responses and callbacks; elsewhere x- begins a name like any other
          if (name.startsWith('x-') && (isOpen || inner === 'pathItem')) continue
          push(name, inner)
        }
      }
      return
    }
    if (!isObject(value)) {
      // draft-4 tuples stand under `items` as a list
      if (!Array.isArray(value) || shape !== 'schema') return
      if (!start.document.isTree && this.#isKnown(value, shape, live)) return
      for (let i = 0; i < value.length; i++) push(i, 'schema')
      return
    }
    if (entry.parent === undefined || !start.document.isTree ? this.#isKnown(value, shape, live) : false) return
    if (Object.hasOwn(value, 'x-agent')) this.#note(nodeAt(start, entry), shape, live)
    const keys = shapes[shape]
    for (const name in value) {
      const inner = keys.get(name)
      if (inner !== undefined)
        push(name, inner, live && name !== 'webhooks' && name !== 'callbacks' && name !== 'pathItems')
      else if (shape === 'pathItem' && methodsOf(this.#version).includes(name)) push(name, 'operation')
      else if (shape === 'pathItem' && name === 'query') push(name, 'laterOperation')
      else if (shape === 'callback' && !name.startsWith('x-')) push(name, 'pathItem', false)
    }
  }

  #isKnown(value: object, kind: Kind, live: boolean): boolean {
    // An operation of components.pathItems counts only once a path refers to it.
    const bit = 1 << (kinds.indexOf(kind) * 2 + (live ? 1 : 0))
    const known = this.#seen.get(value) ?? 0
    if ((known & bit) !== 0) return true
    this.#seen.set(value, known | bit)
    return false
  }

  #note(node: Node, kind: Kind, live: boolean): void {
    const annotation = child(node, 'x-agent')!
    const scope = scopes[kind]
    if (scope && (live || scope !== 'operation')) this.#places.push({ scope, node: annotation })
    else this.#misplaced.push({ kind, node: annotation })
  }

  /** Does the document use the key for another vocabulary, and nowhere for this one? */
  get isForeign(): boolean {
    return this.#foreignPlaces().length > 0
  }

  /** Findings about all places, each offence once. */
  diagnostics(): Diagnostic[] {
    const bag = new DiagnosticBag()
    const foreign = this.#foreignPlaces()
    if (foreign.length > 0) bag.add(foreignFinding(foreign))
    for (const { scope, node } of this.#places) {
      if (!foreign.some((f) => f.node.value === node.value)) bag.addAll(validateAnnotation(scope, node))
    }
    const live = new Set(this.#places.map((p) => p.node.value))
    for (const { kind, node } of this.#misplaced) {
      if (node.value !== null && typeof node.value === 'object' && live.has(node.value)) continue
      bag.add(
        at(node, {
          rule: 'x-agent-misplaced',
          severity: 'error',
          message: `x-agent has no meaning at ${placeWords[kind]}; it goes at the root, a tag, an operation, a parameter or a schema property`,
          on: 'key'
        })
      )
    }
    return bag.all
  }

  /** Only where nothing in the document speaks this vocabulary is `x-agent` taken for another one's. */
  #foreignPlaces(): AnnotationPlace[] {
    const foreign = this.#places.filter((p) => looksForeign(p.scope, p.node.value))
    if (foreign.length === 0 || this.#places.some((p) => looksOwn(p.scope, p.node.value))) return []
    return foreign.reverse()
  }
}

function foreignFinding([first, ...others]: AnnotationPlace[]): Diagnostic {
  const { scope, node } = first!
  const fields = Object.keys(node.value as JsonObject)
  const more = others.length === 0 ? '' : `, here and at ${others.length} other place${others.length > 1 ? 's' : ''}`
  return at(node, {
    rule: 'x-agent-foreign',
    severity: 'error',
    message: `x-agent at ${placeOf(scope)} follows another vocabulary (fields ${fields.slice(0, 12).join(', ')})${more}; this one has other fields`,
    on: 'key',
    ...(others.length > 0 && {
      related: others
        .slice(0, 20)
        .map((o) => ({ uri: o.node.document.uri, path: o.node.path, message: toJsonPath(o.node.path) }))
    })
  })
}
