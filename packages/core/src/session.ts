import { analyse, defineView, isSelected, profilesOf, type Analysis } from './analysis.js'
import { DiagnosticBag, DocumentError, toPointer, UsageError, type Diagnostic } from './diagnostics.js'
import { SourceDocument } from './source/document.js'
import type { Host } from './source/host.js'
import type { Range } from './source/text.js'
import { at, child, isObject, Workspace, type WorkspaceOptions } from './source/workspace.js'
import { DESCRIPTION_LINTS } from './tools/description-lints.js'
import { createRunner, type RunOptions } from './tools/execute.js'
import { instructionsOf, skillOf, withoutFrontmatter } from './tools/skills.js'
import { editorEntry, editorOf, EditorState, editorTools } from './editor/group.js'
import type { LayoutLoader } from './editor/layout.js'
import type { ToolDefinition } from './tools/tool.js'
import type { Skill, Tool, ToolSet } from './tools/types.js'
import type { SkillAnnotation } from './vocabulary/definitions.js'
import { localizedText } from './vocabulary/localized.js'

export interface SessionOptions extends WorkspaceOptions {
  /** Turns what a user names into a URI. Default: the text must be one. */
  uriOf?(source: string): string
  /** Brings @json-layout/core, which form tools need. Default: it is imported when the first form is opened. */
  loadLayout?: LayoutLoader
}

/** What tools to make, and how they behave (x-agent vocabulary, "Loading"). */
export interface ToolSetOptions extends Partial<RunOptions> {
  /** Default: the first profile that the root declares. */
  profiles?: string[] | undefined
  /** One-element sugar for `profiles`. */
  profile?: string | undefined
  /** Replaces the root's prefix; an empty text strips it. */
  namePrefix?: string | undefined
  /** Default `en`. */
  locale?: string | undefined
  /**
   * The document is part of a composition under this id: its skills are `skill://<id>/<name>/SKILL.md`, and where it declares no
   * profiles it may be asked for those that the composition knows.
   */
  serviceId?: string | undefined
  /** What findings of the annotation lint do. Default `error`: they refuse the set. */
  lint?: 'error' | 'warn' | 'off' | undefined
}

const LINT_MODES = ['error', 'warn', 'off']

/** Options come from JavaScript, configuration and the environment too: what is wrong with them is said before anything is read. */
function checkOptions({ profiles, lint, namePrefix, locale }: ToolSetOptions): void {
  if (profiles !== undefined && !(Array.isArray(profiles) && profiles.every((p) => typeof p === 'string'))) {
    throw new UsageError('the option `profiles` must be a list of profile names')
  }
  if (lint !== undefined && !LINT_MODES.includes(lint))
    throw new UsageError(`the option \`lint\` must be one of ${LINT_MODES.join(', ')}`)
  if (namePrefix !== undefined && !/^[a-z0-9_]*$/.test(namePrefix)) {
    throw new UsageError('the option `namePrefix` must be lower-case letters, digits and underscores')
  }
  if (locale !== undefined && typeof locale !== 'string') throw new UsageError('the option `locale` must be a text')
}

/** Where relative links of a document start: at its address, else at that of the API, taken as a folder. */
function linkBaseOf(document: SourceDocument, baseUrl: string | undefined): string {
  if (/^(file|https?):/i.test(document.uri)) return document.uri
  const servers = isObject(document.value) ? document.value['servers'] : undefined
  const [first] = Array.isArray(servers) ? (servers as unknown[]) : []
  const url = baseUrl ?? (isObject(first) ? first['url'] : undefined)
  return typeof url === 'string' && URL.canParse(url) ? `${url.replace(/\/$/, '')}/` : document.uri
}

/** What rules look at: the analysed document and the definitions of all its tools. */
export interface Inspection {
  analysis: Analysis
  /** Of every view of every annotated operation that gives a tool; form tools are not among them. */
  definitions: ToolDefinition[]
  workspace: Workspace
  /** What an agent is told at the start for a set of profiles. */
  instructions(profiles: readonly string[]): string
}

/** Rules that `Session.lint` applies besides what the core finds. */
export interface InspectionRules {
  /** Runs in the same pass and may follow references, so it may run several times. */
  check?(inspection: Inspection): Diagnostic[]
  /** Runs once, when everything is read. */
  measure?(inspection: Inspection): Promise<Diagnostic[]>
}

