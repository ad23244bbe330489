import { jsonContent, type Parameter } from '../openapi/operations.js'
import { collapsed, SchemaTooLarge, SchemaTranslator } from '../openapi/schema.js'
import { child, members, type Node } from '../source/workspace.js'
import { cleanedAnnotation } from '../vocabulary/cleaned.js'
import type { ParameterAnnotation } from '../vocabulary/definitions.js'
import type { ToolContext } from './context.js'
import type { JsonSchema } from './types.js'

/** What annotations change of a parameter. */
export interface Overrides {
  merged: ParameterAnnotation
  /** Where each effective key is written. */
  source: Partial<Record<keyof ParameterAnnotation, Node>>
}

/**
 * The overrides of a parameter: those at its definition, at the reference to it and at the operation, the last one winning per key
 * (x-agent vocabulary, "Parameter overrides"). `view` is the annotation of the operation.
 */
export function overridesOf(view: Node, parameter: Parameter): Overrides {
  const own = child(parameter.node, 'x-agent')
  const beside = parameter.reference.value === parameter.node.value ? undefined : child(parameter.reference, 'x-agent')
  const params = child(view, 'params')
  const listed = params && child(params, parameter.name)
  const merged: ParameterAnnotation = {}
  const source: Overrides['source'] = {}
  for (const node of [own, beside, listed]) {
    if (!node) continue
    const annotation = cleanedAnnotation<ParameterAnnotation>('parameter', node)
    if (!annotation) continue
    Object.assign(merged, annotation)
    for (const name of Object.keys(annotation)) source[name as keyof ParameterAnnotation] = child(node, name)!
  }
  return { merged, source }
}

/** Where the schema of a parameter is written, and the media type that may hold it. */
export function schemaNodeOf(parameter: Parameter): { schema: Node | undefined; media: Node | undefined } {
  const content = child(parameter.node, 'content')
  // the whole query string is described by a form, all other content by JSON
  const media = parameter.in === 'querystring' ? members(content)[0]?.[1] : jsonContent(content, true)
  return { schema: child(parameter.node, 'schema') ?? (media && child(media, 'schema')), media }
}

/** The schema at a node as JSON Schema 2020-12, as an agent would get it; `{}`, which says nothing, where it is too large to write out. */
export function inputSchemaAt(context: Pick<ToolContext, 'workspace' | 'dialect'>, node: Node): JsonSchema {
  const { workspace, dialect } = context
  const translator = new SchemaTranslator({
    workspace,
    dialect,
    direction: 'input',
    form: 'inline',
    budget: LARGEST_SCHEMA,
    onProblem: () => {}
  })
  try {
    return collapsed(translator.translate(node))
  } catch (error) {
    if (error instanceof SchemaTooLarge || error instanceof RangeError) return {}
    throw error
  }
}

/** Most schema nodes of a single schema that is looked at by itself. */
const LARGEST_SCHEMA = 20_000
