// No rule fails on a value that is of another type, or contains itself, anywhere in a document.
import { createSession, parseDocument } from '@openapi-mcp/core'
import { CLIENT_IDS, lintDocument } from '@openapi-mcp/rules'
import { expect, it } from 'vitest'

const DOCUMENT = `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example' }]
tags: [{ name: Items, x-agent: { profiles: [explore], skill: { en: Items., fr: Articles. } } }]
x-agent: { namePrefix: s_, profiles: { explore: { title: Explore, includes: [] } }, skills: [{ name: a, description: b, tools: [add] }] }
paths:
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addItem
      summary: Add.
      tags: [Items]
      parameters: [{ name: q, in: query, description: Words., required: true, schema: { type: array, minItems: 1, items: { enum: [a], minimum: 1 } }, x-agent: { description: Words., default: [a] } }]
      x-agent: { name: add, title: { en: Add }, params: { q: { enum: [a], maximum: 3, default: a, exclude: false } }, fixed: { id: a, n: x }, examples: [{ q: [a] }], response: { rows: /items, concise: [id], selectParam: q }, annotations: { destructiveHint: false }, body: compact, bodyFields: [n] }
      requestBody: { content: { application/json: { schema: { type: object, properties: { n: { allOf: [{ type: string }] } }, required: [n] } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { type: object, properties: { id: { type: string, x-agent: { hint: h } } } } } } } } } } }
`

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
map['properties'] = { p: map }
map['items'] = map

it.each<[string, unknown]>([
  ['a list in itself', list],
  ['an object in itself', map],
  ['nothing', null],
  ['a number', 3],
  ['an empty list', []],
  ['an empty object', {}],
  ['a list of nothing', [null, 1, 'x']],
  ['a reference to itself', { $ref: '#' }],
  ['text', 'x'],
  ['true', true]
])('%s', async (_, odd) => {
  const { value } = await parseDocument('file:///api/openapi.yaml', DOCUMENT)
  for (const path of pathsOf(value)) {
    const session = createSession({ readFile: () => Promise.reject(new Error('no files')) })
    const source = session.add('file:///api/openapi.yaml', replaced(value, path, odd))
    const linted = lintDocument(session, source, { clients: CLIENT_IDS })
    await expect(linted, path.join('/')).resolves.toBeDefined()
  }
})
