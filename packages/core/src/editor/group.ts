import type { Analysis } from '../analysis.js'
import { requestBodyOf, type Operation } from '../openapi/operations.js'
import { SchemaTooLarge } from '../openapi/schema.js'
import { isObject, type Workspace } from '../source/workspace.js'
import { createRunner, loadModules, type Modules, type RunOptions } from '../tools/execute.js'
import { ArgumentNames } from '../tools/naming.js'
import type { ToolDefinition } from '../tools/tool.js'
import type {
  ArgumentTarget,
  CallContext,
  JsonSchema,
  Skill,
  Tool,
  ToolAnnotations,
  ToolResult
} from '../tools/types.js'
import { describeForm, describeSuggestions, statusOf, type Wording } from './describe.js'
import { Form, type ArrayEdit, type FormKind, type Refusal } from './form.js'
import { compileLayout, type LayoutLoader } from './layout.js'
import { readJson } from './remote.js'
import { formSchemaAt, formSchemaOf, type FormSchema } from './schema.js'
import { Sessions } from './sessions.js'

/** The form of an operation, as its annotation describes it (x-agent vocabulary, "Operation", `editor`). */
export interface EditorDefinition {
  /** The write operation, with its body as one argument. */
  write: ToolDefinition
  read?: Operation
  schema?: { operation: Operation; params: Record<string, unknown> }
}

/** The editor around the write operation of a view. The operations that it names are there: the analysis has seen to that. */
export function editorOf(write: ToolDefinition, operations: Analysis['operations']): EditorDefinition {
  const { editor } = write.view.annotation
  const { readOperation, schemaOperation, schemaParams = {} } = isObject(editor) ? editor : {}
  const named = (id: string | undefined): Operation | undefined =>
    id === undefined ? undefined : operations.find((o) => o.operationId === id)
  const [read, schema] = [named(readOperation), named(schemaOperation)]
  return { write, ...(read && { read }), ...(schema && { schema: { operation: schema, params: schemaParams } }) }
}

/** What form tools share with those of other sets of the same session, so that drafts outlive a reload. */
export class EditorState {
  readonly forms = new Sessions<Form>()
  /** Schemas that services answered, compiled. */
  readonly kinds = new Sessions<FormKind>({ limit: 50, lifetime: 10 * 60 * 1000 })
}

export interface EditorRun {
  workspace: Workspace
  options: RunOptions
  state: EditorState
  load?: LayoutLoader | undefined
}

type Verb = (typeof VERBS)[number]
const VERBS = [
  'describeState',
  'getData',
  'setFieldValue',
  'setData',
  'getFieldSuggestions',
  'editArray',
  'saveForm',
  'reloadForm'
] as const

const READS: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
/** A draft changes, nothing of the service. */
const DRAFTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false
}

interface VerbShape {
  title: string
  description(about: string): string
  annotations: ToolAnnotations
  properties: Record<string, JsonSchema>
  required: string[]
}

const POINTER = 'JSON Pointer of the field, such as /name or /items/0/quantity'

