import { describe, expect, it } from 'vitest'
import { createSession } from '../session.js'
import { diagnosticsOf, findings, sessionOf, toolOf } from '../testing/documents.js'

const document = (parameters: string, more = ''): string => `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {} } }
x-schemas:
  a/b: { type: integer, minimum: 1 }
  c%d: { type: integer, minimum: 2 }
  e~f: { type: integer, minimum: 3 }
paths:
  /items/{id}:
    get:
      operationId: getItem
      summary: Get.
      x-agent: {}
      parameters:
${parameters}
      responses: { '200': { description: ok } }
${more}`

describe('references', () => {
  it('decode pointers and percent-encoding, and a stray percent sign is itself', async () => {
    const { inputSchema } = await toolOf(
      document(`        - { name: a, in: query, schema: { $ref: '#/x-schemas/a~1b' } }
        - { name: b, in: query, schema: { $ref: '#/x-schemas/c%25d' } }
        - { name: c, in: query, schema: { $ref: '#/x-schemas/e~0f' } }
        - { name: d, in: query, schema: { $ref: '#/x-schemas/c%d' } }
        - { name: e, in: query, schema: { $ref: '#/paths/~1items~1%7Bid%7D/get/parameters/0/schema' } }`)
    )
    const minimum = Object.values(inputSchema['properties'] as Record<string, { minimum: number }>).map(
      (p) => p.minimum
    )
    expect(minimum).toEqual([1, 2, 3, 2, 1])
  })

  it('that lead nowhere are findings where they stand', async () => {
    expect(
      await findings(
        document(
          `        - { name: a, in: query, schema: { $ref: '#/x-schemas/gone' } }
        - { $ref: '#/components/parameters/loop' }`,
          `components:
  parameters:
    loop: { $ref: '#/components/parameters/loop' }`
        )
      )
    ).toEqual([
      '15:49 error unresolved-ref /paths/~1items~1{id}/get/parameters/0/schema/$ref',
      '16:19 error circular-ref /paths/~1items~1{id}/get/parameters/1/$ref'
    ])
  })

  it('reach other files, and findings in them stand there', async () => {
    const files = {
      'openapi.yaml': document(`        - { $ref: 'shared/parameters.yaml#/size' }`),
      'shared/parameters.yaml': `size:
  name: size
  in: query
  schema: { $ref: '../schemas.json#/size' }
  x-agent: { maxmum: 5 }
`,
      'schemas.json': '{ "size": { "type": "integer", "x-unused": { "$ref": "nowhere.json" } } }'
    }
    expect(await findings(files)).toEqual([
      'shared/parameters.yaml:5:14 error x-agent-unknown-field /size/x-agent/maxmum'
    ])
    files['shared/parameters.yaml'] = files['shared/parameters.yaml'].replace('maxmum', 'maximum')
    expect((await toolOf(files)).inputSchema['properties']).toEqual({ size: { type: 'integer', maximum: 5 } })
  })

  it('stay below the root folder unless that is widened', async () => {
    const files = {
      'docs/openapi.yaml': document(`        - { $ref: '../outside.yaml' }`),
      'outside.yaml': 'name: q\nin: query\n'
    }
    const [finding] = await diagnosticsOf(files)
    expect(finding).toMatchObject({ rule: 'forbidden-ref', severity: 'error' })
    expect(finding!.message).toContain('--root')
    const { session } = sessionOf(files)
    const wider = createSession(session.workspace.host, { root: 'file:///api/' })
    expect((await wider.lint('file:///api/docs/openapi.yaml')).diagnostics).toEqual([])
  })

  it('from the web reach their own origin only, and never local files', async () => {
    const asked: string[] = []
    const session = createSession({
      readFile: () => Promise.reject(new Error('must not be read')),
      fetch: (input) => {
        asked.push(String(input))
        const text = String(input).endsWith('openapi.yaml')
          ? document(`        - { $ref: 'p.yaml' }
        - { $ref: 'https://other.example/p.yaml' }
        - { $ref: 'file:///etc/passwd' }`)
          : 'name: q\nin: query\n'
        return Promise.resolve(new Response(text))
      }
    })
    const { diagnostics } = await session.lint('https://api.example/docs/openapi.yaml')
    expect(asked).toEqual(['https://api.example/docs/openapi.yaml', 'https://api.example/docs/p.yaml'])
    expect(diagnostics.map((d) => `${d.rule} ${d.path.at(-2)}`)).toEqual(['forbidden-ref 1', 'forbidden-ref 2'])
  })

  it('are followed only where an annotation leads', async () => {
    const read: string[] = []
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { parameters: [{ $ref: 'a.yaml' }], responses: { '200': { $ref: 'b.yaml' } } } }
components: { schemas: { S: { $ref: 'c.yaml' } } }
`
    const session = createSession({ readFile: (uri) => (read.push(uri), Promise.resolve(text)) })
    expect((await session.lint('file:///api/openapi.yaml')).diagnostics).toEqual([])
    expect(read).toEqual(['file:///api/openapi.yaml'])
  })

  it('to a path item make its operations part of the document', async () => {
    const files = {
      'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { $ref: 'items.yaml#/paths/~1a' }
  /b: { $ref: '#/components/pathItems/b' }
components:
  pathItems:
    b: { get: { operationId: readB, x-agent: { naem: b } } }
    unused: { get: { operationId: unused, x-agent: {} } }
`,
      'items.yaml': `paths:
  /a:
    parameters: [{ name: q, in: query, x-agent: { maximum: ten } }]
    get: { operationId: readA, x-agent: {} }
`
    }
    expect(await findings(files)).toEqual([
      'items.yaml:3:60 error x-agent-invalid-value /paths/~1a/parameters/0/x-agent/maximum',
      '8:48 error x-agent-unknown-field /components/pathItems/b/get/x-agent/naem',
      '9:43 error x-agent-misplaced /components/pathItems/unused/get/x-agent'
    ])
  })
})

