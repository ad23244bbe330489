import { DiagnosticBag, type Diagnostic } from './diagnostics.js'
import { listOperations, parametersOf, requestBodyOf, type Operation } from './openapi/operations.js'
import type { Dialect } from './openapi/schema.js'
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES } from './openapi/schema-keywords.js'
import { openApiVersion, type OpenApiVersion } from './openapi/version.js'
import type { SourceDocument } from './source/document.js'
import {
  at,
  child,
  elements,
  isObject,
  members,
  type Node,
  type ProblemReport,
  type Workspace
} from './source/workspace.js'
import type { ToolContext } from './tools/context.js'
import { defineTool, responseFields, viewsOf, type ToolDefinition, type View } from './tools/tool.js'
import { snakeCase } from './tools/naming.js'
import { cleanedAnnotation } from './vocabulary/cleaned.js'
import type { RootAnnotation, TagAnnotation } from './vocabulary/definitions.js'
import { namesIn, Profiles } from './vocabulary/profiles.js'
import { AnnotationScan, type AnnotationPlace } from './vocabulary/scan.js'
import { didYouMean, nearest } from './vocabulary/suggestions.js'

/** A tag of the document with what its annotation says. */
export interface Tag {
  name: string
  annotation: TagAnnotation
}

/** What a document says about its tools, independent of profile and locale. */
export interface Analysis {
  document: SourceDocument
  /** Undefined where this is no OpenAPI document that is read here; everything else is empty then. */
  version: OpenApiVersion | undefined
  root: RootAnnotation
  profiles: Profiles
  tags: Tag[]
  operations: Operation[]
  views: View[]
  /** Every `x-agent` that stands where the vocabulary has a meaning for it; none where the key is used for another vocabulary. */
  annotations: readonly AnnotationPlace[]
  /** Findings of the whole document; those of single tools come with their definition. */
  diagnostics: Diagnostic[]
}

/** Reads the annotations of a document and checks them and what they say of each other. Synchronous: see Workspace.settle. */
export function analyse(document: SourceDocument, workspace: Workspace): Analysis {
  const bag = new DiagnosticBag()
  bag.addAll(document.diagnostics)
  const { version, diagnostics } = openApiVersion(document)
  // Text that does not parse says that first; what its remains are not is no news.
  if (version !== undefined || document.diagnostics.length === 0 || isObject(document.value)) bag.addAll(diagnostics)
  const rootNode: Node = { document, path: [], value: document.value }
  const annotationNode = child(rootNode, 'x-agent')
  if (version === undefined) {
    return {
      document,
      version,
      root: {},
      profiles: new Profiles(undefined),
      tags: [],
      operations: [],
      views: [],
      annotations: [],
      diagnostics: bag.all
    }
  }
  const onProblem: ProblemReport = (node, problem) => bag.add(problemFinding(node, problem))
  const scan = new AnnotationScan(version)
  scan.scan(rootNode, 'document')
  const operations = listOperations(document, version, workspace, onProblem)
  for (const operation of operations) {
    // What stands in its place is seen already; what a reference leads to may lie elsewhere.
    for (const pathItem of operation.pathItems.slice(1)) scan.scan(pathItem, 'pathItem')
    if (operation.isReferenced) scan.scan(operation.node, 'operation')
  }
  const withAnnotation = operations.filter((o) => o.annotation !== undefined)
  scanReferences(withAnnotation, scan, workspace, onProblem)
  bag.addAll(scan.diagnostics())
  // Of a foreign vocabulary nothing is meant for this one: no tools, no consequences.
  const annotated = scan.isForeign ? [] : withAnnotation

  const cleanRoot = annotationNode && cleanedAnnotation<RootAnnotation>('root', annotationNode)
  const root = cleanRoot ?? {}
  const profiles = new Profiles(root.profiles ? annotationNode : undefined)
  bag.addAll(profiles.diagnostics())
  const tags = tagsOf(rootNode, profiles, bag)
  for (const skill of elements(annotationNode && child(annotationNode, 'skills'))) {
    const list = child(skill, 'profiles')
    if (list) bag.addAll(profiles.undeclared(list, namesIn(list.value)))
  }
  const views = annotated.flatMap(viewsOf)
  checkOperations(annotated, bag)
  const annotations = scan.isForeign ? [] : scan.places
  const analysis = { document, version, root, profiles, tags, operations, views, annotations }
  for (const view of views) {
    const list = child(view.node, 'profiles')
    if (list) bag.addAll(profiles.undeclared(list, namesIn(list.value)))
    if (view.annotation.editor) checkEditor(view, operations, workspace, bag)
  }
  checkToolNames(analysis, bag)
  return { ...analysis, diagnostics: withoutConsequences(bag.all, document) }
}

