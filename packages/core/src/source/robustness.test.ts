import { describe, expect, it } from 'vitest'
import { UsageError } from '../diagnostics.js'
import { createSession } from '../session.js'
import { parseDocument } from './document.js'
import { findings, memoryHost, sessionOf } from '../testing/documents.js'

/** A document in which every value may be replaced by an odd one. */
const PLACES = `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example', variables: { a: { default: b } } }]
tags: [{ name: Items, x-agent: { profiles: [explore] } }]
x-agent: { namePrefix: s_, profiles: { explore: { title: Explore, includes: [] } }, skills: [{ name: a, description: b }] }
paths:
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addItem
      summary: Add.
      tags: [Items]
      parameters: [{ name: q, in: query, schema: { type: array, items: { enum: [a] } }, x-agent: { description: Words. } }]
      x-agent: { name: add, params: { q: { enum: [a] } }, fixed: { q: a }, examples: [{ id: a }], response: { rows: /items, concise: [id] } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { n: { allOf: [{ type: string }] } }, required: [n] } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { type: object, properties: { id: { type: string, x-agent: { hint: h } } } } } } } } } } }
`

/** The paths of all values of a document. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function replaced(value: unknown, path: (string | number)[], odd: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return odd
  const copy: Record<string, unknown> = Array.isArray(value) ? (value.slice() as never) : { ...(value as object) }
  copy[first] = replaced(copy[first], rest, odd)
  return copy
}

const list: unknown[] = []
list.push(list)
const map: Record<string, unknown> = {}
map['a'] = map
map['$ref'] = map

describe('values that contain themselves, or are of another type, anywhere in a document', () => {
  const odd: [string, unknown][] = [
    ['a list in itself', list],
    ['an object in itself', map],
    ['nothing', null],
    ['a number', Infinity],
    ['an empty list', []],
    ['an empty object', {}],
    ['a reference to itself', { $ref: '#' }],
    ['text', '{}']
  ]
  it.each(odd)('%s', async (_, value) => {
    const { value: document } = await parseDocument('file:///api/openapi.yaml', PLACES)
    for (const path of pathsOf(document)) {
      const session = createSession(memoryHost({}))
      const source = session.add('file:///api/openapi.yaml', replaced(document, path, value))
      const { diagnostics } = await session.lint(source)
      expect(Array.isArray(diagnostics), path.join('/')).toBe(true)
      await session.info(source)
      await session.toolSet(source).catch((error: Error) => {
        expect(['DocumentError', 'UsageError'], `${path.join('/')}: ${error.stack}`).toContain(error.name)
      })
    }
  })
})

describe('odd text', () => {
  it.each([
    ['openapi: &a [*a]\n', ['1:13 error openapi-version /openapi']],
    ['{"swagger": {}}', ['1:13 error openapi-version /swagger']],
    ['? &a [*a]\n: 1\n', ['1:1 error openapi-document ', '1:6 error yaml-syntax ']],
    ['# nothing\n', ['1:1 error openapi-document ']],
    ['', ['1:1 error openapi-document ']],
    ['[1, 2]', ['1:1 error openapi-document ']]
  ])('%j', async (text, expected) => {
    const found = await findings(text)
    for (const line of expected) expect(found).toContain(line)
  })

  it('nested thousands of levels deep is said to be', async () => {
    const deep = (open: string, close: string): string => open.repeat(5000) + close.repeat(5000)
    for (const text of [`{"a":${deep('[', ']')}}`, deep('{"a":', '}').replace(':}', ':1}')]) {
      expect(await findings(text)).toContain('1:1 error json-syntax ')
    }
  })

  it('with thousands of syntax errors has the first few', async () => {
    const { diagnostics } = await parseDocument('file:///api/a.json', `[${'x,'.repeat(50_000)}]`)
    expect(diagnostics).toHaveLength(20)
  })
})

describe('what a document leads to on the web', () => {
  const main = (href: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
x-agent: { profiles: { explore: {} }, skills: [{ name: how, description: How., href: '${href}' }] }
paths:
  /a:
    get: { operationId: a, summary: A., x-agent: {}, parameters: [{ $ref: 'p.yaml' }], responses: { '200': { description: ok } } }
`
  const answer = (routes: Record<string, () => Response>): typeof fetch =>
    ((address: string) => Promise.resolve(routes[address]?.() ?? new Response('', { status: 404 }))) as typeof fetch
  const redirect = (location: string) => (): Response => new Response(null, { status: 302, headers: { location } })

  it('may redirect within its origin, and nowhere else', async () => {
    const routes = {
      'https://a.example/openapi.yaml': () => new Response(main('how.md')),
      'https://a.example/p.yaml': redirect('/moved.yaml'),
      'https://a.example/moved.yaml': () => new Response('name: q\nin: query\nschema: { type: string }\n'),
      'https://a.example/how.md': redirect('https://inside.example/secret'),
      'https://inside.example/secret': () => new Response('secret')
    }
    const session = createSession({ ...memoryHost({}), fetch: answer(routes) })
    const { toolSet } = await session.toolSet('https://a.example/openapi.yaml')
    expect(Object.keys(toolSet.tools[0]!.inputSchema['properties'] as object)).toEqual(['q'])
    expect(toolSet.skills[0]).toMatchObject({
      body: '',
      error:
        'https://a.example/how.md cannot be read: it redirects to https://inside.example/secret, and it leads to another origin (--allow-remote-refs allows that)'
    })
  })

  it('does not redirect for ever', async () => {
    const routes = {
      'https://a.example/openapi.yaml': () => new Response(main('how.md')),
      'https://a.example/p.yaml': redirect('/p.yaml')
    }
    const session = createSession({ ...memoryHost({}), fetch: answer(routes) })
    const { diagnostics } = await session.lint('https://a.example/openapi.yaml')
    expect(diagnostics.map((d) => d.message)).toEqual([
      '"p.yaml" cannot be read: https://a.example/p.yaml cannot be read: it redirects too often'
    ])
  })

  it('never shows a password of an address', async () => {
    const session = createSession({ ...memoryHost({}), fetch: answer({}) })
    await expect(session.open('https://me:secret@a.example/openapi.yaml')).rejects.toThrow(
      new UsageError('https://a.example/openapi.yaml cannot be read: HTTP 404')
    )
  })
})

describe('a session with open editors', () => {
  it('does not let a slow read of the disk undo what was typed', async () => {
    let finish = (_: string): void => {}
    const session = createSession({ readFile: () => new Promise<string>((resolve) => (finish = resolve)) })
    const opened = session.open('file:///api/openapi.yaml')
    session.setBuffer('file:///api/openapi.yaml', 'openapi: 3.1.0', 1)
    finish('openapi: 3.0.0')
    expect((await opened).text).toBe('openapi: 3.1.0')
  })

  it('bounds what a document may read by its own folder, whatever else is open', async () => {
    const refers = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { operationId: a, summary: A., x-agent: {}, parameters: [{ $ref: '../secret.yaml' }], responses: {} } } }
`
    const { session } = sessionOf({
      'deep/openapi.yaml': refers,
      'openapi.yaml': refers.replace('../', ''),
      'secret.yaml': '{}'
    })
    const rules = async (uri: string): Promise<string[]> => (await session.lint(uri)).diagnostics.map((d) => d.rule)
    expect(await rules('file:///api/openapi.yaml')).toEqual(['openapi-parameter'])
    expect(await rules('file:///api/deep/openapi.yaml')).toEqual(['forbidden-ref'])
  })
})
