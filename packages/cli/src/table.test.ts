import { expect, it } from 'vitest'
import { table, type Column } from './table.js'

const columns: Column[] = [
  { title: 'Input', most: 10 },
  { title: 'Type', most: 8 },
  { title: 'Limits' },
  { title: 'Description' }
]
const rows = [
  ['query', '"open" | "closed"', '', 'Words of the title or the author.'],
  ['日本', 'string', '', '']
]
const draw = (width: number, cells = rows): string =>
  table(columns, cells, width, (text) => text.toUpperCase()).join('\n')

it('wraps nothing without a width, and leaves out columns without text', () => {
  expect(draw(Infinity)).toMatchInlineSnapshot(`
    "INPUT  TYPE               DESCRIPTION
    query  "open" | "closed"  Words of the title or the author.
    日本   string"
  `)
})

it('wraps the description in its column', () => {
  expect(draw(45)).toMatchInlineSnapshot(`
    "INPUT  TYPE      DESCRIPTION
    query  "open" |  Words of the title or the
           "closed"  author.
    日本   string"
  `)
})

it('puts it below its row where it would be too narrow, and gives the room to the others', () => {
  expect(draw(30)).toMatchInlineSnapshot(`
    "INPUT  TYPE
    query  "open" | "closed"
        Words of the title or the
        author.
    日本   string"
  `)
})

it('does not do so with a short last column', () => {
  expect(draw(26, [['query', 'string', '', 'Words']])).toMatchInlineSnapshot(`
    "INPUT  TYPE    DESCRIPTION
    query  string  Words"
  `)
})
