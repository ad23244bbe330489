import { toPointer } from '../diagnostics.js'
import { child, isObject, members, type Node, type Workspace } from '../source/workspace.js'
import type { SourceDocument } from '../source/document.js'
import type { HttpOutcome } from './http.js'
import type { HttpRequest, RequestPlan } from './request.js'
import type { ArgumentError } from './validate-arguments.js'
import { parametersOf, responseSchemaFor } from '../openapi/operations.js'
import { composeInput, type FixedValue, type ToolInput } from './input.js'
import { schemaCursor } from './node-cursor.js'
import type { ToolDefinition } from './tool.js'
import type { ArgumentTarget, CallContext, ParameterTarget, Tool, ToolResult } from './types.js'

/** How tools behave when they run. */
export interface RunOptions {
  fetch?: typeof fetch
  /** Default: the servers of the document. */
  baseUrl?: string
  /** Return the data beside the text. Default false. */
  structuredContent: boolean
  /** Credentials that the host adds to requests by itself: they are masked in every text, as those of `CallContext.headers` are. */
  secrets?: readonly string[]
  /** Truncation limit of strings in rendered text, in UTF-16 units. Default 500. */
  maxStringLength?: number
  /** Truncation limit of HTTP error bodies, in UTF-16 units. Default 4000. */
  maxErrorLength?: number
  /** Default 60,000 ms. */
  timeoutMs?: number
  /** Largest response body. Default 10 MiB. */
  maxBytes?: number
}

const DEFAULT_ERROR_LENGTH = 4000

type Validate = (value: unknown) => { value: unknown } | { errors: ArgumentError[] }

/** What a tool needs when it runs, made at the first call: most tools of a set are never called. */
interface Runtime {
  input: ToolInput
  validate: Validate
  validateBody: Validate
  /** Absent where no output schema is listed. */
  validateOutput?: Validate
  reserved: ReadonlySet<string>
  modules: Modules
}

/** The parts of a call that are read on first need. */
export interface Modules {
  request: typeof import('./request.js')
  http: typeof import('./http.js')
  render: typeof import('./render.js')
  secrets: typeof import('./secrets.js')
  structured: typeof import('./structured-content.js')
  validation: typeof import('./validate-arguments.js')
}

/** What a tool does when it is called (x-agent vocabulary, "Loading"). Neither function rejects. */
export function createRunner(
  definition: ToolDefinition,
  workspace: Workspace,
  options: RunOptions
): Pick<Tool, 'execute' | 'buildRequest'> {
  let runtime: Promise<Runtime> | undefined
  const call = async (context: CallContext): Promise<Call> => {
    // What failed for once, such as a file that was being written, may work at the next call.
    runtime ??= prepare(definition, workspace).catch((error: unknown) => {
      runtime = undefined
      throw error
    })
    return new Call(definition, workspace, options, await runtime, context)
  }
  const failed = (error: unknown): string =>
    `The tool failed: ${error instanceof Error ? error.message : String(error)}`
  return {
    execute: async (params, context) => {
      try {
        return await (await call(context ?? {})).run(params)
      } catch (error) {
        return failure(failed(error))
      }
    },
    buildRequest: async (params, context) => {
      try {
        return (await call(context ?? {})).request(params)
      } catch (error) {
        return { error: failed(error) }
      }
    }
  }
}

export async function loadModules(): Promise<Modules> {
  const [request, http, render, secrets, structured, validation] = await Promise.all([
    import('./request.js'),
    import('./http.js'),
    import('./render.js'),
    import('./secrets.js'),
    import('./structured-content.js'),
    import('./validate-arguments.js')
  ])
  return { request, http, render, secrets, structured, validation }
}

async function prepare(definition: ToolDefinition, workspace: Workspace): Promise<Runtime> {
  const modules = await loadModules()
  const silent = { ...definition.context, report: () => {}, onProblem: () => {} }
  const { result } = await workspace.settle(definition.context.document, () => ({
    input: composeInput(silent, 'refs'),
    declared: parametersOf(definition.view.operation, workspace, () => {})
  }))
  const { input, declared } = result
  const reserved = [
    ...declared.map((parameter) => modules.request.nameKey(parameter.in, parameter.name)),
    ...input.fixed.flatMap((f) =>
      f.kind === 'parameter' ? modules.request.nameKey(f.parameter.in, f.parameter.name) : []
    ),
    ...apiKeyNames(definition.context.document).map(([location, name]) => modules.request.nameKey(location, name))
  ]
  // Where the body comes as arguments of its own, defaults of a PATCH must not change what nobody named.
  const schema = input.body && !input.body.defaults ? withoutBodyDefaults(input) : input.schema
  return {
    input,
    validate: modules.validation.createValidator(schema),
    validateBody: modules.validation.createValidator(input.bodySchema ?? {}, {
      useDefaults: input.body?.defaults ?? false
    }),
    ...(definition.outputSchema && {
      validateOutput: modules.validation.createValidator(definition.outputSchema, { useDefaults: false })
    }),
    reserved: new Set(reserved),
    modules
  }
}