type ReferencedKind = 'parameter' | 'requestBody' | 'response' | 'property'

/**
 * Definitions that annotated operations refer to may lie where the walk over the document does not see them. A reference of a
 * successful response that leads nowhere is a finding: what is to be excluded below it would be shown.
 */
function scanReferences(
  annotated: Operation[],
  scan: AnnotationScan,
  workspace: Workspace,
  onProblem: ProblemReport
): void {
  const seen = new Set<unknown>()
  const open: { node: Node | undefined; kind: ReferencedKind; report: boolean }[] = []
  const add = (node: Node | undefined, kind: ReferencedKind, report: boolean): void =>
    void open.push({ node, kind, report })
  for (const operation of annotated) {
    for (const holder of [...operation.pathItems, operation.node]) {
      for (const parameter of elements(child(holder, 'parameters'))) add(parameter, 'parameter', false)
    }
    add(child(operation.node, 'requestBody'), 'requestBody', false)
    const responses = members(child(operation.node, 'responses'))
    const hasSuccess = responses.some(([code]) => code.startsWith('2'))
    const isSuccess = (code: string): boolean => (hasSuccess ? code.startsWith('2') : code === 'default')
    // The last ones are taken first, so that a schema which a success shares with an error counts as that of a success.
    for (const [, response] of responses.filter(([code]) => !isSuccess(code))) add(response, 'response', false)
    for (const [, response] of responses.filter(([code]) => isSuccess(code))) add(response, 'response', true)
  }
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, kind, report } = next
    if (!node || node.value === null || typeof node.value !== 'object' || seen.has(node.value)) continue
    seen.add(node.value)
    const { nodes, end: resolved } = workspace.chain(node)
    // What a reference passes on its way may lie in documents that nobody else walks over.
    for (const passed of nodes.slice(1, -1)) {
      if (seen.has(passed.value)) continue
      seen.add(passed.value)
      scan.scan(passed, kind)
    }
    if (report && 'problem' in resolved && resolved.problem.rule !== 'circular-ref') onProblem(node, resolved.problem)
    if (!('node' in resolved)) continue
    const target = resolved.node
    if (target.value !== node.value) {
      if (seen.has(target.value)) continue
      seen.add(target.value)
      scan.scan(target, kind)
    }
    if (kind === 'property') {
      for (const inner of subschemas(target)) add(inner, 'property', report)
    } else {
      add(child(target, 'schema'), 'property', report)
      for (const [, media] of members(child(target, 'content'))) add(child(media, 'schema'), 'property', report)
    }
  }
}

const HOLDERS = new Map<string, 'map' | 'list' | 'single'>([
  ...SCHEMA_MAPS.map((key) => [key, 'map'] as const),
  ...SCHEMA_LISTS.map((key) => [key, 'list'] as const),
  ...SCHEMA_SINGLES.map((key) => [key, 'single'] as const)
])

/** The schemas right inside of a schema, by the keywords that it has: most have few, and there are many schemas. */
function subschemas(schema: Node): Node[] {
  const inner: Node[] = []
  if (!isObject(schema.value)) return inner
  for (const key in schema.value) {
    const holds = HOLDERS.get(key)
    if (holds === undefined) continue
    const node = child(schema, key)!
    if (holds === 'single') inner.push(node)
    else if (holds === 'list') inner.push(...elements(node))
    else for (const [, member] of members(node)) inner.push(member)
  }
  return inner
}

