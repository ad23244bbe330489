import type { Diagnostic } from '../diagnostics.js'
import type { JsonSchema, ParameterTarget, ArgumentTarget } from './types.js'
import {
  at,
  child,
  elements,
  isObject,
  isObjectNode,
  members,
  type JsonObject,
  type Node
} from '../source/workspace.js'
import { parametersOf, requestBodyOf, type Parameter, type RequestBody } from '../openapi/operations.js'
import { collapsed, isArraySchema, listOf, SchemaTranslator, type SchemaForm } from '../openapi/schema.js'
import type { OperationAnnotation, ParameterAnnotation } from '../vocabulary/definitions.js'
import { localizedText } from '../vocabulary/localized.js'
import { didYouMean, nearest } from '../vocabulary/suggestions.js'
import { compactListing } from './compact-listing.js'
import type { AuthoredDescription } from './description-lints.js'
import { ArgumentNames } from './naming.js'
import { overridesOf, schemaNodeOf, type Overrides } from './overrides.js'
import type { ToolContext } from './context.js'

/** Largest number of schema nodes in the input schema of one tool. */
export const INPUT_NODES = 20_000

/** A value that is sent on every call. */
export type FixedValue =
  | { kind: 'parameter'; parameter: ParameterTarget; value: unknown }
  | { kind: 'bodyProperty'; name: string; value: unknown }

/** How the JSON body of a request comes about. */
export interface BodyPlan {
  required: boolean
  /** Properties come as arguments of their own, or the body comes whole as one argument. */
  form: 'properties' | 'whole'
  /** Fill in the defaults of the schema. Not for PATCH, where a value that nobody gave would change something. */
  defaults: boolean
}

/** The input side of a tool: what an agent may give, and where each part of it goes. */
export interface ToolInput {
  schema: JsonSchema
  arguments: Record<string, ArgumentTarget>
  fixed: FixedValue[]
  body?: BodyPlan
  /** Schema of the whole JSON body, with references, for validators (form `refs` only). */
  bodySchema?: JsonSchema
  authored: AuthoredDescription[]
}

/** Composes the input schema of one view of an operation (x-agent vocabulary, "Operation", "Parameter overrides", "Request bodies"). */
export function composeInput(context: ToolContext, form: SchemaForm): ToolInput {
  return new InputComposer(context, form).compose()
}

interface ArgumentDraft {
  key: string
  target: ArgumentTarget
  schema: JsonSchema
  required: boolean
}

class InputComposer {
  readonly #context: ToolContext
  readonly #annotation: OperationAnnotation
  readonly #form: SchemaForm
  /** Parameters stay inline in both forms, since overrides change single keywords of them. */
  readonly #parameterSchemas: SchemaTranslator
  readonly #bodySchemas: SchemaTranslator
  readonly #names = new ArgumentNames()
  readonly #drafts: ArgumentDraft[] = []
  readonly #fixed: FixedValue[] = []
  readonly #authored: AuthoredDescription[] = []

  constructor(context: ToolContext, form: SchemaForm) {
    this.#context = context
    this.#annotation = context.annotation
    this.#form = form
    const options = {
      workspace: context.workspace,
      dialect: context.dialect,
      direction: 'input' as const,
      budget: INPUT_NODES,
      onProblem: context.onProblem
    }
    this.#parameterSchemas = new SchemaTranslator({ ...options, form: 'inline' })
    this.#bodySchemas = form === 'inline' ? this.#parameterSchemas : new SchemaTranslator({ ...options, form })
  }

