import { isObject } from '../source/workspace.js'
import { listOf } from '../openapi/schema.js'
import { toPointer } from '../diagnostics.js'
import type { JsonSchema } from '../tools/types.js'

/** The one file that knows @json-layout/core. */

/** A field as the layout shows it. */
export interface Field {
  /** JSON Pointer into the document; a choice between variants ends with `/$oneOf`. */
  path: string
  type: string
  label?: string
  help?: string
  required: boolean
  value?: unknown
  /** The layout lists values for it. */
  hasItems: boolean
  variants?: { index: number; title: string; selected: boolean }[]
}

export interface Suggestion {
  value: unknown
  title: string
}

/** A document under edit: what the layout makes of data. */
export interface LayoutState {
  /** The data with defaults and constants filled in. */
  data: unknown
  fields(): Field[]
  /** Undefined where the field lists no values. */
  suggestions(path: string, query: string): Promise<Suggestion[] | undefined>
  /** Chooses a variant; false where there is none of that path and index. */
  choose(path: string, index: number): boolean
}

export interface CompiledLayout {
  open(data: unknown): LayoutState
}

// What is used of @json-layout/core 2.7. Written down here since the package may be absent where types are read, too.

interface StateNode {
  fullKey: string
  key: string | number
  dataPath: string
  data: unknown
  layout: {
    comp: string
    label?: string
    title?: string | null
    help?: string
    subtitle?: string
    props?: { type?: string }
    oneOfItems?: { key: number; title: string; header?: boolean }[]
  }
  skeleton: { required?: boolean; discriminator?: string }
  children?: StateNode[]
}

interface Stateful {
  data: unknown
  stateTree: { root: StateNode }
  activatedItems: Record<string, number | string>
  getItems(node: StateNode, query: string): Promise<{ header?: boolean; value: unknown; title: string }[]>
  activateItem(node: StateNode, key: number): void
}

/** Exported for tests, which stand in for the package. */
export interface LayoutModule {
  compile(schema: object, options: object): { mainTree: string; skeletonTrees: Record<string, unknown> }
  StatefulLayout: new (compiled: object, tree: unknown, options: object, data: unknown) => Stateful
}

export type LayoutLoader = () => Promise<LayoutModule>

const importLayout: LayoutLoader = async () => (await import('@json-layout/core')) as unknown as LayoutModule

const MISSING =
  'Form tools need the package @json-layout/core, which is not installed beside this program; install it with `npm install @json-layout/core@2.7.1`'

/** Compiles the layout of a form schema. The package is loaded now, and not before. */
export async function compileLayout(
  schema: JsonSchema,
  { locale, load = importLayout }: { locale: string; load?: LayoutLoader | undefined }
): Promise<CompiledLayout | { error: string }> {
  let layout: LayoutModule
  try {
    layout = await load()
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
    return { error: isMissing ? MISSING : `${MISSING} (${String(message)})` }
  }
  try {
    const compiled = layout.compile(structure(schema, 0), {
      locale,
      markdown: (text: string) => text,
      useDescription: ['help'],
      ajvOptions: { allErrors: true, strict: false, verbose: true, logger: false, validateSchema: false }
    })
    return { open: (data) => new State(layout, compiled, data) }
  } catch (error) {
    return { error: `The schema of the form has no layout: ${error instanceof Error ? error.message : String(error)}` }
  }
}

class State implements LayoutState {
  readonly #layout: Stateful
  readonly #chosen: Record<string, number> = {}

  constructor(layout: LayoutModule, compiled: ReturnType<LayoutModule['compile']>, data: unknown) {
    const options = { removeAdditional: 'none', initialValidation: 'never', updateOn: 'input', debounceInputMs: 0 }
    // A state tree that is reused keeps errors and choices of the data before.
    const tree = compiled.skeletonTrees[compiled.mainTree]
    this.#layout = new layout.StatefulLayout(compiled, tree, { ...options, noStateCache: true }, structuredClone(data))
  }

  get data(): unknown {
    return this.#layout.data
  }

  set data(data: unknown) {
    // Variants are told from the data again; a choice is needed only where no property says which one is meant.
    this.#layout.activatedItems = { ...this.#chosen }
    this.#layout.data = structuredClone(data)
  }

  fields(): Field[] {
    const fields: Field[] = []
    for (const { node, path, parent } of this.#nodes()) {
      const { layout, skeleton } = node
      const isVariant = layout.comp === 'one-of-select'
      // Where a variant or a part of an allOf stands, the data is that of the object around it.
      if (layout.comp === 'none' || (!isVariant && (parent === undefined || parent.dataPath === node.dataPath)))
        continue
      const active = node.children?.[0]?.key
      const label = layout.label || layout.title || undefined
      const help = layout.help ?? layout.subtitle
      fields.push({
        path: isVariant ? `${path}/$oneOf` : path,
        type: isVariant ? 'variant' : (layout.props?.type ?? layout.comp),
        ...(label !== undefined && label !== String(node.key) && { label }),
        ...(help !== undefined && { help }),
        required: skeleton.required === true && typeof node.key === 'string',
        hasItems: hasItems(node),
        ...(isVariant && {
          variants: (layout.oneOfItems ?? []).map(({ key, title }) => ({ index: key, title, selected: key === active }))
        })
      })
    }
    return fields
  }