/** The finding about what a layer met on its way: a reference that is not followed stops the tool, a pattern does not. */
export function problemFinding(node: Node, { rule, message }: Parameters<ProblemReport>[1]): Diagnostic {
  if (rule === 'openapi-pattern') return at(node, { rule, severity: 'warning', message })
  return at(child(node, '$ref') ?? node, { rule, severity: 'error', message })
}

function tagsOf(root: Node, profiles: Profiles, bag: DiagnosticBag): Tag[] {
  return elements(child(root, 'tags')).flatMap((node) => {
    const name = isObject(node.value) ? node.value['name'] : undefined
    const annotationNode = child(node, 'x-agent')
    if (typeof name !== 'string' || !annotationNode) return []
    const annotation = cleanedAnnotation<TagAnnotation>('tag', annotationNode)
    if (!annotation) return []
    const list = child(annotationNode, 'profiles')
    if (list) bag.addAll(profiles.undeclared(list, namesIn(list.value)))
    return [{ name, annotation }]
  })
}

function checkOperations(annotated: Operation[], bag: DiagnosticBag): void {
  for (const { operationId, annotation, method, path } of annotated) {
    const node = annotation!
    if (operationId === undefined) {
      bag.add(
        at(node, {
          rule: 'x-agent-missing-operation-id',
          severity: 'error',
          message: `${method.toUpperCase()} ${path} has x-agent but no operationId; the tool needs one`,
          on: 'key'
        })
      )
    }
  }
}

function checkEditor(view: View, operations: Operation[], workspace: Workspace, bag: DiagnosticBag): void {
  const editor = child(view.node, 'editor')!
  const given = pathParameters(view.operation, workspace)
  const fitting = (): string[] =>
    operations.filter((o) => editorProblem(o, given, workspace) === undefined).flatMap((o) => o.operationId ?? [])
  for (const field of ['readOperation', 'schemaOperation']) {
    const node = child(editor, field)
    if (typeof node?.value !== 'string') continue
    const named = operations.find((o) => o.operationId === node.value)
    const suggestion = named ? undefined : nearest(node.value, fitting())
    const problem = named
      ? editorProblem(named, given, workspace)
      : `is no operation of the document${didYouMean(suggestion)}`
    if (problem === undefined) continue
    bag.add(
      at(node, {
        rule: 'x-agent-editor-operation',
        severity: 'error',
        message: `${field} names ${JSON.stringify(node.value)}, which ${problem}`,
        ...(suggestion !== undefined && { suggestion })
      })
    )
  }
  if (!requestBodyOf(view.operation, workspace, () => {})) {
    const own = child(view.operation.node, 'requestBody')
    const resolved = own && workspace.follow(own)
    const content = resolved && 'node' in resolved ? child(resolved.node, 'content') : undefined
    const [first] = members(content)
    bag.add(
      at(first?.[1] ?? own ?? editor, {
        rule: 'x-agent-editor-body',
        severity: 'error',
        message: 'an editor saves a document: its operation needs an application/json request body',
        on: 'key'
      })
    )
  }
}

/** Why an editor cannot read from an operation: it is called as soon as a form is looked at, with what the write operation is given. */
function editorProblem(named: Operation, given: ReadonlySet<string>, workspace: Workspace): string | undefined {
  if (named.method !== 'get') return `is ${named.method.toUpperCase()} ${named.path}; a form is read with GET`
  const lacking = [...pathParameters(named, workspace)].filter((name) => !given.has(name))
  if (lacking.length === 0) return undefined
  const names = lacking.map((name) => JSON.stringify(name)).join(', ')
  return `needs the path parameter${lacking.length > 1 ? 's' : ''} ${names} that the operation of the form lacks`
}

function pathParameters(operation: Operation, workspace: Workspace): Set<string> {
  const declared = parametersOf(operation, workspace, () => {})
  return new Set(declared.filter((p) => p.in === 'path').map((p) => p.name))
}