  compose(): ToolInput {
    const parameters = parametersOf(this.#context.operation, this.#context.workspace, this.#context.onProblem)
    const select = this.#takeParameters(parameters)
    this.#takeGenerated(select)
    const body = this.#takesBody()
      ? requestBodyOf(this.#context.operation, this.#context.workspace, this.#context.onProblem)
      : undefined
    const plan = this.#takeBody(body)
    this.#checkNames(parameters, plan)
    const required = this.#drafts.filter((d) => d.required).map((d) => d.key)
    const schema: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(this.#drafts.map((d) => [d.key, d.schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false
    }
    return {
      schema: this.#bodySchemas.withDefs(schema),
      arguments: Object.fromEntries(this.#drafts.map((d) => [d.key, d.target])),
      fixed: this.#fixed,
      ...(plan && { body: plan.body, ...(plan.schema && { bodySchema: this.#bodySchemas.withDefs(plan.schema) }) }),
      authored: this.#authored
    }
  }

  // --- parameters

  #takeParameters(parameters: Parameter[]): SelectParameter | undefined {
    const renames = new Map<string, Node>()
    let select: SelectParameter | undefined
    for (const parameter of parameters) {
      const target = targetOf(parameter)
      const overrides = overridesOf(this.#context.view, parameter)
      if (this.#fixedValue(parameter.name) !== undefined) {
        this.#fixed.push({ kind: 'parameter', parameter: target, value: this.#annotation.fixed![parameter.name] })
        if (overrides.merged.exclude) this.#mentionFixedAndExcluded(parameter)
      }
      if (this.#annotation.response?.selectParam === parameter.name) {
        select = { target, joined: !this.#isArray(parameter) }
        continue
      }
      if (overrides.merged.exclude || this.#fixedValue(parameter.name) !== undefined) continue
      this.#takeParameter(parameter, target, overrides, renames)
    }
    return select
  }

  #takeParameter(
    parameter: Parameter,
    target: ParameterTarget,
    overrides: Overrides,
    renames: Map<string, Node>
  ): void {
    const { merged } = overrides
    const wanted = merged.name ?? parameter.name
    if (merged.name !== undefined && (this.#names.has(wanted) || renames.has(wanted))) {
      this.#context.report(
        at(overrides.source.name!, {
          rule: 'x-agent-duplicate-argument',
          severity: 'error',
          message: `two parameters of ${this.#context.toolName} would be called "${wanted}"`
        })
      )
    }
    if (merged.name !== undefined) renames.set(wanted, overrides.source.name!)
    const key = this.#names.take(wanted, `__${parameter.in}`)
    const schema = this.#parameterSchema(parameter, merged)
    this.#drafts.push({
      key,
      target: { kind: 'parameter', parameter: target },
      schema,
      required: parameter.node.value['required'] === true || parameter.in === 'path' || merged.required === true
    })
    if (overrides.source.description) this.#authored.push({ node: overrides.source.description, argument: key, schema })
  }

  #parameterSchema(parameter: Parameter, overrides: ParameterAnnotation): JsonSchema {
    const { schema: node, media } = schemaNodeOf(parameter)
    // A validator needs recursion whole; overrides change single keywords, for which the schema has to be written out.
    const isChanged = ['default', 'maximum', 'enum'].some((key) => key in overrides)
    const schemas = media && !isChanged ? this.#bodySchemas : this.#parameterSchemas
    const schema: JsonSchema = node ? { ...collapsed(schemas.translate(node)) } : media ? {} : { type: 'string' }
    // A title beside the argument's own name says the same thing twice, in every tool.
    delete schema['title']
    const { description, deprecated, example } = parameter.node.value
    const text =
      localizedText(overrides.description, this.#context.locale) ??
      (typeof description === 'string' ? description : undefined)
    if (text !== undefined) schema['description'] = text
    if (deprecated === true) schema['deprecated'] = true
    if (example !== undefined && !('examples' in schema)) schema['examples'] = [example]
    return override(schema, overrides)
  }

  #isArray(parameter: Parameter): boolean {
    const schema = child(parameter.node, 'schema')
    return schema !== undefined && isArraySchema(this.#parameterSchemas.translate(schema))
  }

  #fixedValue(name: string): unknown {
    const { fixed } = this.#annotation
    return fixed && Object.hasOwn(fixed, name) ? (fixed[name] ?? null) : undefined
  }

  #mentionFixedAndExcluded(parameter: Parameter): void {
    const node = child(child(this.#context.view, 'fixed')!, parameter.name)!
    this.#context.report(
      at(node, {
        rule: 'x-agent-fixed-excluded',
        severity: 'info',
        message: `"${parameter.name}" is both fixed and excluded; the fixed value is sent`,
        on: 'key'
      })
    )
  }

  // --- generated arguments

  #takeGenerated(select: SelectParameter | undefined): void {
    const { response } = this.#annotation
    const selectNode = child(this.#context.view, 'response')
    if (response?.selectParam !== undefined && selectNode) {
      const node = child(selectNode, 'selectParam')!
      if (!select)
        this.#reportSelect(
          node,
          `selectParam ${JSON.stringify(response.selectParam)} names no parameter of the operation`
        )
      else this.#takeFields(select, node)
    }
    if (response?.concise && response.detailed) {
      const detailed = response.detailed === true ? 'every field' : response.detailed.join(', ')
      this.#drafts.push({
        key: this.#names.take('response_format', '_'),
        target: { kind: 'responseFormat' },
        schema: {
          type: 'string',
          enum: ['concise', 'detailed'],
          default: 'concise',
          description: `concise: ${response.concise.join(', ')}. detailed: ${detailed}.`
        },
        required: false
      })
    }
  }

  #takeFields({ target: select, joined }: SelectParameter, node: Node): void {
    let fields = this.#context.responseFields()
    if (fields.length === 0) {
      this.#reportSelect(
        node,
        `selectParam ${JSON.stringify(select.name)} needs a response schema that declares properties`
      )
      return
    }
    // A fixed projection is sent as it is, so only its fields can come back.
    const fixed = this.#fixedValue(select.name)
    const sent =
      typeof fixed === 'string' ? fixed.split(',').map((f) => f.trim()) : Array.isArray(fixed) ? fixed : undefined
    if (sent) fields = fields.filter((f) => sent.includes(f))
    if (fields.length === 0) return
    this.#drafts.push({
      key: this.#names.take('fields', '_'),
      target: { kind: 'fields', parameter: select, joined },
      schema: {
        type: 'array',
        items: { type: 'string', enum: fields },
        description: 'Fields to return. Without it, the usual ones.'
      },
      required: false
    })
  }

  #reportSelect(node: Node, message: string): void {
    this.#context.report(at(node, { rule: 'x-agent-select-param', severity: 'error', message }))
  }

  // --- body

  /** fetch sends no body with these, and HTTP gives it no meaning. */
  #takesBody(): boolean {
    return !['get', 'head'].includes(this.#context.operation.method)
  }

  #takeBody(body: RequestBody | undefined): { body: BodyPlan; schema?: JsonSchema; names: string[] } | undefined {
    const fieldsNode = child(this.#context.view, 'bodyFields')
    if (!body) {
      if (fieldsNode && this.#annotation.bodyFields)
        this.#reportBodyFields(fieldsNode, 'the operation has no application/json request body')
      return undefined
    }
    const parts = body.schema ? this.#partsOf(body.schema) : undefined
    const chosen = this.#chosenParts(parts, fieldsNode)
    const whole = this.#annotation.body === 'compact' || !chosen || chosen.properties.size === 0 || chosen.branching
    const plan: BodyPlan = {
      required: body.required,
      form: whole ? 'whole' : 'properties',
      defaults: this.#context.operation.method !== 'patch'
    }
    const schema = this.#form === 'refs' ? this.#bodySchema(body, chosen) : undefined
    const names = chosen ? [...chosen.properties.keys()] : []
    const open = names.filter((name) => this.#fixedBodyProperty(name) === undefined)
    if (whole) this.#takeWholeBody(body, chosen, open)
    else {
      for (const name of open) {
        this.#drafts.push({
          key: this.#names.take(name, '__body'),
          target: { kind: 'bodyProperty', name },
          schema: this.#bodySchemas.translateAll(chosen.properties.get(name)!, chosen.containers),
          required: body.required && chosen.required.has(name)
        })
      }
    }
    return { body: plan, names, ...(schema && { schema }) }
  }

  #takeWholeBody(body: RequestBody, parts: BodyParts | undefined, open: string[]): void {
    const key = this.#names.take('body', '__body')
    const about = body.description ?? parts?.description
    let schema: JsonSchema
    if (this.#annotation.body === 'compact' && parts && parts.properties.size > 0) {
      const listed = open.map((name): [string, JsonSchema] => [name, this.#shallowSchema(parts.properties.get(name)!)])
      const required = new Set([...parts.required].filter((name) => open.includes(name)))
      schema = { type: 'object', description: compactListing(listed, required, about) }
    } else {
      schema = body.schema ? { ...this.#bodySchemas.translate(body.schema) } : {}
      if (about !== undefined && !('description' in schema)) schema['description'] = about
    }
    this.#drafts.push({ key, target: { kind: 'body' }, schema, required: body.required })
  }

  /** The top of a property's schema, enough for a line of the listing; a reference is looked through, not written out. */
  #shallowSchema(nodes: Node[]): JsonSchema {
    const look = (node: Node, depth: number): JsonSchema => {
      const resolved = this.#context.workspace.follow(node)
      if (!('node' in resolved) || !isObject(resolved.node.value) || depth > 3) return {}
      const source = resolved.node.value
      const out: JsonSchema = {}
      for (const key of ['type', 'enum', 'const', 'description']) if (key in source) out[key] = source[key]
      const beside = isObject(node.value) ? node.value['description'] : undefined
      if (typeof beside === 'string') out['description'] = beside
      if ('properties' in source) out['properties'] = {}
      for (const key of ['oneOf', 'anyOf', 'allOf']) {
        const list = child(resolved.node, key)
        if (list && Array.isArray(list.value)) out[key] = elements(list).map((inner) => look(inner, depth + 1))
      }
      const items = child(resolved.node, 'items')
      if (items) out['items'] = look(items, depth + 1)
      if (source['nullable'] === true)
        return {
          anyOf: [out, { type: 'null' }],
          ...(out['description'] !== undefined && { description: out['description'] })
        }
      return out
    }
    return nodes.length === 1 ? look(nodes[0]!, 0) : { allOf: nodes.map((n) => look(n, 0)) }
  }

  #bodySchema(body: RequestBody, parts: BodyParts | undefined): JsonSchema {
    if (!body.schema) return {}
    if (!this.#annotation.bodyFields || !parts) return this.#bodySchemas.translate(body.schema)
    const required = [...parts.required]
    return {
      type: 'object',
      properties: Object.fromEntries(
        [...parts.properties].map(([name, nodes]) => [name, this.#bodySchemas.translateAll(nodes, parts.containers)])
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: false
    }
  }

  #fixedBodyProperty(name: string): FixedValue | undefined {
    return this.#fixed.find((f) => f.kind === 'bodyProperty' && f.name === name)
  }

  /** The parts of the body that the tool may send: all, or what `bodyFields` lists, in that order. */
  #chosenParts(parts: BodyParts | undefined, fieldsNode: Node | undefined): BodyParts | undefined {
    const fields = this.#annotation.bodyFields
    let chosen = parts
    if (fields && fieldsNode) {
      if (!parts || parts.properties.size === 0) {
        this.#reportBodyFields(fieldsNode, 'the request body is no object with properties')
        return parts
      }
      const missing = fields.filter((name) => !parts.properties.has(name))
      if (missing.length > 0) {
        const known = [...parts.properties.keys()]
        const suggestion = missing.length === 1 ? nearest(missing[0]!, known) : undefined
        this.#reportBodyFields(
          fieldsNode,
          `the request body declares no ${missing.map((m) => JSON.stringify(m)).join(', ')}${didYouMean(suggestion)}`,
          { within: [fields.indexOf(missing[0]!)], ...(suggestion !== undefined && { suggestion }) }
        )
      }
      const kept = fields.filter((name) => parts.properties.has(name))
      chosen = {
        ...parts,
        branching: false,
        properties: new Map(kept.map((name) => [name, parts.properties.get(name)!])),
        required: new Set([...parts.required].filter((name) => kept.includes(name)))
      }
    }
    for (const name of chosen?.properties.keys() ?? []) {
      const isParameter = this.#fixed.some((f) => f.kind === 'parameter' && f.parameter.name === name)
      const value = this.#fixedValue(name)
      if (value !== undefined && !isParameter) this.#fixed.push({ kind: 'bodyProperty', name, value })
    }
    return chosen
  }

  #reportBodyFields(node: Node, message: string, more: Pick<Diagnostic, 'within' | 'suggestion'> = {}): void {
    this.#context.report(
      at(node, {
        rule: 'x-agent-body-fields',
        severity: 'error',
        message: `${this.#context.toolName}: ${message}`,
        ...more
      })
    )
  }

  #partsOf(schema: Node): BodyParts | undefined {
    const parts: BodyParts = {
      properties: new Map(),
      required: new Set(),
      branching: false,
      isObject: false,
      description: undefined,
      containers: new Set()
    }
    this.#collectParts(schema, parts, parts.containers)
    if (!parts.isObject) return undefined
    for (const [name, nodes] of parts.properties) {
      if (nodes.some((node) => this.#isReadOnly(node))) {
        parts.properties.delete(name)
        parts.required.delete(name)
      }
    }
    return parts
  }

  /** An object body in parts: its own and those of its `allOf`, merged (x-agent vocabulary, "Request bodies"). */
  #collectParts(node: Node, parts: BodyParts, seen: Set<object>): void {
    const { nodes, end: resolved } = this.#context.workspace.chain(node)
    if ('problem' in resolved) {
      if (resolved.problem.rule !== 'circular-ref') this.#context.onProblem(node, resolved.problem)
      return
    }
    if (!('node' in resolved) || !isObjectNode(resolved.node) || seen.has(resolved.node.value)) return
    seen.add(resolved.node.value)
    const { value } = resolved.node
    const types = listOf(value['type'])
    if (types.includes('object') || isObject(value['properties'])) parts.isObject = true
    if (typeof value['description'] === 'string') parts.description ??= value['description']
    for (const [name, property] of members(child(resolved.node, 'properties'))) {
      const known = parts.properties.get(name)
      if (known) known.push(property)
      else parts.properties.set(name, [property])
    }
    for (const name of listOf(value['required'])) if (typeof name === 'string') parts.required.add(name)
    for (const part of elements(child(resolved.node, 'allOf'))) this.#collectParts(part, parts, seen)
    for (const key of ['oneOf', 'anyOf']) {
      if (elements(child(resolved.node, key)).some((branch) => this.#declaresProperties(branch, 0)))
        parts.branching = true
    }
    // keywords beside a reference belong to the same object
    for (const holder of this.#context.dialect === '3.0' ? [] : nodes.slice(0, -1)) {
      const rest = Object.fromEntries(Object.entries(holder.value as JsonObject).filter(([key]) => key !== '$ref'))
      if (Object.keys(rest).length > 0) this.#collectParts({ ...holder, value: rest }, parts, seen)
    }
  }

  /** Does a branch bring properties that depend on the choice? Then the body cannot be spread without losing that. */
  #declaresProperties(branch: Node, depth: number): boolean {
    const resolved = this.#context.workspace.follow(branch)
    if (!('node' in resolved) || !isObject(resolved.node.value) || depth > 8) return false
    const { value } = resolved.node
    if (isObject(value['properties']) && Object.keys(value['properties']).length > 0) return true
    const type = listOf(value['type'])
    if (type.length > 0 && !type.includes('object') && !type.includes('null')) return true
    return ['allOf', 'oneOf', 'anyOf'].some((key) =>
      elements(child(resolved.node, key)).some((b) => this.#declaresProperties(b, depth + 1))
    )
  }

  #isReadOnly(node: Node): boolean {
    return this.#context.workspace.chain(node).nodes.some(({ value }) => isObject(value) && value['readOnly'] === true)
  }

  // --- names that name nothing

  /** One annotation is often shared by several documents, so an override of a parameter that is not there is a warning. */
  #checkNames(parameters: Parameter[], plan: { names: string[] } | undefined): void {
    const known = [...new Set(parameters.map((p) => p.name))]
    for (const [name, node] of members(child(this.#context.view, 'params'))) {
      if (!known.includes(name)) this.#reportUnknownName(node, name, 'params', known)
    }
    for (const [name, node] of members(child(this.#context.view, 'fixed'))) {
      if (known.includes(name) || plan?.names.includes(name)) continue
      this.#reportUnknownName(node, name, 'fixed', known)
      const parameter: ParameterTarget = { name, in: 'query', style: 'form', explode: true, allowReserved: false }
      if (this.#annotation.fixed && Object.hasOwn(this.#annotation.fixed, name)) {
        this.#fixed.push({ kind: 'parameter', parameter, value: this.#annotation.fixed[name] })
      }
    }
  }

  #reportUnknownName(node: Node, name: string, field: 'params' | 'fixed', known: string[]): void {
    const suggestion = nearest(name, known)
    const then = field === 'fixed' ? '; it is sent in the query' : ''
    this.#context.report(
      at(node, {
        rule: 'x-agent-unknown-parameter',
        severity: 'warning',
        message: `${field} names ${JSON.stringify(name)}, which is no parameter of the operation${then}${didYouMean(suggestion)}`,
        on: 'key',
        ...(suggestion !== undefined && { suggestion })
      })
    )
  }
}

