import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SourceDocument } from '../source/document.js'
import { diagnosticsOf, documentOf, findings, toolSetOf } from '../testing/documents.js'
import { definitions, vocabularySchema, type Scope } from './definitions.js'
import { localizedText } from './localized.js'
import { nearest } from './suggestions.js'
import { validateAnnotation } from './validate.js'

const operation = (annotation: string, more = ''): string =>
  documentOf(`operationId: getItem\nsummary: Get.\nx-agent: ${annotation}\n${more}`)

describe('an annotation', () => {
  it.each([
    ['{ desciption: x }', '10:18 error x-agent-unknown-field /paths/~1items~1{id}/get/x-agent/desciption'],
    ['{ name: Get-Item }', '10:24 error x-agent-invalid-name /paths/~1items~1{id}/get/x-agent/name'],
    ['{ profiles: explore }', '10:28 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent/profiles'],
    ['{ profiles: false }', '10:28 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent/profiles'],
    ['{ body: nested }', '10:24 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent/body'],
    ['{ description: {} }', '10:31 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent/description'],
    ['{ response: { rows: a/b } }', '10:36 error x-agent-invalid-name /paths/~1items~1{id}/get/x-agent/response/rows'],
    ['{ response: { rows: /a/b } }', '10:36 error x-agent-invalid-name /paths/~1items~1{id}/get/x-agent/response/rows'],
    [
      '{ annotations: { readOnlyHint: 1 } }',
      '10:47 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent/annotations/readOnlyHint'
    ],
    ['{ bodyFields: [] }', '10:30 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent/bodyFields'],
    ['', '10:7 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent'],
    ['[]', '10:16 error x-agent-invalid-value /paths/~1items~1{id}/get/x-agent'],
    ['[{ name: a }, { title: b }]', '10:30 error x-agent-missing-field /paths/~1items~1{id}/get/x-agent/1'],
    ['[{ name: a }, { name: a }]', '10:30 error x-agent-view-name /paths/~1items~1{id}/get/x-agent/1']
  ])('%s', async (annotation, finding) => {
    expect((await findings(operation(annotation))).filter((f) => !f.includes('duplicate-tool-name'))).toEqual([finding])
  })

  it('gets all its mistakes reported at once, with what is likely meant', async () => {
    const found = await diagnosticsOf(
      operation("{ nmae: x, titel: y, params: { q: { max: 5, name: 'a b' } }, examples: {} }")
    )
    expect(found.map((d) => [d.path.slice(3).join('.'), d.suggestion])).toEqual([
      ['x-agent.nmae', 'name'],
      ['x-agent.titel', 'title'],
      ['x-agent.params.q', undefined],
      ['x-agent.params.q.max', 'maximum'],
      ['x-agent.params.q.name', undefined],
      ['x-agent.examples', undefined]
    ])
  })

  it('does not hide findings of other layers in the same operation', async () => {
    const found = await findings(
      operation(
        '{ name: BAD, params: { sort: { description: Comma-separated keys., nmae: x } } }',
        'parameters: [{ name: sort, in: query, schema: { type: array, items: { type: string } } }]'
      )
    )
    expect(found.map((f) => f.split(' ')[2])).toEqual([
      'x-agent-invalid-name',
      'comma-separated-array',
      'x-agent-unknown-field'
    ])
  })

  it('is judged as the published JSON Schema judges it', () => {
    const ajv = new Ajv2020({ strict: false, logger: false })
    const words = ['en', 'a', 'explore', '/rows', '/a/b', 'A-b', 'flat', 'x y', '']
    const leaf = fc.oneof(
      fc.constantFrom<unknown>(...words, true, false, null, 5, 1.5),
      fc.constantFrom<unknown>([], {}, ['a'], ['a', 'a'], [1], { en: 'x' }, { en: 1 })
    )
    for (const scope of Object.keys(definitions) as Scope[]) {
      const valid = ajv.compile(vocabularySchema(scope))
      const known = Object.keys(definitions[scope].properties)
      const inner = fc.dictionary(
        fc.constantFrom(
          'title',
          'includes',
          'name',
          'description',
          'rows',
          'concise',
          'detailed',
          'q',
          'readOnlyHint',
          'maximum'
        ),
        leaf,
        { maxKeys: 3 }
      )
      const value = fc.dictionary(
        fc.constantFrom(...known, 'other'),
        fc.oneof(leaf, inner, fc.array(inner, { maxLength: 2 })),
        { maxKeys: 4 }
      )
      fc.assert(
        fc.property(fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: leaf }), (annotation) => {
          const node = { document: new SourceDocument('inline:x', { value: annotation }), path: [], value: annotation }
          // Rules that look at several fields together are beyond the schema.
          const found = validateAnnotation(scope, node).filter(
            (d) => !/view-name|duplicate-skill/.test(d.rule) && !d.message.includes('not both')
          )
          expect(found.length === 0, JSON.stringify({ scope, annotation, found: found.map((f) => f.message) })).toBe(
            valid(annotation)
          )
        }),
        { numRuns: 400 }
      )
    }
  })
})

