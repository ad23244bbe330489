import { describe, expect, it } from 'vitest'
import { createSession } from '../session.js'
import { findings, memoryHost } from '../testing/documents.js'
import type { CallContext, Tool } from '../tools/types.js'
import type { LayoutLoader } from './layout.js'
import type { ToolSetOptions } from '../session.js'

const DOCUMENT = `openapi: 3.1.0
info: { title: Tracker, version: '1' }
servers: [{ url: 'https://api.example/v1' }]
x-agent:
  namePrefix: tracker_
  profiles: { edit: {} }
paths:
  /repos/{repo}/milestones:
    parameters: [{ name: repo, in: path, required: true, schema: { type: string }, x-agent: { name: repository } }]
    post:
      operationId: createMilestone
      summary: Create a milestone
      x-agent: { name: milestone, editor: true, fixed: { source: agent } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title, source]
              additionalProperties: false
              properties:
                title: { type: string, minLength: 3, title: Title, layout: text-field }
                description: { type: [string, 'null'] }
                state: { type: string, enum: [open, closed], default: open }
                source: { type: string }
                color: { type: string, layout: { items: [{ value: r, title: Red }, { value: b, title: Blue }] } }
                labels: { type: array, items: { type: string, enum: [bug, docs] } }
                links: { type: array, items: { $ref: '#/components/schemas/Link' } }
                id: { type: integer, readOnly: true }
      responses: { '201': { description: Created. } }
  /files/{path}/issues/{id}:
    parameters:
      - { name: path, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: { operationId: readIssue, responses: { '200': { description: ok } } }
    put:
      operationId: saveIssue
      summary: Save an issue
      parameters: [{ name: message, in: query, required: true, schema: { type: string } }]
      x-agent:
        name: issue
        title: Edit an issue
        annotations: { idempotentHint: true }
        editor: { readOperation: readIssue, schemaOperation: readSchema, schemaParams: { mimeType: application/schema+json, undeclared: 1 } }
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: Saved., content: { application/json: { schema: { type: object } } } } }
  /files/{path}/schema:
    parameters: [{ name: path, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readSchema
      parameters: [{ name: mimeType, in: query, schema: { type: string } }]
      responses: { '200': { description: ok } }
components:
  schemas:
    Link:
      type: object
      required: [url]
      properties: { url: { type: string, format: uri }, related: { type: array, items: { $ref: '#/components/schemas/Link' } } }
`

const ISSUE_SCHEMA = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', pattern: '^[A-Z]' },
    body: { type: 'string' },
    shape: { $ref: '#/definitions/shape' },
    trap: { type: 'string', layout: { if: 'globalThis.trapped = true', getDefaultData: 'globalThis.trapped = true' } },
    'a"]; globalThis.trapped = true; [data["b': { type: 'string' }
  },
  dependentSchemas: {
    'a"]; globalThis.trapped = true; [data["b': { properties: { c: { type: 'string' } } }
  },
  if: { properties: { title: { const: 'Closed' } }, required: ['title'] },
  then: { required: ['reason'], properties: { reason: { type: 'string' } } },
  definitions: {
    shape: {
      oneOf: [
        {
          title: 'Circle',
          type: 'object',
          required: ['kind', 'r'],
          properties: { kind: { const: 'circle' }, r: { type: 'number' } }
        },
        {
          title: 'Square',
          type: 'object',
          required: ['kind', 'side'],
          properties: { kind: { const: 'square' }, side: { type: 'number' } }
        }
      ]
    }
  }
}

/** A tracker with one issue, which notes what it is asked. */
function tracker({
  schema = ISSUE_SCHEMA as unknown,
  issue = { title: 'First', body: null, views: 3, shape: null } as unknown
} = {}) {
  const requests: string[] = []
  const state = { schema, issue, saved: [] as unknown[], refuse: false }
  const answer = (value: unknown, status = 200): Response =>
    new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })
  const fetch = ((url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url)
    requests.push(`${init.method} ${pathname}${search}`)
    if (state.refuse) return Promise.resolve(answer({ error: 'no' }, 409))
    if (pathname.endsWith('/schema')) return Promise.resolve(answer(state.schema))
    if (init.method === 'GET') return Promise.resolve(answer(state.issue))
    const document: unknown = JSON.parse(init.body as string)
    state.saved.push(document)
    if (init.method === 'PUT') state.issue = document
    return Promise.resolve(answer({ ok: true }, init.method === 'POST' ? 201 : 200))
  }) as typeof globalThis.fetch
  return { requests, state, fetch }
}

