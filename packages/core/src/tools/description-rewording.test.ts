import { describe, expect, it } from 'vitest'
import { diagnosticsOf, documentOf } from '../testing/documents.js'
import { withEdits } from '../source/text.js'

/** A description of a parameter with the words that its only finding proposes, or undefined where it proposes none. */
async function mended(description: string, schema = '{ type: array, items: { type: string } }') {
  const found = await diagnosticsOf(
    documentOf(`operationId: getItem
x-agent: { params: { q: { description: ${JSON.stringify(description)} } } }
parameters: [{ name: q, in: query, schema: ${schema} }]`)
  )
  expect(found).toHaveLength(1)
  const { rewording } = found[0]!
  return rewording && withEdits(description, rewording)
}

describe('an array instead of a scalar example', () => {
  it.each([
    ['Sort keys, e.g. "-size".', 'Sort keys, e.g. ["-size"].'],
    ["One of '-size' and “size”.", 'One of ["-size"] and ["size"].'],
    ['Sort keys, e.g. "-size, title".', 'Sort keys, e.g. ["-size", "title"].'],
    ['Words, e.g. "red, a bit of blue".', 'Words, e.g. ["red, a bit of blue"].']
  ])('%s', async (description, expected) => {
    expect(await mended(description)).toBe(expected)
  })
})

describe('a list instead of a text with commas', () => {
  it.each([
    ['Comma-separated list of fields.', 'List of fields.'],
    ['Fields as a comma-separated list.', 'Fields as a list.'],
    ['Fields as a comma separated string.', 'Fields as a list.'],
    ['A comma-delimited string of ids.', 'A list of ids.'],
    ['Comma-separated fields.', 'List of fields.'],
    ['COMMA separated `id`s.', 'List of `id`s.'],
    ['Fields (comma-separated).', 'Fields (as a list).'],
    ['Fields, separated by commas.', 'Fields, as a list.'],
    ['Fields separated by commas, in order', 'Fields as a list, in order'],
    ['List of fields, comma-separated.', 'List of fields.'],
    ['List of fields (comma-separated).', 'List of fields.'],
    ['Liste de champs séparés par des virgules.', 'Liste de champs.'],
    ['Champs séparés par des virgules.', undefined],
    ['Comma-separated.', undefined],
    ['Comma-separated and sorted.', undefined],
    ['Comma-separated ids. Comma-separated and sorted.', undefined]
  ])('%s', async (description, expected) => {
    expect(await mended(description)).toBe(expected)
  })
})

describe('a value that the enum allows', () => {
  const schema = '{ type: string, enum: [newest, oldest] }'

  it.each([
    ['Use "newst" or “newst”.', 'Use "newest" or “newest”.'],
    ['Use \'newst\' or "oldst".', 'Use \'newest\' or "oldest".'],
    ['Use "newst" or "price".', undefined]
  ])('%s', async (description, expected) => {
    expect(await mended(description, schema)).toBe(expected)
  })
})