  async suggestions(path: string, query: string): Promise<Suggestion[] | undefined> {
    const found = this.#nodes().find((n) => n.path === path && hasItems(n.node))
    if (!found) return undefined
    const items = await this.#layout.getItems(found.node, query)
    return items.filter((i) => !i.header).map(({ value, title }) => ({ value, title: String(title) }))
  }

  choose(path: string, index: number): boolean {
    const found = this.#nodes().find((n) => n.node.layout.comp === 'one-of-select' && `${n.path}/$oneOf` === path)
    if (!found?.node.layout.oneOfItems?.some((item) => item.key === index)) return false
    if (found.node.skeleton.discriminator === undefined) this.#chosen[found.node.fullKey] = index
    this.#layout.activateItem(found.node, index)
    return true
  }

  #nodes(): { node: StateNode; path: string; parent: StateNode | undefined }[] {
    const nodes: { node: StateNode; path: string; parent: StateNode | undefined }[] = []
    const visit = (node: StateNode, path: string, parent?: StateNode): void => {
      nodes.push({ node, path, parent })
      for (const inner of node.children ?? []) {
        visit(inner, inner.dataPath === node.dataPath ? path : path + toPointer([inner.key]), node)
      }
    }
    visit(this.#layout.stateTree.root, '')
    return nodes
  }
}

function hasItems({ layout }: StateNode): boolean {
  return ITEMS.has(layout.comp) && ('items' in layout || 'getItems' in layout)
}

const ITEMS = new Set(['select', 'autocomplete', 'combobox', 'number-combobox'])

// --- from a schema to what the layout may see of it

/** Deep enough for any form; the layout writes every level out. */
const DEEPEST = 24
const WORDS = ['title', 'description', 'default', 'format', 'readOnly']
const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']
/** The layout writes names into code and into addresses; those that could be taken for more are not shown to it. */
const PLAIN_NAME = /^(?!\$|__proto__$)[^"'`\\/~#%?\s\p{Cc}\u2028\u2029][^"'`\\/~#%?\p{Cc}\u2028\u2029]*$/u

/**
 * The part of a schema that the layout needs to know which fields there are. Written anew, since the layout compiles
 * expressions of its `layout` keyword and names of properties to code, and takes patterns to an engine that backtracks: a schema
 * comes from a service. What is valid is decided elsewhere.
 */
function structure(schema: unknown, depth: number, inAlternative = false): JsonSchema {
  if (!isObject(schema) || depth > DEEPEST) return {}
  const types = listOf(schema['type']).filter((t): t is string => typeof t === 'string')
  const main = mainType(schema, types)
  const out: JsonSchema = {}
  const nullable = types.includes('null') || alternativesOf(schema).some((s) => s['type'] === 'null')
  if (main !== undefined) out['type'] = nullable ? [main, 'null'] : main
  for (const key of [...WORDS, ...(inAlternative ? LIMITS : [])]) if (key in schema) out[key] = schema[key]
  if ('const' in schema) out['const'] = schema['const']
  if (Array.isArray(schema['enum'])) out['enum'] = schema['enum']
  const inner = (value: unknown, alternative = inAlternative): JsonSchema => structure(value, depth + 1, alternative)
  if (main === 'object') {
    const properties = plain(schema['properties']).map(([name, value]) => [name, inner(value)] as const)
    out['properties'] = Object.fromEntries(properties)
    const names = new Set(properties.map(([name]) => name))
    const required = listOf(schema['required']).filter((n) => names.has(n as string))
    if (required.length > 0) out['required'] = required
    if (Array.isArray(schema['allOf'])) out['allOf'] = schema['allOf'].map((part) => asObject(inner(part)))
    const variants = alternativesOf(schema).filter((s) => s['type'] !== 'null')
    if (variants.length === 1) Object.assign(out, merged(out, inner(variants[0])))
    else if (variants.length > 1 && variants.every((v) => mainType(v, listOf(v['type']) as string[]) !== 'string'))
      Object.assign(out, choice(variants.map((v) => asObject(inner(v, true)))))
    if (isObject(schema['if'])) {
      out['if'] = inner(schema['if'], true)
      for (const key of ['then', 'else']) if (isObject(schema[key])) out[key] = asObject(inner(schema[key]))
    }
    const dependent = plain(schema['dependentSchemas']).filter(([name]) => names.has(name))
    if (dependent.length > 0)
      out['dependentSchemas'] = Object.fromEntries(dependent.map(([name, value]) => [name, asObject(inner(value))]))
  } else if (main === 'array') {
    const tuple = listOf(schema['prefixItems'])
    out['items'] = tuple.length > 0 ? tuple.map((item) => inner(item)) : inner(schema['items'])
  } else if (main !== undefined) {
    const constants = alternativesOf(schema).filter((s) => s['type'] !== 'null')
    if (constants.length > 0 && constants.every((c) => 'const' in c))
      out['oneOf'] = constants.map((c) => ({
        const: c['const'],
        ...(typeof c['title'] === 'string' && { title: c['title'] })
      }))
  }
  return { ...out, layout: layoutOf(schema, typeText(schema, types, main)) }
}

/** The type whose field is shown. Where several are possible, one whose field leaves any value alone. */
function mainType(schema: JsonSchema, types: readonly string[]): string | undefined {
  const own = types.filter((t) => t !== 'null')
  if (own.length === 1) return own[0]
  if (own.length > 1) return 'string'
  if (isObject(schema['properties']) || isObject(schema['patternProperties'])) return 'object'
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum']).filter((v) => v !== null)
  if (values.length > 0)
    return typeof values[0] === 'string' || typeof values[0] === 'boolean' ? typeof values[0] : 'number'
  const parts = [...alternativesOf(schema), ...listOf(schema['allOf']).filter(isObject)]
  const found = new Set(
    parts.map((part) => mainType(part, listOf(part['type']).map(String))).filter((t) => t !== undefined)
  )
  return found.size === 1 ? [...found][0] : 'string'
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].filter(isObject)
}