/** What a document is, for headers and pickers. */
export interface DocumentInfo {
  title?: string
  version?: string
  openapi: string
  /** What the document puts before the names of its tools; may be empty. */
  namePrefix: string
  profiles: { name: string; title?: string; description?: string; includes: string[] }[]
  /** Locales that the annotations use, in order of appearance. */
  locales: string[]
  operations: number
  annotated: number
}

/**
 * The one door to documents: hosts (command line, language server, MCP server, library) ask here, so that no two of them
 * can disagree. Holds documents, open buffers and one analysis per state of them.
 */
export class Session {
  readonly workspace: Workspace
  readonly #host: Host
  readonly #options: SessionOptions
  /** The URI of what a user names. Throws a UsageError where it names nothing that can be read. */
  readonly uriOf: (source: string) => string
  readonly #loadLayout: LayoutLoader | undefined
  /** Drafts of forms: they stay when tools are made anew. */
  readonly #editors: EditorState
  readonly #analyses: Map<string, { analysis: Analysis; documents: string[]; state: (SourceDocument | undefined)[] }>

  constructor(host: Host, options: SessionOptions = {}, before?: Session) {
    this.#host = host
    this.#options = options
    this.workspace = before ? before.workspace.renewed() : new Workspace(host, options)
    this.#loadLayout = options.loadLayout
    this.uriOf = options.uriOf ?? ((source) => new URL(source).href)
    this.#editors = before ? before.#editors : new EditorState()
    this.#analyses = new Map(before ? before.#analyses : [])
  }