describe('a session', () => {
  it('prefers open buffers to files, and forgets when told', async () => {
    const files = { 'openapi.yaml': document('        []') }
    const { session, main } = sessionOf(files)
    expect((await session.lint(main)).diagnostics).toEqual([])
    session.setBuffer(main, 'openapi: 2.9.0\n', 3)
    expect((await session.lint(main)).diagnostics.map((d) => d.rule)).toEqual(['openapi-version'])
    session.closeBuffer(main)
    expect((await session.lint(main)).diagnostics).toEqual([])
    files['openapi.yaml'] = ''
    expect((await session.lint(main)).diagnostics).toEqual([])
    session.invalidate()
    expect((await session.lint(main)).diagnostics.map((d) => d.rule)).toEqual(['openapi-document'])
  })

  it('asks the web again only for what has changed', async () => {
    const asked: (string | null)[] = []
    const text = document('        []')
    const session = createSession({
      readFile: () => Promise.reject(new Error('must not be read')),
      fetch: (_, init) => {
        asked.push(new Headers(init?.headers).get('if-none-match'))
        return Promise.resolve(
          asked.at(-1) === '"1"'
            ? new Response(null, { status: 304 })
            : new Response(text, { headers: { etag: '"1"' } })
        )
      }
    })
    const first = await session.open('https://api.example/openapi.yaml')
    session.invalidate()
    expect(await session.open('https://api.example/openapi.yaml')).toBe(first)
    expect(asked).toEqual([null, '"1"'])
  })

  it('says which files it used, missing ones too', async () => {
    const { session, main } = sessionOf({ 'openapi.yaml': document(`        - { $ref: 'later.yaml' }`) })
    expect((await session.lint(main)).documents).toEqual([main, 'file:///api/later.yaml'])
  })
})