const SHAPES: Record<Exclude<Verb, 'saveForm'>, VerbShape> = {
  describeState: {
    title: 'describe the form',
    description: (about) => `List the fields of the form with type, value, whether required, and errors. ${about}`,
    annotations: READS,
    properties: { path: { type: 'string', description: `Only the fields below this one. ${POINTER}` } },
    required: []
  },
  getData: {
    title: 'get the document',
    description: () => 'Get the document under edit as JSON, and whether it is valid.',
    annotations: READS,
    properties: {},
    required: []
  },
  setFieldValue: {
    title: 'set a field',
    description: () =>
      'Set one field of the form. Nothing is sent to the service before saveForm. null empties a field. For a path that ends with /$oneOf the value is the index of a variant.',
    annotations: DRAFTS,
    properties: { path: { type: 'string', description: POINTER }, value: { description: 'The new value, as JSON.' } },
    required: ['path', 'value']
  },
  setData: {
    title: 'set the document',
    description: () => 'Replace the whole document under edit. Nothing is sent to the service before saveForm.',
    annotations: DRAFTS,
    properties: { data: { description: 'The whole document, as JSON.' } },
    required: ['data']
  },
  getFieldSuggestions: {
    title: 'get values for a field',
    description: () => 'Get the values that a field allows or suggests, to give one of them to setFieldValue.',
    annotations: READS,
    properties: {
      path: { type: 'string', description: POINTER },
      query: { type: 'string', description: 'Only values that contain this text.' }
    },
    required: ['path']
  },
  editArray: {
    title: 'edit an array',
    description: () =>
      'Append, insert, remove or move one element of an array in the form. Nothing is sent to the service before saveForm.',
    annotations: { ...DRAFTS, idempotentHint: false },
    properties: {
      path: { type: 'string', description: 'JSON Pointer of the array, such as /items' },
      action: { type: 'string', enum: ['append', 'insert', 'remove', 'move'] },
      index: { type: 'integer', minimum: 0, description: 'The element to insert before, to remove or to move.' },
      to: { type: 'integer', minimum: 0, description: 'Its index after a move.' },
      value: { description: 'The element to append or insert, as JSON.' }
    },
    required: ['path', 'action']
  },
  reloadForm: {
    title: 'start over',
    description: () => 'Drop the changes that are not saved, and read the document again.',
    annotations: DRAFTS,
    properties: {},
    required: []
  }
}

/** Argument names of the form tools themselves. A path parameter of such a name gets a suffix, in all eight. */
const OWN_NAMES = new Set(Object.values(SHAPES).flatMap((shape) => Object.keys(shape.properties)))

interface ParameterArgument {
  /** Name that an agent gives. */
  shown: string
  /** Name in the input of the write operation. */
  key: string
  target: Extract<ArgumentTarget, { kind: 'parameter' }>
  schema: JsonSchema
  required: boolean
}

/** The eight tools of an editor. */
export function editorTools(
  editor: EditorDefinition,
  run: EditorRun,
  shared: Pick<Tool, 'profiles' | 'operation' | 'source'>
): Tool[] {
  const group = new EditorGroup(editor, run)
  return VERBS.map((verb) => group.tool(verb, shared))
}

/** The entry of a group must stay one paragraph that is shorter than the description of a skill. In characters. */
const LONGEST_ABOUT = 300

/** What the instructions say of a group: which tools, in which order. */
export function editorEntry({ write, read }: EditorDefinition): Skill {
  const start = read ? 'reads the document' : 'starts with an empty document'
  const about = [...(write.title ?? write.description).replace(/\s+/g, ' ').trim()].slice(0, LONGEST_ABOUT).join('')
  const body =
    `${about.replace(/\.$/, '')}. A form: \`${write.name}_describeState\` ${start} and lists its fields; change them with ` +
    `\`_setFieldValue\`, \`_editArray\` or \`_setData\` until no errors are left, then \`${write.name}_saveForm\`. ` +
    'Give the same identifiers in every call. Nothing is sent before saving.'
  return {
    name: write.name,
    description: body,
    body,
    uri: '',
    tools: VERBS.map((verb) => `${write.name}_${verb}`)
  }
}

class EditorGroup {
  readonly #editor: EditorDefinition
  readonly #run: EditorRun
  readonly #parameters: ParameterArgument[]
  readonly #runner: Pick<Tool, 'execute' | 'buildRequest'>
  #declared: Promise<FormKind | { error: string }> | undefined

  constructor(editor: EditorDefinition, run: EditorRun) {
    this.#editor = editor
    this.#run = run
    this.#parameters = parametersOfInput(editor.write)
    this.#runner = createRunner(editor.write, run.workspace, run.options)
  }