/** Where the document says that API keys go, as location and name: the host puts them there, and nobody else. */
function apiKeyNames(document: SourceDocument): [string, string][] {
  const components = child({ document, path: [], value: document.value }, 'components')
  return members(components && child(components, 'securitySchemes')).flatMap(([, { value }]): [string, string][] =>
    isObject(value) && value['type'] === 'apiKey' && typeof value['name'] === 'string'
      ? [[String(value['in']), value['name']]]
      : []
  )
}

function withoutBodyDefaults({ schema, arguments: targets }: ToolInput): ToolInput['schema'] {
  const properties = schema['properties'] as Record<string, Record<string, unknown>>
  const changed = Object.entries(properties).map(([name, property]) => {
    if (targets[name]?.kind !== 'bodyProperty' || !('default' in property)) return [name, property]
    const { default: _, ...rest } = property
    return [name, rest]
  })
  return { ...schema, properties: Object.fromEntries(changed) as Record<string, unknown> }
}

function failure(text: string): ToolResult {
  return { isError: true, text }
}

class Call {
  readonly #definition: ToolDefinition
  readonly #workspace: Workspace
  readonly #options: RunOptions
  readonly #runtime: Runtime
  readonly #context: CallContext

  constructor(
    definition: ToolDefinition,
    workspace: Workspace,
    options: RunOptions,
    runtime: Runtime,
    context: CallContext
  ) {
    this.#definition = definition
    this.#workspace = workspace
    this.#options = options
    this.#runtime = runtime
    this.#context = context
  }

  async run(params: unknown): Promise<ToolResult> {
    const built = this.#build(params)
    if ('error' in built) return failure(built.error)
    const outcome = await sendRequest(built.request, this.#runtime.modules, this.#options, this.#context)
    const result = outcome.ok ? await this.#result(outcome, built.values) : failure(outcome.error)
    const { secrets } = this.#runtime.modules
    const known = [...(this.#options.secrets ?? []), ...secrets.secretsIn(this.#context.headers ?? {})]
    return this.#withListedContent({ ...result, text: secrets.withoutSecrets(result.text, known) })
  }

  /** Where an output schema is listed, every answer has structured content that conforms to it. */
  #withListedContent(result: ToolResult): ToolResult {
    const { validateOutput, modules } = this.#runtime
    if (!validateOutput || result.isError || !this.#options.structuredContent) return result
    const structuredContent = modules.structured.conforming(result.structuredContent, validateOutput)
    return { ...result, ...(structuredContent !== undefined && { structuredContent }) }
  }

  request(params: unknown): { request: HttpRequest } | { error: string } {
    const built = this.#build(params)
    return 'error' in built ? built : { request: built.request }
  }

  // --- arguments → request

  #build(params: unknown): { request: HttpRequest; values: Record<string, unknown> } | { error: string } {
    const { modules, validate } = this.#runtime
    const given = params ?? {}
    if (!isObject(given)) return { error: 'Invalid parameters: the arguments must be an object' }
    const checked = validate(given)
    if ('errors' in checked) return { error: modules.validation.formatErrors('Invalid parameters', checked.errors) }
    const values = checked.value as Record<string, unknown>
    const body = this.#body(values, given)
    if ('error' in body) return body
    const base = baseUrlOf(this.#definition.servers, this.#definition.context.document.uri, this.#options.baseUrl)
    if ('error' in base) return base
    const plan: RequestPlan = {
      method: this.#definition.view.operation.method.toUpperCase(),
      baseUrl: base.url,
      pathTemplate: this.#definition.view.operation.path,
      parameters: this.#parameters(values),
      reserved: this.#runtime.reserved,
      accept: this.#definition.response.markdown
        ? 'text/markdown, application/json;q=0.9, */*;q=0.5'
        : 'application/json, */*;q=0.5',
      ...('value' in body && { body: { value: body.value } }),
      headers: this.#callerHeaders()
    }
    const built = modules.request.buildRequest(plan)
    return 'error' in built ? built : { ...built, values }
  }

  /** Headers of the caller. One that the document fixes stays as it is fixed. */
  #callerHeaders(): Record<string, string> {
    const fixed = this.#runtime.input.fixed.flatMap((f) =>
      f.kind === 'parameter' && f.parameter.in === 'header' ? f.parameter.name.toLowerCase() : []
    )
    return Object.fromEntries(
      Object.entries(this.#context.headers ?? {}).filter(([name]) => !fixed.includes(name.toLowerCase()))
    )
  }

  #parameters(values: Record<string, unknown>): RequestPlan['parameters'] {
    const { input } = this.#runtime
    const fixed = input.fixed.filter((f): f is Extract<FixedValue, { kind: 'parameter' }> => f.kind === 'parameter')
    const isFixed = (target: ParameterTarget): boolean =>
      fixed.some((f) => f.parameter.name === target.name && f.parameter.in === target.in)
    const own = Object.entries(input.arguments).flatMap(([name, target]): RequestPlan['parameters'] => {
      const value = argument(values, name)
      if (value === undefined) return []
      if (target.kind === 'parameter') return [{ target: target.parameter, value }]
      // A fixed projection cannot be beaten: the caller's choice then only narrows what is shown.
      if (target.kind !== 'fields' || isFixed(target.parameter) || (Array.isArray(value) && value.length === 0))
        return []
      return [{ target: target.parameter, value: target.joined && Array.isArray(value) ? value.join(',') : value }]
    })
    return [...fixed.map(({ parameter, value }) => ({ ...fixedParameter(parameter, value), fixed: true })), ...own]
  }

  /** The JSON body: from its properties or whole, with fixed values put in, checked against the API's own schema. */
  #body(
    values: Record<string, unknown>,
    given: Record<string, unknown>
  ): { value: unknown } | { none: true } | { error: string } {
    const { input, modules, validateBody } = this.#runtime
    if (!input.body) return { none: true }
    const fixed = input.fixed.filter(
      (f): f is Extract<FixedValue, { kind: 'bodyProperty' }> => f.kind === 'bodyProperty'
    )
    const targets = Object.entries(input.arguments).filter(([, t]) => t.kind === 'bodyProperty' || t.kind === 'body')
    const isGiven = targets.some(([name]) => Object.hasOwn(given, name))
    if (!isGiven && !input.body.required && fixed.length === 0) return { none: true }
    let body: unknown
    if (input.body.form === 'whole') {
      const [name] = targets[0]!
      body = argument(values, name)
      const own = isObject(body) ? body : {}
      const refused = fixed.find((f) => Object.hasOwn(own, f.name))
      if (refused)
        return { error: `Invalid body: ${toPointer([refused.name])} is set by the tool and cannot be given (fixed)` }
      if (fixed.length > 0) body = { ...own, ...fromEntries(fixed) }
    } else {
      const entries = targets.flatMap(([name, target]) => {
        const value = argument(values, name)
        return value === undefined ? [] : [{ name: (target as { name: string }).name, value }]
      })
      body = fromEntries([...entries, ...fixed])
    }
    const checked = validateBody(body)
    if ('errors' in checked) return { error: modules.validation.formatErrors('Invalid body', checked.errors) }
    return { value: checked.value }
  }