describe('x-agent in other places', () => {
  const text = (more: string): string => `openapi: 3.1.0
info: { title: T, version: '1', x-agent: {} }
x-agent: { profiles: { explore: {} } }
x-other: { x-agent: { anything: true } }
paths:
  /a:
    x-agent: {}
    get:
      operationId: readA
      x-agent: {}
      parameters:
        - { name: q, in: query, x-agent: {}, schema: { type: array, x-agent: {}, items: { x-agent: {} } }, example: { x-agent: 1 } }
      responses:
        '200':
          x-agent: {}
          description: ok
          content: { application/json: { schema: { properties: { x-agent: { type: string, x-agent: { hint: ok } } }, default: { x-agent: 1 } } } }
${more}`

  it('is an error, unless it stands in data or in the extension of somebody else', async () => {
    expect(await findings(text(''))).toEqual([
      '2:33 error x-agent-misplaced /info/x-agent',
      '7:5 error x-agent-misplaced /paths/~1a/x-agent',
      '12:69 error x-agent-misplaced /paths/~1a/get/parameters/0/schema/x-agent',
      '12:91 error x-agent-misplaced /paths/~1a/get/parameters/0/schema/items/x-agent',
      '15:11 error x-agent-misplaced /paths/~1a/get/responses/200/x-agent'
    ])
  })

  it('includes webhooks and callbacks, whose operations are no tools', async () => {
    const found = await findings(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      callbacks: { done: { '{$url}': { post: { operationId: c, x-agent: {} } } } }
webhooks:
  w: { post: { operationId: w, x-agent: {}, parameters: [{ name: q, in: query, x-agent: { nme: x } }] } }
`)
    expect(found.map((f) => f.split(' ').slice(2).join(' '))).toEqual([
      'x-agent-misplaced /paths/~1a/get/callbacks/done/{$url}/post/x-agent',
      'x-agent-misplaced /webhooks/w/post/x-agent',
      'x-agent-unknown-field /webhooks/w/post/parameters/0/x-agent/nme'
    ])
  })

  it('is found wherever it was put by mistake', async () => {
    const found = await findings(`openapi: 3.1.0
info: { title: T, version: '1', contact: { x-agent: {} } }
paths:
  x-agent: {}
  /a:
    query: { operationId: q, x-agent: {} }
    get:
      operationId: a
      externalDocs: { url: x, x-agent: {} }
      responses:
        x-agent: {}
        '200': { description: ok, content: { x-agent: {}, text/plain: { examples: { one: { x-agent: {}, value: { x-agent: 1 } } } } } }
components:
  headers: { x-agent: { schema: { type: string } } }
  schemas: { x-agent: { type: string } }
`)
    expect(found.map((f) => f.split(' ').slice(2).join(' '))).toEqual(
      [
        '/info/contact/x-agent',
        '/paths/x-agent',
        '/paths/~1a/query/x-agent',
        '/paths/~1a/get/externalDocs/x-agent',
        '/paths/~1a/get/responses/x-agent',
        '/paths/~1a/get/responses/200/content/x-agent',
        '/paths/~1a/get/responses/200/content/text~1plain/examples/one/x-agent'
      ].map((path) => `x-agent-misplaced ${path}`)
    )
  })

  it('in text that does not parse is not judged by what is left of it', async () => {
    const found = await findings(operation('{ name: [a }').replace('{ name: [a }', '{ name: [a'))
    expect(found.some((f) => f.includes('x-agent-invalid-value'))).toBe(false)
    expect(found.some((f) => f.includes('yaml-syntax'))).toBe(true)
  })

  it('that follows another vocabulary is one finding, not one per field', async () => {
    const foreign = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: a, x-agent: { expose: true, effect: view, risk: 1 } } }
  /b: { get: { operationId: b, x-agent: { expose: true, effect: edit } } }
`
    const [finding, ...others] = await diagnosticsOf(foreign)
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: 'x-agent-foreign', path: ['paths', '/a', 'get', 'x-agent'] })
    expect(finding!.message).toContain('expose, effect, risk')
    expect(finding!.related).toHaveLength(1)
    // Where the document speaks this vocabulary elsewhere, they are mistakes.
    const own = foreign.replace('paths:', 'x-agent: { profiles: { explore: {} } }\npaths:')
    expect((await diagnosticsOf(own)).every((d) => d.rule === 'x-agent-unknown-field')).toBe(true)
  })
})