/** The API's projection parameter. */
interface SelectParameter {
  target: ParameterTarget
  joined: boolean
}

interface BodyParts {
  properties: Map<string, Node[]>
  required: Set<string>
  /** Alternatives bring properties of their own. */
  branching: boolean
  isObject: boolean
  description: string | undefined
  /** The schema objects that these parts come from. */
  containers: Set<object>
}

/** `default`, `maximum` and `enum` of an override. On an array they describe the items, save a default that is an array itself. */
function override(schema: JsonSchema, overrides: ParameterAnnotation): JsonSchema {
  const changes: JsonSchema = {}
  if (overrides.maximum !== undefined) changes['maximum'] = overrides.maximum
  if (overrides.enum !== undefined) changes['enum'] = overrides.enum
  if (overrides.default !== undefined) changes['default'] = overrides.default
  if (Object.keys(changes).length === 0) return schema
  if (!isArraySchema(schema)) return withChanges(schema, changes)
  const { default: value, ...ofItems } = changes
  if (value !== undefined && !Array.isArray(value)) ofItems['default'] = value
  const items = isObject(schema['items']) ? schema['items'] : {}
  return {
    ...schema,
    ...(Object.keys(ofItems).length > 0 && { items: withChanges(items, ofItems) }),
    ...(Array.isArray(value) && { default: value })
  }
}

