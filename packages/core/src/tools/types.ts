import type { Diagnostic } from '../diagnostics.js'
import type { HttpRequest } from './request.js'

/** A JSON Schema object (2020-12). */
export type JsonSchema = { [keyword: string]: unknown }

/** MCP tool hints. A hint that is not known is left out. */
export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

/** What a caller adds to one call (x-agent vocabulary, "Loading"). */
export interface CallContext {
  /** Wins over the load-time fetch for this call. */
  fetch?: typeof fetch
  /** Merged into the upstream request. */
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Partitions editor sessions per caller. */
  identity?: string
}

export interface ToolResult {
  text: string
  structuredContent?: unknown
  isError?: boolean
}

/** Where a parameter value goes in the HTTP request. */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring'

/** How a parameter is written into the request (OpenAPI Parameter Object). */
export interface ParameterTarget {
  /** The API's own name. */
  name: string
  in: ParameterLocation
  /** Always resolved: the default of the location where the document gives none. */
  style: string
  explode: boolean
  allowReserved: boolean
  /** Media type, where the parameter is described by `content` instead of `schema`. */
  contentType?: string
}

/** The place of a tool argument in the request. Linked by this map, never by guessing from names. */
export type ArgumentTarget =
  | { kind: 'parameter'; parameter: ParameterTarget }
  /** A property of the JSON body, under the API's own name. */
  | { kind: 'bodyProperty'; name: string }
  /** The whole JSON body. */
  | { kind: 'body' }
  /** Generated: the projection, sent through the API's projection parameter; `joined` where that takes a text with commas. */
  | { kind: 'fields'; parameter: ParameterTarget; joined: boolean }
  /** Generated: `concise` or `detailed`. */
  | { kind: 'responseFormat' }

/** How the response is asked for and shown (x-agent vocabulary, "Responses"). */
export interface ResponsePlan {
  /** The 2xx response offers text/markdown: it is asked for and passed through untouched. */
  markdown: boolean
  /** Key of the array of row objects. */
  rows?: string
  concise?: string[]
  detailed?: true | string[]
  /** API name of the projection parameter behind `fields`. */
  selectParam?: string
  hints: boolean
}

/** The API operation behind a tool. */
export interface ToolOperation {
  /** Lower case, as OpenAPI writes it. */
  method: string
  /** Path template. */
  path: string
  operationId: string
  /** Index in the array of views, where the operation has several. */
  view?: number
  tags: string[]
}

/** A tool as an agent gets it (x-agent vocabulary, "Loading"), with what a host needs to show where it comes from. */
export interface Tool {
  name: string
  title?: string
  description: string
  /** Self-contained JSON Schema 2020-12: root object, no references. */
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations: ToolAnnotations
  examples?: Record<string, unknown>[]
  /** Runs the tool. Never rejects: every failure is a result with `isError`. */
  execute(params: Record<string, unknown>, context?: CallContext): Promise<ToolResult>

  /** The HTTP request that a call would send, without sending it, or what is wrong with the arguments. */
  buildRequest(
    params: Record<string, unknown>,
    context?: CallContext
  ): Promise<{ request: HttpRequest } | { error: string }>
  /** Profiles that select this tool; `true` for every profile. */
  profiles: string[] | true
  operation: ToolOperation
  /** Argument name → its place in the request. */
  arguments: Record<string, ArgumentTarget>
  response: ResponsePlan
  /** Where the annotation is written. */
  source: { uri: string; path: (string | number)[] }
}

/** A text block for agents (x-agent vocabulary, "Root", `skills`). */
export interface Skill {
  name: string
  /** At most 1024 characters, for the SKILL.md frontmatter. */
  description: string
  /** The whole text. */
  body: string
  /** `skill://<name>/SKILL.md`, in a composition `skill://<service id>/<name>/SKILL.md`. */
  uri: string
  /** Address of the linked text, where the body is one. */
  href?: string
  /** Why the linked text could not be read; `body` is empty then. */
  error?: string
  tools?: string[]
  profiles?: string[]
}

/** The tools, instructions and skills of a profile set. */
export interface ToolSet {
  /** The profiles that were asked for, or the default one. Empty where the document declares none. */
  profiles: string[]
  instructions: string
  tools: Tool[]
  skills: Skill[]
  /** Findings that did not refuse the set. */
  diagnostics: Diagnostic[]
}