  tool(verb: Verb, shared: Pick<Tool, 'profiles' | 'operation' | 'source'>): Tool {
    const { write } = this.#editor
    const shape: VerbShape =
      verb === 'saveForm'
        ? {
            title: 'save',
            description: () =>
              `Save the form: send the whole document. Refused while it is not valid. ${write.description}`,
            annotations: write.annotations,
            properties: {},
            required: []
          }
        : SHAPES[verb]
    const own = this.#parameters.filter((p) => verb === 'saveForm' || p.target.parameter.in === 'path')
    const required = [...own.filter((p) => p.required).map((p) => p.shown), ...shape.required]
    const inputSchema: JsonSchema = {
      type: 'object',
      properties: { ...Object.fromEntries(own.map((p) => [p.shown, p.schema])), ...shape.properties },
      ...(required.length > 0 && { required }),
      additionalProperties: false
    }
    let validate: ReturnType<Modules['validation']['createValidator']> | undefined
    const check = (params: unknown, { validation }: Modules): { values: JsonSchema } | { error: string } => {
      validate ??= validation.createValidator(inputSchema)
      const checked = validate(params ?? {})
      return 'errors' in checked
        ? { error: validation.formatErrors('Invalid parameters', checked.errors) }
        : { values: checked.value as JsonSchema }
    }
    return {
      name: `${write.name}_${verb}`,
      ...(write.title !== undefined && { title: `${write.title}: ${shape.title}` }),
      description: shape.description(write.description).trim(),
      inputSchema,
      annotations: shape.annotations,
      execute: async (params, context = {}) => {
        try {
          const modules = await loadModules()
          const checked = check(params, modules)
          if ('error' in checked) return failure(checked.error)
          return await this.#execute(verb, checked.values, modules, context)
        } catch (error) {
          return failure(`The tool failed: ${error instanceof Error ? error.message : String(error)}`)
        }
      },
      buildRequest: async (params, context = {}) => {
        if (verb !== 'saveForm') return { error: `${verb} works on a form and sends no request of its own` }
        try {
          const modules = await loadModules()
          const checked = check(params, modules)
          if ('error' in checked) return checked
          return await this.#buildSave(checked.values, modules, context)
        } catch (error) {
          return { error: `The tool failed: ${error instanceof Error ? error.message : String(error)}` }
        }
      },
      arguments: Object.fromEntries(own.map((p) => [p.shown, p.target])),
      response: { markdown: false, hints: false },
      ...shared
    }
  }

  // --- what the tools do