/** Where text does not parse, what its remains are not is a consequence, not a second mistake. */
function withoutConsequences(findings: Diagnostic[], document: SourceDocument): Diagnostic[] {
  const { text } = document
  const broken = document.diagnostics.flatMap((d) => (/-syntax$/.test(d.rule) && d.offset ? d.offset.start : []))
  if (text === undefined || broken.length === 0) return findings
  const reaches = (finding: Diagnostic): boolean => {
    const value = document.locate(finding.path)?.value
    return (
      value !== undefined &&
      broken.some((offset) => value.start <= offset && text.slice(value.end, offset).trim() === '')
    )
  }
  return findings.filter((f) => f.uri !== document.uri || !/^x-agent-invalid-/.test(f.rule) || !reaches(f))
}

/** The profiles of a view: its own, else those of its first tag that has some, else every profile. */
export function profilesOf(view: View, tags: Tag[]): string[] | true {
  const own = view.annotation.profiles
  if (own !== undefined) return own
  for (const name of view.operation.tags) {
    const inherited = tags.find((t) => t.name === name)?.annotation.profiles
    if (inherited !== undefined) return inherited
  }
  return true
}

/** Is a view part of a set of profiles (after `includes`)? */
export function isSelected(choice: string[] | true, selected: ReadonlySet<string>): boolean {
  return choice === true || choice.some((name) => selected.has(name))
}

/**
 * Two tools of one name. An error where one profile selects both; a warning where only a request for several profiles
 * would. The finding stands at the tool that took a name which is not its operation's own.
 */
function checkToolNames(
  { views, profiles, tags }: Pick<Analysis, 'views' | 'profiles' | 'tags'>,
  bag: DiagnosticBag
): void {
  const byName = new Map<string, View[]>()
  for (const view of views) {
    if (view.name === '') {
      if (view.operation.operationId === undefined) continue
      const message = `the operationId ${JSON.stringify(view.operation.operationId)} gives no tool name; set \`name\``
      bag.add(at(view.node, { rule: 'x-agent-missing-field', severity: 'error', message, on: 'key' }))
    } else byName.set(view.name, [...(byName.get(view.name) ?? []), view])
  }
  const sets = profiles.declared.map((p) => profiles.expand([p.name]))
  for (const [name, group] of byName) {
    if (group.length < 2) continue
    const owner = group.find((v) => snakeCase(v.operation.operationId ?? '') === name) ?? group[0]!
    for (const view of group) {
      if (view === owner) continue
      const [a, b] = [profilesOf(view, tags), profilesOf(owner, tags)]
      const together = sets.length === 0 || sets.some((set) => isSelected(a, set) && isSelected(b, set))
      // Two views of one operation: said where the list is checked.
      if (view.operation === owner.operation && view.annotation.name !== undefined) continue
      const other = `${owner.operation.method.toUpperCase()} ${owner.operation.path}`
      bag.add(
        at(child(view.node, 'name') ?? view.node, {
          rule: 'x-agent-duplicate-tool-name',
          severity: together ? 'error' : 'warning',
          message: `the tool name "${name}" is also that of ${other}${together ? '' : '; a request for several profiles would select both'}`,
          related: [
            {
              uri: owner.node.document.uri,
              path: (child(owner.node, 'name') ?? owner.node).path,
              message: `"${name}" here`
            }
          ]
        })
      )
    }
  }
}

export interface DefineOptions {
  locale: string
  namePrefix: string
  structuredContent: boolean
}

/** The tool of a view with its findings. For an editor it is the write operation behind the form tools, its body as one argument. */
export function defineView(
  analysis: Analysis,
  workspace: Workspace,
  view: View,
  options: DefineOptions
): { definition?: ToolDefinition; diagnostics: Diagnostic[] } {
  const bag = new DiagnosticBag()
  const dialect: Dialect = analysis.version === '3.0' ? '3.0' : '2020-12'
  const context: ToolContext = {
    workspace,
    document: analysis.document,
    dialect,
    operation: view.operation,
    view: view.node,
    annotation: view.annotation.editor ? { ...view.annotation, body: 'compact' } : view.annotation,
    toolName: options.namePrefix + view.name,
    locale: options.locale,
    report: (finding) => bag.add(finding),
    onProblem: (node, problem) => bag.add(problemFinding(node, problem)),
    responseFields: () => responseFields(context)
  }
  const definition = view.name === '' ? undefined : defineTool(context, view, options)
  return { ...(definition && { definition }), diagnostics: bag.all }
}