async function tools(api = tracker(), options: ToolSetOptions & { load?: LayoutLoader } = {}) {
  const { load, ...rest } = options
  const session = createSession(memoryHost({ 'openapi.yaml': DOCUMENT }), { ...(load && { loadLayout: load }) })
  const { toolSet } = await session.toolSet('file:///api/openapi.yaml', { fetch: api.fetch, ...rest })
  const call = async (name: string, params: Record<string, unknown>, context?: CallContext): Promise<string> => {
    const { text, isError } = await toolSet.tools.find((t) => t.name === `tracker_${name}`)!.execute(params, context)
    return isError ? `ERROR ${text}` : text
  }
  return { api, session, toolSet, call }
}

const REPO = { repository: 'core' }
const ISSUE = { path__path: 'a/b', id: 7 }

describe('the group', () => {
  it('has eight tools with the path parameters of the write operation', async () => {
    const { toolSet } = await tools()
    const shown = (t: Tool): string => {
      const { properties, required = [] } = t.inputSchema as { properties: object; required?: string[] }
      const names = Object.keys(properties).map((n) => (required.includes(n) ? n : `${n}?`))
      const hints = Object.entries(t.annotations).filter(([, on]) => on === true)
      return `${t.name}(${names.join(', ')}) ${hints.map(([hint]) => hint.replace('Hint', '')).join(' ')}`.trim()
    }
    expect(toolSet.tools.map(shown)).toEqual([
      'tracker_milestone_describeState(repository, path?) readOnly idempotent',
      'tracker_milestone_getData(repository) readOnly idempotent',
      'tracker_milestone_setFieldValue(repository, path, value) idempotent',
      'tracker_milestone_setData(repository, data) idempotent',
      'tracker_milestone_getFieldSuggestions(repository, path, query?) readOnly idempotent',
      'tracker_milestone_editArray(repository, path, action, index?, to?, value?)',
      'tracker_milestone_saveForm(repository)',
      'tracker_milestone_reloadForm(repository) idempotent',
      'tracker_issue_describeState(path__path, id, path?) readOnly idempotent',
      'tracker_issue_getData(path__path, id) readOnly idempotent',
      'tracker_issue_setFieldValue(path__path, id, path, value) idempotent',
      'tracker_issue_setData(path__path, id, data) idempotent',
      'tracker_issue_getFieldSuggestions(path__path, id, path, query?) readOnly idempotent',
      'tracker_issue_editArray(path__path, id, path, action, index?, to?, value?)',
      'tracker_issue_saveForm(path__path, id, message) idempotent',
      'tracker_issue_reloadForm(path__path, id) idempotent'
    ])
  })

  it('has one entry in the instructions', async () => {
    const { toolSet } = await tools()
    expect(toolSet.instructions.split('\n\n## ')[1]).toMatchInlineSnapshot(`
      "tracker_issue

      Edit an issue. A form: \`tracker_issue_describeState\` reads the document and lists its fields; change them with \`_setFieldValue\`, \`_editArray\` or \`_setData\` until no errors are left, then \`tracker_issue_saveForm\`. Give the same identifiers in every call. Nothing is sent before saving.

      Tools: tracker_issue_describeState, tracker_issue_getData, tracker_issue_setFieldValue, tracker_issue_setData, tracker_issue_getFieldSuggestions, tracker_issue_editArray, tracker_issue_saveForm, tracker_issue_reloadForm"
    `)
  })
})