  /**
   * A session that reads everything anew, for those who serve what this one holds until that has turned out well. Drafts of forms
   * go along.
   */
  renewed(): Session {
    return new Session(this.#host, this.#options, this)
  }

  /** Opens a document by path or address. Throws a UsageError where it cannot be read. */
  open(source: string): Promise<SourceDocument> {
    return this.workspace.open(this.uriOf(source))
  }

  /** Takes a parsed document in. It is never changed. */
  add(uri: string, value: unknown): SourceDocument {
    const document = new SourceDocument(uri, { value })
    this.workspace.add(document)
    return document
  }

  /** Text of an open editor buffer; it wins over the disk until it is closed. */
  setBuffer(uri: string, text: string, version: number): void {
    this.workspace.setBuffer(uri, text, version)
  }

  closeBuffer(uri: string): void {
    this.workspace.closeBuffer(uri)
  }

  /** Forgets what was read, of one document or of all: the next call reads again. */
  invalidate(uri?: string): void {
    this.workspace.forget(uri)
  }

  /**
   * All findings of a document, in order of document, place and rule, and the addresses that were read for them. `rules` adds
   * further ones.
   */
  async lint(
    source: string | SourceDocument,
    rules: InspectionRules = {}
  ): Promise<{ diagnostics: Diagnostic[]; documents: string[] }> {
    const document = typeof source === 'string' ? await this.open(source) : source
    const { result, documents } = await this.workspace.settle(document, () => {
      const analysis = analyse(document, this.workspace)
      const bag = new DiagnosticBag()
      bag.addAll(analysis.diagnostics)
      const options = { locale: 'en', namePrefix: analysis.root.namePrefix ?? '', structuredContent: false }
      const definitions: ToolDefinition[] = []
      for (const view of analysis.views) {
        const { definition, diagnostics } = defineView(analysis, this.workspace, view, options)
        bag.addAll(diagnostics)
        // Nobody calls the operation behind a form with examples.
        if (definition && !view.annotation.editor) definitions.push(definition)
      }
      const instructions = (profiles: readonly string[]): string =>
        this.#define(analysis, [...profiles], { locale: 'en' }).instructions
      const inspection: Inspection = { analysis, definitions, workspace: this.workspace, instructions }
      if (analysis.version !== undefined) bag.addAll(rules.check?.(inspection) ?? [])
      return { findings: bag.all, inspection }
    })
    const measured = result.inspection.analysis.version === undefined ? [] : await rules.measure?.(result.inspection)
    const bag = new DiagnosticBag()
    for (const findings of [result.findings, measured ?? []]) bag.addAll(findings)
    const findings = bag.all
    return { diagnostics: this.sorted(withParsing(findings, this.workspace, documents, document.uri)), documents }
  }

  /**
   * The tools of a profile set. Throws a DocumentError where the document is refused and a UsageError where a profile is
   * asked for that it does not declare.
   */
  async toolSet(
    source: string | SourceDocument,
    options: ToolSetOptions = {}
  ): Promise<{ toolSet: ToolSet; documents: string[] }> {
    checkOptions(options)
    const document = typeof source === 'string' ? await this.open(source) : source
    const analysed = await this.#analyse(document)
    const { analysis } = analysed
    this.#refuse(analysis)
    const requested = analysis.profiles.requested(
      options.profiles ?? (options.profile === undefined ? undefined : [options.profile]),
      options.serviceId !== undefined
    )
    const locale = options.locale ?? 'en'
    const { result, documents } = await this.workspace.settle(document, () =>
      this.#define(analysis, requested, { ...options, locale })
    )
    const all = [...new Set([...analysed.documents, ...documents])]
    const diagnostics = this.sorted(
      withParsing([...analysis.diagnostics, ...result.diagnostics], this.workspace, all, document.uri)
    )
    if (diagnostics.some((d) => d.severity === 'error')) throw new DocumentError(diagnostics)
    const linkBase = linkBaseOf(document, options.baseUrl)
    const skills = await Promise.all(result.skills.map((s) => this.#withLinkedBody(s, linkBase)))
    all.push(...result.skills.flatMap((s) => this.workspace.linkedUri(linkBase, s.href) ?? []))
    const run = this.#runOptions(options)
    return {
      toolSet: {
        profiles: requested,
        instructions: result.instructions,
        tools: result.definitions.flatMap((d) => this.#toolsOf(d, analysis, run)),
        skills,
        diagnostics
      },
      documents: all
    }
  }

  /** What is wrong in a document for every set of profiles: throws it as a DocumentError. */
  async check(source: string | SourceDocument): Promise<void> {
    const document = typeof source === 'string' ? await this.open(source) : source
    this.#refuse((await this.#analyse(document)).analysis)
  }

  /** A skill that stands outside of OpenAPI documents, with its linked text. */
  async readSkill(annotation: SkillAnnotation, document: SourceDocument, locale: string): Promise<Skill> {
    return this.#withLinkedBody(skillOf(annotation, locale), linkBaseOf(document, undefined))
  }

  async info(source: string | SourceDocument): Promise<DocumentInfo> {
    const document = typeof source === 'string' ? await this.open(source) : source
    const { analysis } = await this.#analyse(document)
    const value = isObject(document.value) ? document.value : {}
    const about = isObject(value['info']) ? value['info'] : {}
    const { title, version } = about
    return {
      ...(typeof title === 'string' && { title }),
      ...((typeof version === 'string' || typeof version === 'number') && { version: String(version) }),
      openapi: ['string', 'number'].includes(typeof value['openapi']) ? String(value['openapi']) : '',
      namePrefix: analysis.root.namePrefix ?? '',
      profiles: analysis.profiles.declared.map(({ name, node, includes }) => {
        const profile = isObject(node.value) ? node.value : {}
        const [profileTitle, description] = [
          localizedText(profile['title'], 'en'),
          localizedText(profile['description'], 'en')
        ]
        return {
          name,
          ...(profileTitle !== undefined && { title: profileTitle }),
          ...(description !== undefined && { description }),
          includes
        }
      }),
      locales: localesOf(analysis),
      operations: analysis.operations.length,
      annotated: analysis.operations.filter((o) => o.annotation).length
    }
  }

  /** The range of a finding, zero-based, in UTF-16 code units. Undefined for a document without text. */
  rangeOf(finding: Pick<Diagnostic, 'uri' | 'path' | 'on' | 'within' | 'offset'>): Range | undefined {
    return this.workspace.get(finding.uri)?.rangeOf(finding)
  }

  #refuse({ diagnostics }: Analysis): void {
    if (diagnostics.some((d) => d.severity === 'error')) throw new DocumentError(this.sorted(diagnostics))
  }

  async #analyse(document: SourceDocument): Promise<{ analysis: Analysis; documents: string[] }> {
    const known = this.#analyses.get(document.uri)
    const stateOf = (documents: string[]): (SourceDocument | undefined)[] =>
      documents.map((uri) => this.workspace.get(uri))
    if (known && known.analysis.document === document && stateOf(known.documents).every((d, i) => d === known.state[i]))
      return known
    const { result, documents } = await this.workspace.settle(document, () => analyse(document, this.workspace))
    const entry = { analysis: result, documents, state: stateOf(documents) }
    this.#analyses.set(document.uri, entry)
    return entry
  }

  #define(analysis: Analysis, requested: string[], options: ToolSetOptions & { locale: string }) {
    const bag = new DiagnosticBag()
    const { locale } = options
    const namePrefix = options.namePrefix ?? analysis.root.namePrefix ?? ''
    const selected = analysis.profiles.expand(requested)
    // Without profiles anywhere, what names none is for everybody; what names some is for nobody who did not ask.
    const everything = analysis.profiles.declared.length === 0 && requested.length === 0
    const views = analysis.views.filter((v) => isSelected(profilesOf(v, analysis.tags), selected))
    const definitions: ToolDefinition[] = []
    for (const view of views) {
      const { definition, diagnostics } = defineView(analysis, this.workspace, view, {
        locale,
        namePrefix,
        structuredContent: options.structuredContent === true
      })
      for (const finding of diagnostics) {
        const lint = (DESCRIPTION_LINTS as readonly string[]).includes(finding.rule)
          ? (options.lint ?? 'error')
          : 'error'
        if (lint !== 'off') bag.add(lint === 'warn' ? { ...finding, severity: 'warning' } : finding)
      }
      if (definition) definitions.push(definition)
    }
    bag.addAll(duplicates(definitions))
    const skills = (analysis.root.skills ?? [])
      .filter((s) => !s.profiles || everything || s.profiles.some((p) => selected.has(p)))
      .map((s) => skillOf(s, locale, options.serviceId))
    const carried = new Set(views.flatMap((v) => v.operation.tags))
    const sections = analysis.tags.flatMap(({ name, annotation }) => {
      const text = carried.has(name) ? localizedText(annotation.skill, locale) : undefined
      return text === undefined ? [] : [{ tag: name, text }]
    })
    const forms = definitions.filter((d) => d.view.annotation.editor)
    const entries = forms.map((d) => editorEntry(editorOf(d, analysis.operations)))
    const names = new Set([...definitions.map((d) => d.name), ...entries.flatMap((e) => e.tools ?? [])])
    const finalName = (tool: string): string =>
      !names.has(tool) && names.has(namePrefix + tool) ? namePrefix + tool : tool
    const named = skills.map((s) => (s.tools ? { ...s, tools: [...new Set(s.tools.map(finalName))] } : s))
    return {
      definitions,
      skills: named,
      instructions: instructionsOf([...named, ...entries], sections),
      diagnostics: bag.all
    }
  }

  #toolsOf(definition: ToolDefinition, analysis: Analysis, options: RunOptions): Tool[] {
    const tool = toolOf(definition, analysis, createRunner(definition, this.workspace, options))
    if (!definition.view.annotation.editor) return [tool]
    const { profiles, operation, source } = tool
    const run = { workspace: this.workspace, options, state: this.#editors, load: this.#loadLayout }
    return editorTools(editorOf(definition, analysis.operations), run, { profiles, operation, source })
  }

  async #withLinkedBody(skill: Skill, base: string): Promise<Skill> {
    if (skill.href === undefined) return skill
    const { text, error } = await this.workspace.readLinked(base, skill.href)
    return text === undefined
      ? { ...skill, error: error ?? 'it cannot be read' }
      : { ...skill, body: withoutFrontmatter(text) }
  }

