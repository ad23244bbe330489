import { parametersOf, serversOf, type Operation } from '../openapi/operations.js'
import type { SourceDocument } from '../source/document.js'
import type { Workspace } from '../source/workspace.js'
import { baseUrlOf, httpError, isJson, sendRequest, type Modules, type RunOptions } from '../tools/execute.js'
import { targetOf } from '../tools/input.js'
import type { CallContext, ParameterTarget } from '../tools/types.js'

export interface JsonRead {
  operation: Operation
  document: SourceDocument
  /** Values of path parameters by the API's name; what the operation has no place for is left out. */
  pathValues: ReadonlyMap<string, unknown>
  /** Values of other parameters, declared or not; what is not goes into the query. */
  values: Readonly<Record<string, unknown>>
  accept: string
}

/** Calls an operation for the JSON that it answers. Never rejects. */
export async function readJson(
  { operation, document, pathValues, values, accept }: JsonRead,
  workspace: Workspace,
  modules: Modules,
  options: RunOptions,
  context: CallContext
): Promise<{ data: unknown } | { error: string }> {
  const { result: declared } = await workspace.settle(document, () => parametersOf(operation, workspace, () => {}))
  const base = baseUrlOf(serversOf(operation, document), document.uri, options.baseUrl)
  if ('error' in base) return base
  const targets = declared.map(targetOf)
  const inPath = targets.flatMap((target) =>
    target.in === 'path' && pathValues.has(target.name) ? [{ target, value: pathValues.get(target.name) }] : []
  )
  const others = Object.entries(values).map(([name, value]) => ({
    target: targets.find((t) => t.name === name && t.in !== 'path') ?? undeclared(name),
    value
  }))
  const built = modules.request.buildRequest({
    method: operation.method.toUpperCase(),
    baseUrl: base.url,
    pathTemplate: operation.path,
    parameters: [...inPath, ...others],
    accept,
    ...(context.headers && { headers: context.headers })
  })
  if ('error' in built) return built
  const outcome = await sendRequest(built.request, modules, options, context)
  if (!outcome.ok) return outcome
  const refused = httpError(outcome, modules, options)
  if (refused !== undefined) return { error: refused }
  const { status, contentType } = outcome
  if (contentType !== '' && !isJson(contentType))
    return { error: `HTTP ${status}, but the answer is ${contentType} instead of JSON` }
  try {
    return { data: JSON.parse(modules.http.decodeBody(outcome)) }
  } catch (error) {
    return { error: `HTTP ${status}, but the body is not valid JSON: ${(error as Error).message}` }
  }
}

function undeclared(name: string): ParameterTarget {
  return { name, in: 'query', style: 'form', explode: true, allowReserved: false }
}