describe('a form for something new', () => {
  it('starts empty, is filled in, and is saved with what is fixed', async () => {
    const { call, api } = await tools()
    expect(await call('milestone_describeState', REPO)).toMatchInlineSnapshot(`
      "- /title (string, required): not set — Title
      - /description (string | null): not set
      - /state (string, has suggestions): "open"
      - /color (string, has suggestions): not set
      - /labels (array, has suggestions): not set
      - /links (array): not set

      Not valid yet: "title" is required (required)"
    `)
    expect(await call('milestone_setFieldValue', { ...REPO, path: '/title', value: 'v1' })).toMatchInlineSnapshot(`
      "/title is set.

      Not valid yet: /title must have at least 3 characters (minLength)"
    `)
    expect(await call('milestone_saveForm', REPO)).toMatchInlineSnapshot(
      `"ERROR Not saved, the form is not valid: /title must have at least 3 characters (minLength)"`
    )
    expect(await call('milestone_setFieldValue', { ...REPO, path: '/title', value: 'v1.0' })).toMatchInlineSnapshot(`
      "/title is set.

      The form is valid."
    `)
    expect(api.requests).toEqual([])
    expect(await call('milestone_saveForm', REPO)).toMatchInlineSnapshot(`
      "Saved.

      - **ok**: true"
    `)
    expect(api.requests).toEqual(['POST /v1/repos/core/milestones'])
    expect(api.state.saved).toEqual([{ title: 'v1.0', state: 'open', source: 'agent' }])
  })

  it('says that the whole document is set where the path is empty', async () => {
    const { call } = await tools()
    expect(await call('milestone_setFieldValue', { ...REPO, path: '', value: { title: 'v1' } })).toMatch(
      /^The whole document is set\.\n/
    )
    expect(await call('milestone_getData', REPO)).toContain('"title": "v1"')
  })

  it('resumes the draft until it is saved', async () => {
    const { call } = await tools()
    await call('milestone_setFieldValue', { ...REPO, path: '/title', value: 'Draft' })
    expect(await call('milestone_getData', REPO)).toContain('"Draft"')
    await call('milestone_saveForm', REPO)
    expect(await call('milestone_getData', REPO)).not.toContain('"Draft"')
  })

  it('keeps its draft when saving fails, and when tools are made anew', async () => {
    const { call, api, session } = await tools()
    await call('milestone_setFieldValue', { ...REPO, path: '/title', value: 'Draft' })
    api.state.refuse = true
    expect(await call('milestone_saveForm', REPO)).toBe('ERROR HTTP 409: {"error":"no"}')
    session.invalidate()
    const { toolSet } = await session.toolSet('file:///api/openapi.yaml', { fetch: api.fetch })
    const { text } = await toolSet.tools.find((t) => t.name === 'tracker_milestone_getData')!.execute(REPO)
    expect(text).toContain('"Draft"')
  })

  it('is another one for other path values and other callers', async () => {
    const { call } = await tools()
    const set = (value: string, context?: CallContext, params: object = REPO): Promise<string> =>
      call('milestone_setFieldValue', { ...params, path: '/title', value }, context)
    await set('Nobody')
    await set('Ada', { identity: 'ada' })
    await set('Key one', { headers: { Authorization: 'Bearer one' } })
    await set('Elsewhere', undefined, { repository: 'docs' })
    const titles = await Promise.all([
      call('milestone_getData', REPO),
      call('milestone_getData', REPO, { identity: 'ada' }),
      call('milestone_getData', REPO, { headers: { authorization: 'Bearer one', 'x-request-id': '2' } }),
      call('milestone_getData', REPO, { headers: { authorization: 'Bearer two' } }),
      call('milestone_getData', { repository: 'docs' })
    ])
    expect(titles.map((t) => /"title": "(.*)"/.exec(t)?.[1])).toEqual([
      'Nobody',
      'Ada',
      'Key one',
      undefined,
      'Elsewhere'
    ])
  })

  it('starts over on reload', async () => {
    const { call, api } = await tools()
    await call('milestone_setFieldValue', { ...REPO, path: '/title', value: 'Draft' })
    expect(await call('milestone_reloadForm', REPO)).toContain('/title (string, required): not set')
    expect(api.requests).toEqual([])
  })

  it('refuses what is no field, what is fixed and what has another type', async () => {
    const { call } = await tools()
    const set = (path: string, value: unknown): Promise<string> =>
      call('milestone_setFieldValue', { ...REPO, path, value })
    expect(await set('/titel', 'x')).toBe(
      'ERROR Not changed: there is no field "titel" in the form; did you mean "title"?'
    )
    expect(await set('/source', 'x')).toBe('ERROR Not changed: /source is set by the tool (fixed)')
    expect(await set('/title', 3)).toMatchInlineSnapshot(`"ERROR Not changed: /title must be string, got 3 (type)"`)
    expect(await set('title', 'x')).toMatchInlineSnapshot(
      `"ERROR Not changed: path must be a JSON Pointer such as /name, got "title""`
    )
    expect(await set('/labels/3', 'bug')).toMatchInlineSnapshot(
      `"ERROR Not changed: /labels/3: there is no element "3" in an array of 0"`
    )
    expect(await set('/__proto__/x', 1)).toContain('ERROR Not changed: there is no field "__proto__"')
    expect(await call('milestone_setData', { ...REPO, data: [1] })).toContain('ERROR Not changed')
    expect(await call('milestone_setFieldValue', REPO)).toContain('ERROR Invalid parameters')
    expect(await call('milestone_getData', REPO)).toMatchInlineSnapshot(`
      "{
        "state": "open"
      }

      Not valid yet: "title" is required (required)"
    `)
  })

  it('takes whole documents, keeps what is empty, and drops null where there can be none', async () => {
    const { call } = await tools()
    const data = {
      title: 'Abc',
      description: null,
      state: null,
      labels: [],
      links: [{ url: 'https://a.example', related: [] }]
    }
    await call('milestone_setData', { ...REPO, data })
    expect(JSON.parse((await call('milestone_getData', REPO)).split('\n\n')[0]!)).toEqual({
      title: 'Abc',
      description: null,
      state: 'open',
      labels: [],
      links: [{ url: 'https://a.example', related: [] }]
    })
    await call('milestone_setFieldValue', { ...REPO, path: '/title', value: '' })
    expect(await call('milestone_getData', REPO)).toContain('"title": ""')
    await call('milestone_setFieldValue', { ...REPO, path: '/links/0/related/-', value: { url: 'https://b.example' } })
    expect(await call('milestone_describeState', { ...REPO, path: '/links' })).toMatchInlineSnapshot(`
      "- /links (array): [{"url":"https://a.example","related":[{"url":"https://b.example"}]}]
      - /links/0 (object): {"url":"https://a.example","related":[{"url":"https://b.example"}]}
      - /links/0/url (string (uri), required): "https://a.example"
      - /links/0/related (array): [{"url":"https://b.example"}]
      - /links/0/related/0 (any): {"url":"https://b.example"}

      Not valid yet: /title must have at least 3 characters (minLength)"
    `)
  })

  it('edits arrays', async () => {
    const { call } = await tools()
    const edit = (params: object): Promise<string> =>
      call('milestone_editArray', { ...REPO, path: '/labels', ...params })
    const labels = async (): Promise<unknown> =>
      (JSON.parse((await call('milestone_getData', REPO)).split('\n\n')[0]!) as { labels?: unknown }).labels
    expect(await edit({ action: 'append', value: 'bug' })).toContain('/labels is changed.')
    await edit({ action: 'insert', index: 0, value: 'docs' })
    expect(await labels()).toEqual(['docs', 'bug'])
    await edit({ action: 'move', index: 0, to: 1 })
    expect(await labels()).toEqual(['bug', 'docs'])
    await edit({ action: 'remove', index: 0 })
    expect(await labels()).toEqual(['docs'])
    expect(await edit({ action: 'remove', index: 4 })).toBe(
      'ERROR Not changed: index must be from 0 to 0, the array has 1 elements'
    )
    expect(await edit({ action: 'append' })).toBe('ERROR Not changed: append needs a value')
    expect(await edit({ action: 'append', path: '/title', value: 'x' })).toBe('ERROR Not changed: /title is no array')
    expect(await edit({ action: 'append', value: 'other' })).toContain('/labels/1 must be')
  })

  it('suggests values', async () => {
    const { call } = await tools()
    const of = (path: string, query?: string): Promise<string> =>
      call('milestone_getFieldSuggestions', { ...REPO, path, ...(query && { query }) })
    expect(await of('/state')).toBe('- "open"\n- "closed"')
    expect(await of('/state', 'CL')).toBe('- "closed"')
    expect(await of('/labels')).toBe('- "bug"\n- "docs"')
    expect(await of('/labels/0')).toBe('- "bug"\n- "docs"')
    expect(await of('/color')).toBe('- "r" — Red\n- "b" — Blue')
    expect(await of('/title')).toBe('/title lists no values: whatever its type allows can be set')
    expect(await of('/nothing')).toContain('ERROR there is no field "nothing"')
  })

  it('answers data on request', async () => {
    const { toolSet } = await tools(tracker(), { structuredContent: true })
    const { structuredContent } = await toolSet.tools[0]!.execute(REPO)
    expect(structuredContent).toMatchObject({ valid: false, data: { state: 'open' } })
  })

  it('shows the request that saving would send', async () => {
    const { toolSet, call, api } = await tools()
    await call('milestone_setFieldValue', { ...REPO, path: '/title', value: 'v1.0' })
    const [save, reload] = ['saveForm', 'reloadForm'].map((v) =>
      toolSet.tools.find((t) => t.name.endsWith(`milestone_${v}`))!
    )
    expect(await save!.buildRequest(REPO)).toMatchObject({ request: { method: 'POST' } })
    expect(await reload!.buildRequest(REPO)).toMatchObject({ error: expect.stringContaining('no request') as string })
    expect(api.requests).toEqual([])
  })
})