  #execute(verb: Verb, values: JsonSchema, modules: Modules, context: CallContext): Promise<ToolResult> {
    const words: Wording = {
      formatErrors: modules.validation.formatErrors,
      truncate: modules.render.truncate,
      maxStringLength: this.#run.options.maxStringLength ?? modules.render.DEFAULT_MAX_STRING_LENGTH
    }
    return this.#run.state.forms.use(this.#keyOf(values, modules, context), async (slot) => {
      const known = verb === 'reloadForm' ? undefined : slot.value
      const opened = await this.#open(known, values, modules, context)
      if ('error' in opened) return failure(opened.error)
      const { form } = opened
      slot.value = form
      const path = String(values['path'] ?? '')
      switch (verb) {
        case 'describeState':
          return this.#result(form, describeForm(form, path, words))
        case 'reloadForm':
          return this.#result(form, `The form starts over.\n${describeForm(form, '', words)}`)
        case 'getData':
          return this.#result(form, `${JSON.stringify(form.data, null, 2)}\n\n${statusOf(form, words)}`)
        case 'setFieldValue':
          return this.#edited(
            form,
            form.set(path, values['value']),
            `${path === '' ? 'The whole document' : path} is set.`,
            words
          )
        case 'setData':
          return this.#edited(form, form.replace(values['data']), 'The document is replaced.', words)
        case 'editArray':
          return this.#edited(
            form,
            form.edit(path, values as unknown as ArrayEdit),
            `${path === '' ? 'The document' : path} is changed.`,
            words
          )
        case 'getFieldSuggestions': {
          const found = await form.suggestions(path, String(values['query'] ?? ''))
          if ('error' in found) return failure(found.error)
          const { text } = describeSuggestions(path, found.items)
          return { text, ...(this.#run.options.structuredContent && { structuredContent: { items: found.items } }) }
        }
        case 'saveForm': {
          const refused = this.#notSavable(form, words)
          if (refused !== undefined) return failure(refused)
          const result = await this.#runner.execute(this.#saveArguments(form, values), context)
          // What the service made of it is read again; the next new document is another one.
          if (!result.isError) slot.value = undefined
          return result.isError ? result : { ...result, text: `Saved.\n\n${result.text}` }
        }
      }
    })
  }

  #buildSave(values: JsonSchema, modules: Modules, context: CallContext): ReturnType<Tool['buildRequest']> {
    const words = { formatErrors: modules.validation.formatErrors }
    return this.#run.state.forms.use(this.#keyOf(values, modules, context), async (slot) => {
      const opened = await this.#open(slot.value, values, modules, context)
      if ('error' in opened) return opened
      const refused = this.#notSavable(opened.form, words)
      if (refused !== undefined) return { error: refused }
      return this.#runner.buildRequest(this.#saveArguments(opened.form, values), context)
    })
  }

  #edited(form: Form, refusal: Refusal, done: string, words: Wording): ToolResult {
    if (!refusal) return this.#result(form, `${done}\n\n${statusOf(form, words)}`)
    return failure(
      'error' in refusal ? `Not changed: ${refusal.error}` : words.formatErrors('Not changed', refusal.errors)
    )
  }

  #result(form: Form, text: string): ToolResult {
    if (!this.#run.options.structuredContent) return { text }
    const { data, errors } = form
    return { text, structuredContent: { valid: errors.length === 0, errors, data, fields: form.fields() } }
  }

  #notSavable(form: Form, { formatErrors }: Pick<Wording, 'formatErrors'>): string | undefined {
    return form.errors.length === 0 ? undefined : formatErrors('Not saved, the form is not valid', form.errors)
  }

  #saveArguments(form: Form, values: JsonSchema): Record<string, unknown> {
    const { input } = this.#editor.write
    const bodyKey = Object.entries(input.arguments).find(([, target]) => target.kind === 'body')?.[0]
    const given = this.#parameters.flatMap(({ shown, key }) => (shown in values ? [[key, values[shown]] as const] : []))
    return Object.fromEntries([...given, ...(bodyKey === undefined ? [] : [[bodyKey, form.data] as const])])
  }

  // --- the form behind a call

  /** The operation, the values in its path, and who calls: where a host names nobody, the credentials stand for them. */
  #keyOf(values: JsonSchema, { request }: Modules, context: CallContext): string {
    const { view, context: own } = this.#editor.write
    return JSON.stringify([
      own.document.uri,
      view.operation.method,
      view.operation.path,
      view.index ?? 0,
      [...this.#pathValues(values)],
      callerOf(context, request.isSecretHeader)
    ])
  }

  /** By the API's names, fixed ones included. */
  #pathValues(values: JsonSchema): Map<string, unknown> {
    const fixed = this.#editor.write.input.fixed.flatMap((f): [string, unknown][] =>
      f.kind === 'parameter' && f.parameter.in === 'path' ? [[f.parameter.name, f.value]] : []
    )
    const given = this.#parameters
      .filter((p) => p.target.parameter.in === 'path')
      .map((p): [string, unknown] => [p.target.parameter.name, values[p.shown]])
    return new Map([...fixed, ...given])
  }

  async #open(
    known: Form | undefined,
    values: JsonSchema,
    modules: Modules,
    context: CallContext
  ): Promise<{ form: Form } | { error: string }> {
    const kind = await this.#kind(values, modules, context)
    if ('error' in kind) return kind
    // A draft that was made with another edition of the schema goes on with the new one.
    if (known) return { form: known.kind === kind ? known : new Form(kind, known.data) }
    const { read, write } = this.#editor
    if (!read) return { form: new Form(kind, {}) }
    const source = {
      operation: read,
      document: write.context.document,
      pathValues: this.#pathValues(values),
      values: {},
      accept: 'application/json, */*;q=0.5'
    }
    const answer = await readJson(source, this.#run.workspace, modules, this.#run.options, context)
    if ('error' in answer) return { error: `The document cannot be read: ${answer.error}` }
    return { form: new Form(kind, answer.data) }
  }

  async #kind(values: JsonSchema, modules: Modules, context: CallContext): Promise<FormKind | { error: string }> {
    const { schema } = this.#editor
    if (!schema) {
      this.#declared ??= this.#declaredKind(modules)
      const kind = await this.#declared
      // The package may be installed by the next call.
      if ('error' in kind) this.#declared = undefined
      return kind
    }
    return this.#fetchedKind(schema, values, modules, context)
  }

  async #declaredKind(modules: Modules): Promise<FormKind | { error: string }> {
    const { context } = this.#editor.write
    const { workspace } = this.#run
    try {
      const { result } = await workspace.settle(context.document, () => {
        const body = requestBodyOf(context.operation, workspace, () => {})
        return body?.schema && formSchemaAt(body.schema, context.dialect, workspace)
      })
      return await this.#compiled(result ?? { fields: { type: 'object' }, validation: {} }, modules)
    } catch (error) {
      return { error: schemaProblem(error) }
    }
  }

  async #fetchedKind(
    { operation, params }: { operation: Operation; params: Record<string, unknown> },
    values: JsonSchema,
    modules: Modules,
    context: CallContext
  ): Promise<FormKind | { error: string }> {
    const { document, locale } = this.#editor.write.context
    const pathValues = new Map([...this.#pathValues(values)].filter(([name]) => operation.path.includes(`{${name}}`)))
    const fixed = this.#fixedBody()
    const caller = callerOf(context, modules.request.isSecretHeader)
    const key = JSON.stringify([document.uri, operation.path, [...pathValues], params, fixed, locale, caller])
    return this.#run.state.kinds.use(key, async (slot) => {
      if (slot.value) return slot.value
      const source = {
        operation,
        document,
        pathValues,
        values: params,
        accept: 'application/schema+json, application/json;q=0.9, */*;q=0.5'
      }
      const answer = await readJson(source, this.#run.workspace, modules, this.#run.options, context)
      if ('error' in answer) return { error: `The schema of the form cannot be read: ${answer.error}` }
      if (!isObject(answer.data))
        return { error: 'The schema of the form cannot be read: the answer is no JSON Schema' }
      try {
        const kind = await this.#compiled(formSchemaOf(answer.data, this.#run.workspace), modules)
        if (!('error' in kind)) slot.value = kind
        return kind
      } catch (error) {
        return { error: schemaProblem(error) }
      }
    })
  }

  async #compiled(schema: FormSchema, { validation }: Modules): Promise<FormKind | { error: string }> {
    const { locale } = this.#editor.write.context
    const layout = await compileLayout(schema.fields, { locale, load: this.#run.load })
    if ('error' in layout) return layout
    const validate = validation.createValidator(schema.validation, { useDefaults: false })
    return { schema, layout, validate, fixed: this.#fixedBody() }
  }

  #fixedBody(): Record<string, unknown> {
    const fixed = this.#editor.write.input.fixed
    return Object.fromEntries(fixed.flatMap((f) => (f.kind === 'bodyProperty' ? [[f.name, f.value]] : [])))
  }
}

function parametersOfInput({ input }: ToolDefinition): ParameterArgument[] {
  const names = new ArgumentNames()
  for (const name of OWN_NAMES) names.take(name, '_')
  const properties = input.schema['properties'] as Record<string, JsonSchema>
  const required = (input.schema['required'] ?? []) as string[]
  return Object.entries(input.arguments).flatMap(([key, target]) => {
    if (target.kind !== 'parameter') return []
    const shown = names.take(key, `__${target.parameter.in}`)
    return [{ shown, key, target, schema: properties[key]!, required: required.includes(key) }]
  })
}

function callerOf({ identity, headers = {} }: CallContext, isSecret: (name: string) => boolean): unknown {
  if (identity !== undefined) return identity
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => isSecret(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function schemaProblem(error: unknown): string {
  if (error instanceof SchemaTooLarge || error instanceof RangeError)
    return 'The schema of the form grows too large when its references are written out'
  return `The schema of the form cannot be used: ${error instanceof Error ? error.message : String(error)}`
}

function failure(text: string): ToolResult {
  return { isError: true, text }
}