  // --- response → result

  async #result(outcome: HttpAnswer, values: Record<string, unknown>): Promise<ToolResult> {
    const { http, render } = this.#runtime.modules
    const { status, contentType } = outcome
    const refused = httpError(outcome, this.#runtime.modules, this.#options)
    if (refused !== undefined) return failure(refused)
    if (outcome.body.length === 0) return { text: `OK (HTTP ${status}, empty body)` }
    if (!isJson(contentType) && contentType !== '') {
      if (!render.isTextual(contentType)) return { text: render.describeBinary(contentType, outcome.body.length) }
      return { text: http.decodeBody(outcome) }
    }
    const text = http.decodeBody(outcome)
    if (text.trim() === '') return { text: `OK (HTTP ${status}, empty body)` }
    let data: unknown
    // In structured content a number stays a number, as the output schema says.
    let plain: unknown
    try {
      const exact = withExactIntegers(text)
      data = JSON.parse(exact)
      plain = exact === text ? data : JSON.parse(text)
    } catch (error) {
      if (contentType === '') return { text }
      return failure(`HTTP ${status}, but the body is not valid JSON: ${(error as Error).message}`)
    }
    return this.#rendered(data, plain, values, status)
  }

  async #rendered(data: unknown, plain: unknown, values: Record<string, unknown>, status: number): Promise<ToolResult> {
    const { render, validation } = this.#runtime.modules
    const { response, responseSchema, context } = this.#definition
    const projection = this.#projection(values)
    const draw = (schema: Node | undefined) => {
      const cursor =
        schema &&
        schemaCursor(schema, { workspace: this.#workspace, locale: context.locale, matches: validation.matchesPattern })
      const options = {
        ...(response.rows !== undefined && { rows: response.rows }),
        ...(projection && { projection }),
        ...(cursor && { schema: cursor })
      }
      return {
        text: render.renderJson(data, {
          ...options,
          hints: response.hints,
          maxStringLength: this.#options.maxStringLength ?? render.DEFAULT_MAX_STRING_LENGTH
        }),
        ...(this.#options.structuredContent && { structuredContent: render.projectData(plain, options) })
      }
    }
    const { result } = await this.#workspace.settle(context.document, () =>
      draw(responseSchemaFor(this.#definition.view.operation, status, this.#workspace) ?? responseSchema)
    )
    return result
  }

  /** x-agent vocabulary, "Responses": the caller's fields, then the format that was asked for, then `concise`, then everything. */
  #projection(values: Record<string, unknown>): string[] | undefined {
    const valueOf = (kind: ArgumentTarget['kind']): unknown => {
      const name = Object.entries(this.#runtime.input.arguments).find(([, t]) => t.kind === kind)?.[0]
      return name === undefined ? undefined : argument(values, name)
    }
    const fields = valueOf('fields')
    if (Array.isArray(fields) && fields.length > 0) return fields as string[]
    const { concise, detailed } = this.#definition.response
    if (valueOf('responseFormat') === 'detailed') return detailed === true ? undefined : detailed
    return concise
  }
}

/** An answer of the service, of any status. */
export type HttpAnswer = Extract<HttpOutcome, { ok: true }>

/** Sends a request as the options of the set and the context of the call say. Never rejects. */
export function sendRequest(
  request: HttpRequest,
  { http }: Modules,
  options: RunOptions,
  context: CallContext
): Promise<HttpOutcome> {
  return http.send(request, {
    fetch: context.fetch ?? options.fetch ?? globalThis.fetch,
    ...(context.signal && { signal: context.signal }),
    timeoutMs: options.timeoutMs ?? http.DEFAULT_TIMEOUT_MS,
    maxBytes: options.maxBytes ?? http.DEFAULT_MAX_BYTES
  })
}

/** What a model is told of an answer outside 2xx: its body, cut. Undefined for 2xx. */
export function httpError(answer: HttpAnswer, { http, render }: Modules, options: RunOptions): string | undefined {
  const { status, contentType } = answer
  if (status >= 200 && status <= 299) return undefined
  const limit = options.maxErrorLength ?? DEFAULT_ERROR_LENGTH
  const readable = contentType === '' || render.isTextual(contentType) || isJson(contentType)
  const body = readable ? http.decodeBody(answer) : render.describeBinary(contentType, answer.body.length)
  return body.trim() === '' ? `HTTP ${status} (the body is empty)` : `HTTP ${status}: ${render.truncate(body, limit)}`
}

/** `baseUrl`, else the nearest servers, their variables filled in, relative to the address of the document. */
export function baseUrlOf(
  servers: Node[],
  documentUri: string,
  baseUrl: string | undefined
): { url: string } | { error: string } {
  if (baseUrl !== undefined) return { url: baseUrl }
  const isWeb = /^https?:/i.test(documentUri)
  const server = servers[0]
  const written = server ? serverUrl(server) : isWeb ? '/' : undefined
  if (written === undefined)
    return { error: 'There is no base URL: the document names no usable servers; give `baseUrl`' }
  if (/[{}]/.test(written))
    return { error: `The servers entry ${JSON.stringify(written)} has a variable without default; give \`baseUrl\`` }
  if (/^https?:\/\//i.test(written)) return { url: written }
  if (!isWeb)
    return {
      error: `The servers entry ${JSON.stringify(written)} is relative and the document has no web address; give \`baseUrl\``
    }
  try {
    return { url: new URL(written, documentUri).href }
  } catch {
    return { error: `The servers entry ${JSON.stringify(written)} is no URL; give \`baseUrl\`` }
  }
}

function fromEntries(entries: { name: string; value: unknown }[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const { name, value } of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  return object
}

/** A fixed text is sent as it reads: its commas separate, they are not part of one value. */
function fixedParameter(target: ParameterTarget, value: unknown): { target: ParameterTarget; value: unknown } {
  if (typeof value !== 'string' || !value.includes(',') || target.in !== 'query' || target.contentType !== undefined)
    return { target, value }
  return { target: { ...target, style: 'form', explode: false }, value: value.split(',') }
}

export function isJson(contentType: string): boolean {
  return contentType === 'application/json' || contentType.endsWith('+json') || contentType === 'text/json'
}

/**
 * JSON in which integers beyond 2^53 are texts: a double would change their last digits, and an agent would ask for an id that
 * does not exist.
 */
function withExactIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token
  )
}

/** An argument called `constructor` is not there because every object has one. */
function argument(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** The URL of a Server Object with the defaults of its variables filled in. */
function serverUrl(server: Node): string | undefined {
  if (!isObject(server.value) || typeof server.value['url'] !== 'string') return undefined
  const variables = isObject(server.value['variables']) ? server.value['variables'] : {}
  return server.value['url'].replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isObject(variable) && variable['default'] !== undefined ? String(variable['default']) : whole
  })
}