describe('a form for something that is there', () => {
  it('reads schema and document once, and saves the whole document', async () => {
    const { call, api } = await tools()
    expect(await call('issue_describeState', ISSUE)).toMatchInlineSnapshot(`
      "- /title (string, required): "First"
      - /body (string): not set
      - /shape (object): not set
      - /shape/$oneOf (variant): 0: Circle; 1: Square
      - /trap (string): not set

      The form is valid."
    `)
    await call('issue_setFieldValue', { ...ISSUE, path: '/body', value: 'Text' })
    expect(await call('issue_saveForm', ISSUE)).toContain('ERROR Invalid parameters')
    expect(api.requests).toEqual([
      'GET /v1/files/a%2Fb/schema?mimeType=application%2Fschema%2Bjson&undeclared=1',
      'GET /v1/files/a%2Fb/issues/7'
    ])
    expect(await call('issue_saveForm', { ...ISSUE, message: 'why' })).toMatchInlineSnapshot(`
      "Saved.

      - **ok**: true"
    `)
    expect(api.requests.at(-1)).toBe('PUT /v1/files/a%2Fb/issues/7?message=why')
    expect(api.state.saved).toEqual([{ title: 'First', body: 'Text' }])
    await call('issue_getData', ISSUE)
    expect(api.requests.slice(3)).toEqual(['GET /v1/files/a%2Fb/issues/7'])
  })

  it('refuses to save while it is not valid', async () => {
    const { call, api } = await tools()
    await call('issue_setFieldValue', { ...ISSUE, path: '/title', value: 'lower' })
    expect(await call('issue_saveForm', { ...ISSUE, message: 'why' })).toMatchInlineSnapshot(
      `"ERROR Not saved, the form is not valid: /title must match "^[A-Z]", got "lower" (pattern)"`
    )
    expect(api.state.saved).toEqual([])
  })

  it('reads again on reload, and keeps the draft where that fails', async () => {
    const { call, api } = await tools()
    await call('issue_setFieldValue', { ...ISSUE, path: '/title', value: 'Mine' })
    api.state.refuse = true
    expect(await call('issue_reloadForm', ISSUE)).toBe('ERROR The document cannot be read: HTTP 409: {"error":"no"}')
    expect(await call('issue_getData', ISSUE)).toContain('Mine')
    api.state.refuse = false
    api.state.issue = { title: 'Theirs' }
    expect(await call('issue_reloadForm', ISSUE)).toContain('Theirs')
  })

  it('shows what depends on other fields, and chooses between variants', async () => {
    const { call } = await tools()
    await call('issue_setFieldValue', { ...ISSUE, path: '/title', value: 'Closed' })
    expect(await call('issue_describeState', ISSUE)).toContain('- /reason (string, required): not set')
    await call('issue_setFieldValue', { ...ISSUE, path: '/shape/$oneOf', value: 1 })
    expect(await call('issue_describeState', { ...ISSUE, path: '/shape' })).toMatchInlineSnapshot(`
      "- /shape (object): {"kind":"square"} ! "side" is required (required)
      - /shape/$oneOf (variant): 0: Circle; 1: Square (chosen)
      - /shape/side (number, required): not set

      Not valid yet:
      - "reason" is required (required)
      - /shape "side" is required (required)"
    `)
    await call('issue_setFieldValue', { ...ISSUE, path: '/shape', value: { kind: 'circle' } })
    expect(await call('issue_describeState', { ...ISSUE, path: '/shape' })).toMatchInlineSnapshot(`
      "- /shape (object): {"kind":"circle"} ! "r" is required (required)
      - /shape/$oneOf (variant): 0: Circle (chosen); 1: Square
      - /shape/r (number, required): not set

      Not valid yet:
      - "reason" is required (required)
      - /shape "r" is required (required)"
    `)
    expect(await call('issue_getFieldSuggestions', { ...ISSUE, path: '/shape/$oneOf' })).toBe(
      '- 0 — Circle\n- 1 — Square'
    )
    expect(await call('issue_setFieldValue', { ...ISSUE, path: '/shape/$oneOf', value: 2 })).toContain('ERROR')
  })

  it('keeps the variant that was chosen where no constant tells', async () => {
    const variant = (title: string, name: string): object => ({
      title,
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' } }
    })
    const schema = { type: 'object', oneOf: [variant('By name', 'name'), variant('By code', 'code')] }
    const { call } = await tools(tracker({ schema, issue: {} }))
    await call('issue_setFieldValue', { ...ISSUE, path: '/$oneOf', value: 1 })
    await call('issue_setFieldValue', { ...ISSUE, path: '/code', value: '' })
    expect(await call('issue_describeState', ISSUE)).toBe(
      '- /$oneOf (variant): 0: By name; 1: By code (chosen)\n- /code (string, required): ""\n\nThe form is valid.'
    )
  })

  it('runs no code of a schema', async () => {
    const { call } = await tools(
      tracker({ issue: { title: 'First', 'a"]; globalThis.trapped = true; [data["b': 'x' } })
    )
    expect(await call('issue_describeState', ISSUE)).toContain('/trap')
    expect(globalThis).not.toHaveProperty('trapped')
  })

  it.each([
    ['no schema', 'text'],
    ['a schema of nothing', {}],
    ['a schema that is a cycle', { $ref: '#' }],
    ['a recursive schema', { type: 'object', properties: { child: { $ref: '#' } } }],
    [
      'a schema with broken parts',
      { type: ['x'], properties: { a: { type: 5, enum: 'x', items: [[]] }, b: { oneOf: [1] } } }
    ],
    [
      'a schema with several types',
      { type: ['object', 'array'], properties: { a: { type: ['string', 'object', 'null'] } } }
    ],
    ['a schema with a reference to elsewhere', { properties: { a: { $ref: 'https://evil.example/x' } } }],
    [
      'a tuple',
      { type: 'object', properties: { t: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } } }
    ]
  ])('never throws on %s', async (_, schema) => {
    const issue = { title: 'x', a: { b: 1 }, child: { child: 'text' }, t: ['x', 1], b: [] }
    const { call } = await tools(tracker({ schema, issue }))
    for (const verb of ['describeState', 'getData']) expect(typeof (await call(`issue_${verb}`, ISSUE))).toBe('string')
    for (const path of ['', '/a', '/a/b', '/child/child/child', '/t/0', '/t/-']) {
      const text = await call('issue_setFieldValue', { ...ISSUE, path, value: 'x' })
      expect(text).not.toContain('The tool failed')
    }
  })

  it('says what it cannot read', async () => {
    const failing = tracker()
    failing.state.refuse = true
    const { call } = await tools(failing)
    expect(await call('issue_getData', ISSUE)).toBe(
      'ERROR The schema of the form cannot be read: HTTP 409: {"error":"no"}'
    )
    expect(await (await tools(tracker({ schema: 3 }))).call('issue_getData', ISSUE)).toContain(
      'ERROR The schema of the form'
    )
  })
})