function withChanges(schema: JsonSchema, changes: JsonSchema): JsonSchema {
  const out: JsonSchema = { ...schema, ...changes }
  const { maximum } = changes
  if (typeof maximum === 'number' && typeof out['exclusiveMaximum'] === 'number' && out['exclusiveMaximum'] > maximum)
    delete out['exclusiveMaximum']
  if ('enum' in changes) delete out['const']
  return out
}

const DEFAULT_STYLES: Record<string, string> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
  querystring: 'form'
}

/** How a parameter is written into the request, defaults of its location filled in. */
export function targetOf(parameter: Parameter): ParameterTarget {
  const { style, explode, allowReserved } = parameter.node.value
  const content = child(parameter.node, 'content')
  const location = (parameter.in in DEFAULT_STYLES ? parameter.in : 'query') as ParameterTarget['in']
  const resolvedStyle = typeof style === 'string' ? style : DEFAULT_STYLES[location]!
  const contentType = isObject(content?.value) ? Object.keys(content.value as JsonObject)[0] : undefined
  return {
    name: parameter.name,
    in: location,
    style: resolvedStyle,
    explode: typeof explode === 'boolean' ? explode : resolvedStyle === 'form',
    allowReserved: allowReserved === true,
    ...(contentType !== undefined && { contentType })
  }
}
