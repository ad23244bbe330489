import {
  child,
  elements,
  isObject,
  isObjectNode,
  members,
  type JsonObject,
  type Node,
  type ProblemReport,
  type Workspace
} from '../source/workspace.js'
import type { SourceDocument } from '../source/document.js'
import type { OpenApiVersion } from './version.js'

/** An operation of the document, with the node of its annotation where it has one. */
export interface Operation {
  node: Node<JsonObject>
  /** The path item and, where it is a reference, what it refers to. */
  pathItems: Node<JsonObject>[]
  /** Path template, as the key under `paths`. */
  path: string
  /** As it is sent: lower case for the methods that OpenAPI names. */
  method: string
  operationId: string | undefined
  tags: string[]
  annotation: Node | undefined
  /** The operation stands elsewhere: its place holds a reference. */
  isReferenced: boolean
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Keys of a path item under which operations stand. */
export function methodsOf(version: OpenApiVersion): readonly string[] {
  return version === '3.2' ? [...METHODS, 'query'] : METHODS
}

/** All operations under `paths`, in document order. Path items and operations that are references are followed. */
export function listOperations(
  document: SourceDocument,
  version: OpenApiVersion,
  workspace: Workspace,
  onProblem: ProblemReport
): Operation[] {
  const methods = methodsOf(version)
  const operations: Operation[] = []
  const root: Node = { document, path: [], value: document.value }
  const followed = (node: Node): Node | undefined => {
    const resolved = workspace.follow(node)
    if ('node' in resolved) return resolved.node
    if ('problem' in resolved) onProblem(node, resolved.problem)
    return undefined
  }
  const paths = child(root, 'paths')
  if (!isObjectNode(paths)) return operations
  for (const path of Object.keys(paths.value)) {
    if (path.startsWith('x-')) continue
    const item = child(paths, path)
    if (!isObjectNode(item)) continue
    const pathItems = [item]
    if (typeof item.value['$ref'] === 'string') {
      const target = followed(item)
      if (isObjectNode(target)) pathItems.push(target)
    }
    const seen = new Set<string>()
    const add = (node: Node | undefined, method: string): void => {
      if (!isObjectNode(node) || seen.has(method)) return
      const target = typeof node.value['$ref'] === 'string' ? followed(node) : node
      if (!isObjectNode(target)) return
      seen.add(method)
      operations.push(operationOf(target, node, pathItems, path, method))
    }
    for (const pathItem of pathItems) {
      for (const key of Object.keys(pathItem.value)) if (methods.includes(key)) add(child(pathItem, key), key)
      if (version === '3.2') {
        for (const [name, node] of members(child(pathItem, 'additionalOperations'))) add(node, name)
      }
    }
  }
  return operations
}

function operationOf(
  target: Node<JsonObject>,
  own: Node<JsonObject>,
  pathItems: Node<JsonObject>[],
  path: string,
  method: string
): Operation {
  const { operationId, tags } = target.value
  return {
    node: target,
    pathItems,
    path,
    method,
    operationId: typeof operationId === 'string' && operationId !== '' ? operationId : undefined,
    tags: Array.isArray(tags) ? tags.filter((t): t is string => typeof t === 'string') : [],
    annotation: child(own, 'x-agent') ?? child(target, 'x-agent'),
    isReferenced: own.value !== target.value
  }
}

/** A parameter as the operation sees it, references followed. */
export interface Parameter {
  /** The Parameter Object. */
  node: Node<JsonObject>
  /** The place in the list, where a reference to `node` may stand. */
  reference: Node
  name: string
  in: string
}

const LOCATIONS = ['path', 'query', 'header', 'cookie', 'querystring']

/** Parameters of an operation: those of the path item first, replaced by the operation's own with the same name and location. */
export function parametersOf(operation: Operation, workspace: Workspace, onProblem: ProblemReport): Parameter[] {
  const byKey = new Map<string, Parameter>()
  for (const holder of [...operation.pathItems.toReversed(), operation.node]) {
    for (const reference of elements(child(holder, 'parameters'))) {
      const resolved = workspace.follow(reference)
      if ('problem' in resolved) onProblem(reference, resolved.problem)
      if (!('node' in resolved)) continue
      if (!isObjectNode(resolved.node)) {
        onProblem(reference, { rule: 'openapi-parameter', message: 'a parameter must be an object' })
        continue
      }
      const { name, in: location } = resolved.node.value
      if (typeof name !== 'string' || !LOCATIONS.includes(location as string)) {
        const message =
          typeof name === 'string'
            ? `the parameter ${JSON.stringify(name)} needs \`in\`: one of ${LOCATIONS.join(', ')}`
            : 'a parameter needs a `name`'
        onProblem(resolved.node, { rule: 'openapi-parameter', message })
        continue
      }
      byKey.set(`${String(location)} ${name}`, { node: resolved.node, reference, name, in: location as string })
    }
  }
  return [...byKey.values()].filter((p) => !isIgnoredHeader(p))
}

/** OpenAPI, "Parameter Object": definitions of these headers are ignored. */
function isIgnoredHeader(parameter: Parameter): boolean {
  return parameter.in === 'header' && /^(accept|content-type|authorization)$/i.test(parameter.name)
}

/** The media type object for JSON of a `content` map: `application/json` first, then ranges that hold it, then other JSON types when allowed. */
export function jsonContent(content: Node | undefined, allowSuffix: boolean): Node<JsonObject> | undefined {
  const entries = members(content).filter((entry): entry is [string, Node<JsonObject>] => isObjectNode(entry[1]))
  const named = (test: (type: string) => boolean): Node<JsonObject> | undefined =>
    entries.find(([type]) => test(type.split(';')[0]!.trim().toLowerCase()))?.[1]
  return (
    named((t) => t === 'application/json') ??
    named((t) => t === '*/*' || t === 'application/*') ??
    (allowSuffix ? named((t) => t.endsWith('+json')) : undefined)
  )
}

/** The JSON request body of an operation. */
export interface RequestBody {
  /** The schema, absent where the media type gives none. */
  schema: Node | undefined
  /** The place of the media type, for findings. */
  media: Node<JsonObject>
  required: boolean
  description: string | undefined
}

export function requestBodyOf(
  operation: Operation,
  workspace: Workspace,
  onProblem: ProblemReport
): RequestBody | undefined {
  const own = child(operation.node, 'requestBody')
  if (!own) return undefined
  const resolved = workspace.follow(own)
  if ('problem' in resolved) onProblem(own, resolved.problem)
  if (!('node' in resolved) || !isObjectNode(resolved.node)) return undefined
  const media = jsonContent(child(resolved.node, 'content'), false)
  if (!media) return undefined
  const { description, required } = resolved.node.value
  return {
    schema: child(media, 'schema'),
    media,
    required: required === true,
    description: typeof description === 'string' ? description : undefined
  }
}

/** What a successful response offers: the schema of its JSON, and whether it comes as markdown. */
export interface SuccessResponse {
  schema: Node | undefined
  markdown: boolean
}

/** The 2xx responses, lowest code first; `2XX` and `default` stand in where no code has JSON. */
export function successOf(operation: Operation, workspace: Workspace, onProblem: ProblemReport): SuccessResponse {
  const all = members(child(operation.node, 'responses'))
  const codes = all.filter(([code]) => /^2\d\d$/.test(code)).sort(([a], [b]) => a.localeCompare(b))
  const range = all.filter(([code]) => /^2xx$/i.test(code))
  const fallback = codes.length + range.length === 0 ? all.filter(([code]) => code === 'default') : []
  let schema: Node | undefined
  let markdown = false
  for (const [code, node] of [...codes, ...range, ...fallback]) {
    const resolved = workspace.follow(node)
    if ('problem' in resolved) onProblem(node, resolved.problem)
    if (!('node' in resolved)) continue
    const content = child(resolved.node, 'content')
    if (code !== 'default' && isObject(content?.value)) {
      markdown ||= Object.keys(content.value).some((t) => /^text\/markdown\s*(;|$)/i.test(t.trim()))
    }
    const media = jsonContent(content, true)
    schema ??= media && child(media, 'schema')
  }
  return { schema, markdown }
}

/**
 * The JSON schema of the answer that came: that of its code, else of `2XX`, else of `default`. Undefined where the document says
 * nothing of such an answer.
 */
export function responseSchemaFor(operation: Operation, status: number, workspace: Workspace): Node | undefined {
  const responses = members(child(operation.node, 'responses'))
  const named = (test: (code: string) => boolean): Node | undefined => responses.find(([code]) => test(code))?.[1]
  for (const response of [
    named((c) => c === String(status)),
    named((c) => /^2xx$/i.test(c)),
    named((c) => c === 'default')
  ]) {
    const resolved = response && workspace.follow(response)
    if (!resolved || !('node' in resolved)) continue
    const media = jsonContent(child(resolved.node, 'content'), true)
    const schema = media && child(media, 'schema')
    if (schema) return schema
  }
  return undefined
}

/** The servers that hold for an operation: its own, else the path item's, else the document's. */
export function serversOf(operation: Operation, document: SourceDocument): Node[] {
  const root: Node = { document, path: [], value: document.value }
  for (const holder of [operation.node, ...operation.pathItems, root]) {
    const servers = elements(child(holder, 'servers'))
    if (servers.length > 0) return servers
  }
  return []
}