describe('profiles', () => {
  const withRoot = (root: string, annotation = '{}', tags = ''): string =>
    documentOf(`operationId: getItem\nsummary: Get.\nx-agent: ${annotation}`, { root, more: tags })

  it('may not include what nobody declares, nor each other', async () => {
    expect(
      await findings(
        withRoot(
          'profiles: { a: { includes: [b] }, b: { includes: [c] }, c: { includes: [b, d] }, e: { includes: [e] } }'
        )
      )
    ).toEqual([
      '4:62 error x-agent-profile-cycle /x-agent/profiles/b/includes',
      '4:87 error x-agent-undeclared-profile /x-agent/profiles/c/includes',
      '4:109 error x-agent-profile-cycle /x-agent/profiles/e/includes'
    ])
  })

  it('that a document names without declaring any are a warning, and select nothing by default', async () => {
    const text = documentOf('operationId: getItem\nx-agent: { profiles: [admin] }', { root: '' })
    expect((await diagnosticsOf(text)).map((d) => [d.severity, d.rule])).toEqual([
      ['warning', 'x-agent-undeclared-profile']
    ])
    expect((await toolSetOf(text)).tools).toEqual([])
    await expect(toolSetOf(text, { profile: 'admin' })).rejects.toThrow('The document declares none.')
    expect((await toolSetOf(text, { profile: 'admin', serviceId: 'shop' })).tools).toHaveLength(1)
  })

  it('that operations, tags and skills name must be declared', async () => {
    const found = await diagnosticsOf(
      withRoot(
        'profiles: { explore: {} }, skills: [{ name: s, description: d, profiles: [edit] }]',
        '{ profiles: [explore, exlpore] }',
        'tags: [{ name: T, x-agent: { profiles: [x] } }]'
      )
    )
    expect(found.map((d) => [d.rule, d.path.join('/'), d.within, d.suggestion])).toEqual([
      ['x-agent-undeclared-profile', 'x-agent/skills/0/profiles', [0], undefined],
      ['x-agent-undeclared-profile', 'paths//items/{id}/get/x-agent/profiles', [1], 'explore'],
      ['x-agent-undeclared-profile', 'tags/0/x-agent/profiles', [0], undefined]
    ])
  })
})

describe('cross-checks', () => {
  it('find operations without operationId, and two tools of one name', async () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
x-agent: { profiles: { a: {}, b: {}, c: { includes: [b] } } }
paths:
  /a: { get: { x-agent: {} } }
  /b: { get: { operationId: listLoans, x-agent: { profiles: [a] } } }
  /c: { get: { operationId: other, x-agent: { name: list_loans, profiles: [a] } } }
  /d: { get: { operationId: more, x-agent: { name: list_loans, profiles: [c] } } }
`
    expect(await findings(text)).toEqual([
      '5:16 error x-agent-missing-operation-id /paths/~1a/get/x-agent',
      '7:53 error x-agent-duplicate-tool-name /paths/~1c/get/x-agent/name',
      '8:52 warning x-agent-duplicate-tool-name /paths/~1d/get/x-agent/name'
    ])
  })

  it('find editors whose operations or bodies do not exist', async () => {
    const found = await findings(
      operation(
        '{ editor: { readOperation: getItme, schemaOperation: getItem } }',
        'requestBody: { content: { text/plain: {} } }'
      )
    )
    expect(found).toEqual([
      '10:43 error x-agent-editor-operation /paths/~1items~1{id}/get/x-agent/editor/readOperation',
      '11:33 error x-agent-editor-body /paths/~1items~1{id}/get/requestBody/content/text~1plain'
    ])
  })
})

describe('a definition that several operations share', () => {
  it('has its mistake reported once, where it is written', async () => {
    const found = await findings(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: a, x-agent: {}, parameters: [{ $ref: '#/components/parameters/Sort' }] } }
  /b: { get: { operationId: b, x-agent: {}, parameters: [{ $ref: '#/components/parameters/Sort' }] } }
components:
  parameters:
    Sort: { name: sort, in: query, schema: { type: array }, x-agent: { description: Comma-separated., note: x } }
`)
    expect(found).toEqual([
      '8:85 error comma-separated-array /components/parameters/Sort/x-agent/description',
      '8:103 error x-agent-unknown-field /components/parameters/Sort/x-agent/note'
    ])
  })
})

describe('OpenAPI versions', () => {
  it.each([
    ["swagger: '2.0'", '1:10 error openapi-version /swagger'],
    ["openapi: '4.0.0'", '1:10 error openapi-version /openapi'],
    ['openapi: 3.3.0', '1:10 error openapi-version /openapi'],
    ['openapi: 3.1', '1:10 warning openapi-version /openapi'],
    ['openapi: [3]', '1:10 error openapi-version /openapi'],
    ['info: {}', '1:1 error openapi-document '],
    ['just text', '1:1 error openapi-document '],
    ['', '1:1 error openapi-document ']
  ])('%s', async (text, finding) => {
    expect(await findings(text)).toEqual([finding])
  })
})

describe('localized text', () => {
  it('is that of the locale, else the first one declared', () => {
    expect(localizedText({ fr: 'a', en: 'b' }, 'en')).toBe('b')
    expect(localizedText({ fr: 'a', en: 'b' }, 'de')).toBe('a')
    expect(localizedText('c', 'de')).toBe('c')
    expect(localizedText({ toString: 'x' }, 'constructor')).toBe('x')
  })
})

describe('suggestions', () => {
  it.each([
    ['desciption', 'description'],
    ['read_only_hint', 'readOnlyHint'],
    ['desc', 'description'],
    ['tilte', 'title'],
    ['colour', undefined],
    ['x', undefined]
  ])('%s → %s', (name, meant) => {
    expect(nearest(name, ['description', 'title', 'name', 'readOnlyHint'])).toBe(meant)
  })
})
