import {
  allTexts,
  child,
  elements,
  isObject,
  members,
  parametersOf,
  requestBodyOf,
  type AnnotationPlace,
  type Node
} from '@openapi-mcp/core'
import { followed } from './schemas.js'
import type { RuleContext } from './rule.js'

/** A text that agents read, where it is written. */
export interface AgentText {
  node: Node
  /** Below the node: the locale, where the text is one of a map. */
  within: string[]
  text: string
  /** Written for agents, or for everybody and handed on to agents. */
  authored: boolean
}

/** Every text that agents read: what annotations say, and what the document says of annotated operations where they say nothing. */
export function agentTexts(context: Pick<RuleContext, 'analysis' | 'definitions' | 'workspace'>): AgentText[] {
  return [...authoredTexts(context.analysis.annotations), ...inheritedTexts(context)]
}

/** The localized texts of annotations. */
export function authoredTexts(places: readonly AnnotationPlace[]): AgentText[] {
  return localizedNodes(places).flatMap((node) =>
    allTexts(node.value).map(({ path, text }) => ({ node, within: path, text, authored: true }))
  )
}

/** The values of annotations that are localized texts (x-agent vocabulary, "Localized text"). */
export function localizedNodes(places: readonly AnnotationPlace[]): Node[] {
  return places.flatMap(({ scope, node }): Node[] => {
    const field = (holder: Node, ...names: string[]): Node[] => names.flatMap((name) => child(holder, name) ?? [])
    switch (scope) {
      case 'root':
        return [
          ...members(child(node, 'profiles')).flatMap(([, profile]) => field(profile, 'title', 'description')),
          ...elements(child(node, 'skills')).flatMap((skill) => field(skill, 'description', 'body'))
        ]
      case 'tag':
        return field(node, 'skill')
      case 'operation':
        return (Array.isArray(node.value) ? elements(node) : [node]).flatMap((view) => [
          ...field(view, 'title', 'description'),
          ...members(child(view, 'params')).flatMap(([, override]) => field(override, 'description'))
        ])
      case 'parameter':
        return field(node, 'description')
      case 'property':
        return field(node, 'hint')
    }
  })
}

/** Deepest schema that is looked into for descriptions. */
const DEPTH = 12

function inheritedTexts({ definitions, workspace }: Pick<RuleContext, 'definitions' | 'workspace'>): AgentText[] {
  const texts: AgentText[] = []
  const seen = new Set<unknown>()
  const take = (holder: Node, name: string): boolean => {
    const node = child(holder, name)
    if (typeof node?.value !== 'string' || node.value.trim() === '') return false
    texts.push({ node, within: [], text: node.value, authored: false })
    return true
  }
  const takeSchema = (node: Node | undefined, depth: number): void => {
    const schema = node && followed(node, workspace)
    if (!schema || !isObject(schema.value) || seen.has(schema.value) || depth > DEPTH) return
    seen.add(schema.value)
    take(schema, 'description')
    for (const [, property] of members(child(schema, 'properties'))) takeSchema(property, depth + 1)
    takeSchema(child(schema, 'items'), depth + 1)
    for (const name of ['allOf', 'anyOf', 'oneOf']) {
      for (const part of elements(child(schema, name))) takeSchema(part, depth + 1)
    }
  }
  for (const { view } of definitions) {
    const { operation, annotation } = view
    // An operation is met once for each of its views.
    if (annotation.description === undefined && !seen.has(operation.node.value)) {
      seen.add(operation.node.value)
      if (!take(operation.node, 'summary')) take(operation.node, 'description')
    }
    for (const parameter of parametersOf(operation, workspace, () => {})) {
      const override = annotation.params?.[parameter.name]
      const own = child(parameter.node, 'x-agent')
      const isReplaced = override?.description !== undefined || (isObject(own?.value) && 'description' in own.value)
      if (override?.exclude || isReplaced || seen.has(parameter.node.value)) continue
      seen.add(parameter.node.value)
      take(parameter.node, 'description')
      takeSchema(child(parameter.node, 'schema'), 0)
    }
    takeSchema(requestBodyOf(operation, workspace, () => {})?.schema, 0)
  }
  return texts
}