  #runOptions(options: ToolSetOptions): RunOptions {
    const download = options.fetch ?? this.#host.fetch
    return {
      ...(download && { fetch: download }),
      ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
      structuredContent: options.structuredContent === true,
      ...(options.secrets && { secrets: options.secrets }),
      ...(options.maxStringLength !== undefined && { maxStringLength: options.maxStringLength }),
      ...(options.maxErrorLength !== undefined && { maxErrorLength: options.maxErrorLength }),
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
      ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes })
    }
  }

  /** Findings in the order in which they are shown: by document, place and rule. */
  sorted(diagnostics: Diagnostic[]): Diagnostic[] {
    const order = diagnostics.map((diagnostic) => {
      const range = this.rangeOf(diagnostic)
      return {
        diagnostic,
        hasAliases: range !== undefined && this.workspace.get(diagnostic.uri)?.isTree === false,
        line: range?.start.line ?? 0,
        character: range?.start.character ?? 0,
        pointer: toPointer(diagnostic.path)
      }
    })
    const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
    order.sort(
      (a, b) =>
        text(a.diagnostic.uri, b.diagnostic.uri) ||
        a.line - b.line ||
        a.character - b.character ||
        text(a.pointer, b.pointer) ||
        text(a.diagnostic.rule, b.diagnostic.rule)
    )
    // Through an alias of YAML one place in the text has several paths: its mistake is one mistake.
    const seen = new Map<string, string>()
    const isRepeated = ({ diagnostic, hasAliases, line, character, pointer }: (typeof order)[number]): boolean => {
      if (!hasAliases) return false
      const key = `${diagnostic.uri} ${line} ${character} ${diagnostic.rule} ${diagnostic.message}`
      const first = seen.get(key) ?? pointer
      seen.set(key, first)
      return first !== pointer
    }
    return order.filter((o) => !isRepeated(o)).map((o) => o.diagnostic)
  }
}

