import type { Tool } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import { argumentsOf, badgesOf, profileWords, responseWords, unsetHintsOf } from './preview-words.js'

const tool = (over: Partial<Tool>): Tool => ({
  name: 'list_items',
  description: 'List.',
  inputSchema: { type: 'object', properties: {} },
  annotations: {},
  execute: () => Promise.resolve({ text: '' }),
  buildRequest: () => Promise.reject(new Error('not here')),
  profiles: true,
  operation: { method: 'get', path: '/items', operationId: 'listItems', tags: [] },
  arguments: {},
  response: { markdown: false, hints: false },
  source: { uri: 'file:///a.yaml', path: [] },
  ...over
})

describe('the limits of an argument', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 100 }, '1…100'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 5, multipleOf: 0.5 }, '≤ 5, > 0, multiple of 0.5'],
    [{ type: 'string', minLength: 1 }, '≥ 1 character'],
    [{ type: 'string', minLength: 0, maxLength: 50 }, '≤ 50 characters'],
    [{ type: 'string', minLength: 2, maxLength: 2, pattern: '^[a-z]+$' }, '2 characters, pattern ^[a-z]+$'],
    [{ type: 'string', format: 'date-time' }, 'date-time'],
    [
      { type: 'array', maxItems: 3, uniqueItems: true, items: { maxLength: 9 } },
      '≤ 3 items, no duplicates, ≤ 9 characters'
    ],
    [{ type: ['array', 'null'], items: { minimum: 1 } }, '≥ 1'],
    [{ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] }, '≤ 5 characters'],
    [{ type: 'object', minProperties: 1 }, '≥ 1 property'],
    [{ type: 'string' }, '']
  ])('%j', (schema, limits) => {
    expect(argumentsOf(tool({ inputSchema: { type: 'object', properties: { a: schema } } }))[0]!.limits).toBe(limits)
  })
})

it('hints: those that are known, and those that are not and matter', () => {
  const hints = (annotations: Tool['annotations']): [string[], string[]] => [
    badgesOf(tool({ annotations })),
    unsetHintsOf(tool({ annotations }))
  ]
  expect(hints({ readOnlyHint: true })).toEqual([['read-only'], ['open world']])
  expect(hints({ readOnlyHint: false, destructiveHint: true, openWorldHint: false })).toEqual([
    ['destructive', 'closed world'],
    ['idempotent']
  ])
  expect(hints({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true })).toEqual([
    ['writes', 'idempotent', 'open world'],
    []
  ])
})

it('profiles with all that they include, cycles or not', () => {
  const declared = [
    { name: 'explore', includes: [] },
    { name: 'edit', includes: ['explore'] },
    { name: 'admin', includes: ['edit'] },
    { name: 'a', includes: ['b'] },
    { name: 'b', includes: ['a'] }
  ]
  expect(profileWords(['admin'], declared)).toBe('admin (with edit, explore)')
  expect(profileWords(['explore', 'a'], declared)).toBe('explore, a (with b)')
})

it('how a response is shown', () => {
  const words = (response: Partial<Tool['response']>, over: Partial<Tool> = {}): string =>
    responseWords(tool({ response: { markdown: false, hints: false, ...response }, ...over })).join(' ')
  expect(words({})).toBe('Every field.')
  expect(words({ concise: ['id', 'name'] })).toBe('The fields id, name.')
  expect(words({ rows: 'items', hints: true })).toBe(
    'A table of `items`, every field. Hints of the API follow as footnotes.'
  )
  expect(words({ markdown: true })).toBe('Markdown of the API, passed through untouched.')
  expect(
    words(
      { rows: 'items', concise: ['id'], detailed: ['id', 'name'], selectParam: 'select' },
      {
        arguments: {
          response_format: { kind: 'responseFormat' },
          fields: {
            kind: 'fields',
            joined: true,
            parameter: { name: 'select', in: 'query', style: 'form', explode: false, allowReserved: false }
          }
        }
      }
    )
  ).toBe(
    'A table of `items`, with id. `response_format: detailed` shows id, name. `fields` chooses the fields, through `select` of the API.'
  )
})