/** Variants, with the property whose constants tell them apart where there is one. */
function choice(variants: JsonSchema[]): JsonSchema {
  const constantsOf = (variant: JsonSchema): Map<string, unknown> =>
    new Map(
      Object.entries(variant['properties'] as Record<string, JsonSchema>).flatMap(([name, property]) => {
        const values = 'const' in property ? [property['const']] : listOf(property['enum'])
        return values.length === 1 ? [[name, values[0]]] : []
      })
    )
  const constants = variants.map(constantsOf)
  const name = [...constants[0]!.keys()].find(
    (key) => constants.every((c) => c.has(key)) && new Set(constants.map((c) => c.get(key))).size === variants.length
  )
  if (name === undefined) return { oneOf: variants }
  for (const [i, variant] of variants.entries()) {
    const properties = variant['properties'] as Record<string, JsonSchema>
    properties[name] = { ...properties[name], const: constants[i]!.get(name) }
  }
  return { oneOf: variants, discriminator: { propertyName: name } }
}

function asObject(schema: JsonSchema): JsonSchema {
  return { properties: {}, ...schema, type: 'object' }
}

function merged(base: JsonSchema, part: JsonSchema): JsonSchema {
  const properties = { ...(part['properties'] as JsonSchema), ...(base['properties'] as JsonSchema) }
  const required = [...listOf(base['required']), ...listOf(part['required'])]
  return { ...part, ...base, properties, ...(required.length > 0 && { required }) }
}

function plain(map: unknown): [string, unknown][] {
  return isObject(map) ? Object.entries(map).filter(([name]) => PLAIN_NAME.test(name)) : []
}

function typeText(schema: JsonSchema, types: readonly string[], main: string | undefined): string {
  const written = types.length > 0 ? types : alternativesOf(schema).flatMap((s) => listOf(s['type']).map(String))
  const isGuess = !['properties', 'patternProperties', 'const', 'enum', 'allOf'].some((key) => key in schema)
  const text = [...new Set(written)].join(' | ') || (isGuess ? 'any' : main) || 'any'
  const { format } = schema
  return typeof format === 'string' ? `${text} (${format})` : text
}

/** Of the author's `layout` only what is data: no expression, no component. */
function layoutOf(schema: JsonSchema, type: string): unknown {
  const { layout } = schema
  const written: JsonSchema = isObject(layout) ? layout : typeof layout === 'string' ? { comp: layout } : {}
  if (written['comp'] === 'none' || isHidden(schema)) return 'none'
  const items = listOf(written['items']).flatMap((item): JsonSchema[] | unknown[] => {
    if (typeof item === 'string' || typeof item === 'number') return [item]
    if (!isObject(item) || item['header'] === true) return []
    const { key, title, value } = item
    return [{ key: String(key ?? value), title: String(title ?? key ?? value), value: value ?? key }]
  })
  const words = ['title', 'label', 'help'].filter((key) => typeof written[key] === 'string')
  return {
    ...(type.includes(' | ') &&
      !('enum' in schema) &&
      !items.length &&
      isLeafOfSeveral(type) && { comp: 'text-field' }),
    ...Object.fromEntries(words.map((key) => [key, written[key]])),
    ...(items.length > 0 && { items }),
    props: { type }
  }
}

function isLeafOfSeveral(type: string): boolean {
  return type.split(' | ').filter((t) => t !== 'null').length > 1
}

/** Columns that data-fair fills itself: extensions and attachments. */
function isHidden(schema: JsonSchema): boolean {
  return 'x-extension' in schema || schema['x-refersTo'] === 'http://schema.org/DigitalDocument'
}