describe('without the package of the layout', () => {
  it('the tools are there and say what to install', async () => {
    const load: LayoutLoader = () =>
      Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }))
    const { call, toolSet } = await tools(tracker(), { load })
    expect(toolSet.tools).toHaveLength(16)
    expect(await call('milestone_describeState', REPO)).toBe(
      'ERROR Form tools need the package @json-layout/core, which is not installed beside this program; install it with `npm install @json-layout/core@2.7.1`'
    )
  })
})

describe('findings', () => {
  const document = (editor: string): string => DOCUMENT.replace(/editor: \{ readOperation.*/, `editor: ${editor}`)

  it('are none where the form can be read', async () => {
    expect(await findings(DOCUMENT)).toEqual([])
  })

  it('name operations that need what the form does not have, or that change something', async () => {
    const lacking = DOCUMENT.replace(
      'editor: true',
      'editor: { readOperation: readIssue, schemaOperation: createMilestone }'
    )
    expect(await findings(lacking)).toEqual([
      '13:60 error x-agent-editor-operation /paths/~1repos~1{repo}~1milestones/post/x-agent/editor/readOperation',
      '13:88 error x-agent-editor-operation /paths/~1repos~1{repo}~1milestones/post/x-agent/editor/schemaOperation'
    ])
    expect(await findings(document('{ schemaOperation: readSchema }'))).toEqual([])
  })
})