/** Opens a session: see Session. */
export function createSession(host: Host, options?: SessionOptions): Session {
  return new Session(host, options)
}

/** The findings with those about the text of other documents that were read on the way. */
function withParsing(diagnostics: Diagnostic[], workspace: Workspace, documents: string[], main: string): Diagnostic[] {
  const bag = new DiagnosticBag()
  bag.addAll(diagnostics)
  for (const uri of documents) if (uri !== main) bag.addAll(workspace.get(uri)?.diagnostics ?? [])
  return bag.all
}

/** Tools of one name in a set that no single profile would bring together. */
function duplicates(definitions: ToolDefinition[]): Diagnostic[] {
  const byName = new Map<string, ToolDefinition>()
  return definitions.flatMap((definition): Diagnostic[] => {
    const first = byName.get(definition.name)
    if (!first) {
      byName.set(definition.name, definition)
      return []
    }
    const { operation } = first.view
    return [
      at(child(definition.view.node, 'name') ?? definition.view.node, {
        rule: 'x-agent-duplicate-tool-name',
        severity: 'error',
        message: `the tool name "${definition.name}" is also that of ${operation.method.toUpperCase()} ${operation.path} in this set of profiles`
      })
    ]
  })
}

function toolOf(definition: ToolDefinition, analysis: Analysis, runner: Pick<Tool, 'execute' | 'buildRequest'>): Tool {
  const { view, input } = definition
  const { operation } = view
  return {
    name: definition.name,
    ...(definition.title !== undefined && { title: definition.title }),
    description: definition.description,
    inputSchema: input.schema,
    ...(definition.outputSchema && { outputSchema: definition.outputSchema }),
    annotations: definition.annotations,
    ...(definition.examples && { examples: definition.examples }),
    ...runner,
    profiles: profilesOf(view, analysis.tags),
    operation: {
      method: operation.method,
      path: operation.path,
      operationId: operation.operationId!,
      ...(view.index !== undefined && { view: view.index }),
      tags: operation.tags
    },
    arguments: input.arguments,
    response: definition.response,
    source: { uri: view.node.document.uri, path: view.node.path }
  }
}

function localesOf({ root, views, tags }: Analysis): string[] {
  const locales = new Set<string>()
  const collect = (value: unknown): void => {
    if (isObject(value)) for (const locale of Object.keys(value)) locales.add(locale)
  }
  for (const profile of Object.values(root.profiles ?? {})) [profile.title, profile.description].forEach(collect)
  for (const skill of root.skills ?? []) collect(skill.description)
  for (const tag of tags) collect(tag.annotation.skill)
  for (const { annotation } of views) {
    ;[annotation.title, annotation.description].forEach(collect)
    for (const override of Object.values(annotation.params ?? {})) collect(override.description)
  }
  return [...locales]
}
