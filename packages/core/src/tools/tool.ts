import type { Diagnostic } from '../diagnostics.js'
import { at, child, elements, isObject, type JsonObject, type Node } from '../source/workspace.js'
import { serversOf, successOf, type Operation } from '../openapi/operations.js'
import { SchemaTooLarge, SchemaTranslator, writtenSize } from '../openapi/schema.js'
import { cleanedAnnotation } from '../vocabulary/cleaned.js'
import type { OperationAnnotation } from '../vocabulary/definitions.js'
import { localizedText } from '../vocabulary/localized.js'
import type { ToolContext } from './context.js'
import { lintDescription } from './description-lints.js'
import { composeInput, INPUT_NODES, type ToolInput } from './input.js'
import { snakeCase } from './naming.js'
import { schemaCursor } from './node-cursor.js'
import type { JsonSchema, ResponsePlan, ToolAnnotations } from './types.js'

/** Longest input schema of one tool when written as JSON, in characters: far beyond what any model can use. */
const LONGEST_SCHEMA = 4_000_000

/** Longest examples and fixed values of one tool when written as JSON, in characters. YAML aliases can make them grow without bound. */
const LONGEST_DATA = 200_000

/** One view of an annotated operation: what becomes one tool. */
export interface View {
  operation: Operation
  /** The annotation as written. */
  node: Node<JsonObject>
  /** The annotation without what is wrong in it. */
  annotation: OperationAnnotation
  /** Index in the list of views, where there is one. */
  index?: number
  /** Tool name without prefix; empty where the operation gives none. */
  name: string
}

/** The views of an operation: one, or as many as its list has. */
export function viewsOf(operation: Operation): View[] {
  const { annotation } = operation
  if (!annotation) return []
  const nodes = Array.isArray(annotation.value) ? elements(annotation) : [annotation]
  const isList = Array.isArray(annotation.value)
  return nodes.flatMap((node, index) => {
    if (!isObject(node.value)) return []
    const cleaned = cleanedAnnotation<OperationAnnotation>('operation', node)
    if (!cleaned) return []
    const name = cleaned.name ?? snakeCase(operation.operationId ?? '')
    return [{ operation, node: node as Node<JsonObject>, annotation: cleaned, name, ...(isList && { index }) }]
  })
}

/** A tool without its `execute`: everything that the document says about it. */
export interface ToolDefinition {
  view: View
  name: string
  title?: string
  description: string
  annotations: ToolAnnotations
  examples?: Record<string, unknown>[]
  input: ToolInput
  response: ResponsePlan
  responseSchema: Node | undefined
  outputSchema?: JsonSchema
  servers: Node[]
  context: ToolContext
}

/**
 * Defines the tool of a view. Findings go to `context.report`; undefined where one of them makes the tool impossible.
 */
export function defineTool(
  context: ToolContext,
  view: View,
  options: { structuredContent: boolean }
): ToolDefinition | undefined {
  const { annotation, operation } = view
  const success = successOf(operation, context.workspace, context.onProblem)
  let input: ToolInput
  try {
    input = composeInput(context, 'inline')
    // The listing of a compact body shows only its top: what is wrong further down must come out all the same.
    if (input.body?.form === 'whole') composeInput(context, 'refs')
  } catch (error) {
    if (!(error instanceof SchemaTooLarge) && !(error instanceof RangeError)) throw error
    context.report(tooLarge(context))
    return undefined
  }
  for (const field of ['examples', 'fixed']) {
    const node = child(view.node, field)
    if (!node || writtenSize(node.value, LONGEST_DATA) <= LONGEST_DATA) continue
    const message = `\`${field}\` of ${context.toolName} is larger than ${LONGEST_DATA.toLocaleString('en')} characters when it is written out, or contains itself`
    context.report(at(node, { rule: 'x-agent-invalid-value', severity: 'error', message, on: 'key' }))
    return undefined
  }
  if (writtenSize(input.schema, LONGEST_SCHEMA) > LONGEST_SCHEMA) {
    context.report(tooLarge(context))
    return undefined
  }
  for (const authored of input.authored) for (const finding of lintDescription(authored)) context.report(finding)
  const title = localizedText(annotation.title, context.locale)
  const output = options.structuredContent && success.schema ? outputSchemaOf(context, success.schema) : undefined
  return {
    view,
    name: context.toolName,
    ...(title !== undefined && { title }),
    description: descriptionOf(view, context.locale),
    annotations: hintsOf(view),
    ...(annotation.examples && { examples: structuredClone(annotation.examples) }),
    input,
    response: responsePlanOf(annotation, success.markdown),
    responseSchema: success.schema,
    ...(output && { outputSchema: output }),
    servers: serversOf(operation, context.document),
    context
  }
}

function descriptionOf({ annotation, operation }: View, locale: string): string {
  const { summary, description } = operation.node.value
  const candidates = [localizedText(annotation.description, locale), summary, description, operation.operationId]
  return candidates.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? operation.path
}

/** MCP hints: what the method says, then what the author says. Both main hints are always given, since clients take a missing one for the worst. */
function hintsOf({ annotation, operation }: View): ToolAnnotations {
  return {
    readOnlyHint: ['get', 'head', 'query'].includes(operation.method),
    destructiveHint: operation.method === 'delete',
    ...annotation.annotations
  }
}

function responsePlanOf({ response }: OperationAnnotation, markdown: boolean): ResponsePlan {
  return {
    markdown,
    ...(response?.rows !== undefined && { rows: response.rows.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') }),
    ...(response?.concise && { concise: response.concise }),
    ...(response?.detailed && { detailed: response.detailed }),
    ...(response?.selectParam !== undefined && { selectParam: response.selectParam }),
    hints: response?.hints === true
  }
}

/** Names of the fields that a response shows: of its rows, of the elements of a list, or of the object itself. */
export function responseFields(
  context: Pick<ToolContext, 'workspace' | 'locale' | 'operation' | 'annotation' | 'onProblem'>
): string[] {
  const { schema } = successOf(context.operation, context.workspace, context.onProblem)
  if (!schema) return []
  const root = schemaCursor(schema, { workspace: context.workspace, locale: context.locale, matches: () => false })
  const rows = context.annotation.response?.rows
  if (rows !== undefined)
    return root.property(rows.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'))?.item(0)?.propertyNames() ?? []
  return [...new Set([...root.propertyNames(), ...(root.item(0)?.propertyNames() ?? [])])]
}

/** What comes back, without what is excluded. Nothing is required in it: a projection may leave any field out. */
function outputSchemaOf(context: ToolContext, node: Node): JsonSchema | undefined {
  const translator = new SchemaTranslator({
    workspace: context.workspace,
    dialect: context.dialect,
    form: 'inline',
    direction: 'output',
    budget: INPUT_NODES,
    onProblem: context.onProblem
  })
  try {
    return translator.translate(node)
  } catch (error) {
    if (error instanceof SchemaTooLarge || error instanceof RangeError) return undefined
    throw error
  }
}

function tooLarge(context: ToolContext): Diagnostic {
  const { operation, toolName } = context
  const body = child(operation.node, 'requestBody')
  return at(body ?? operation.node, {
    rule: 'ref-expansion-too-large',
    severity: 'error',
    message:
      `the input schema of ${toolName} (${operation.method.toUpperCase()} ${operation.path}) grows too large when its references are written out` +
      (body ? '; use `body: compact`, or choose fields with `bodyFields`' : '; exclude the parameter that brings it'),
    on: 'key'
  })
}
