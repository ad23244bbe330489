import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonPath } from '../diagnostics.js'
import { parseDocument } from './document.js'
import { createEditor, type DocumentEditor } from './edits.js'
import { withEdits, type TextEdit } from './text.js'

async function edited(
  text: string,
  change: (editor: DocumentEditor) => TextEdit[] | undefined
): Promise<string | undefined> {
  const document = await parseDocument('file:///a.yaml', text)
  expect(document.diagnostics).toEqual([])
  const edits = change(createEditor(document))
  return edits && withEdits(text, edits)
}

describe('a key gets another name', () => {
  it.each([
    ['a: 1 # c\n', ['a'], 'b', 'b: 1 # c\n'],
    ['"a": 1\n', ['a'], 'b', '"b": 1\n'],
    ["'a': 1\n", ['a'], "b's", "'b''s': 1\n"],
    ['x: { a: 1, c: 2 }\n', ['x', 'a'], 'b,c', "x: { 'b,c': 1, c: 2 }\n"],
    ['{ "a": 1 }', ['a'], 'b"', '{ "b\\"": 1 }'],
    ['a: 1\r\nb: 2\r\n', ['a'], 'true', "'true': 1\r\nb: 2\r\n"],
    ['- a: 1\n  b: 2\n', [0, 'a'], 'c', '- c: 1\n  b: 2\n']
  ] as [string, JsonPath, string, string][])('%j', async (text, path, name, expected) =>
    expect(await edited(text, (e) => e.renameKey(path, name))).toBe(expected)
  )
})

describe('a scalar is replaced, quotes kept', () => {
  it.each([
    ['a: x # c\n', ['a'], 'w', 'a: w # c\n'],
    ['a: "x"\n', ['a'], 'y "z"', 'a: "y \\"z\\""\n'],
    ["a: 'x'\n", ['a'], "it's", "a: 'it''s'\n"],
    ['a: x\n', ['a'], 'y: z', "a: 'y: z'\n"],
    ['a: [x, y]\n', ['a', 1], 'p, q', "a: [x, 'p, q']\n"],
    ['a: x\n', ['a'], 'no', "a: 'no'\n"],
    ['a: x\n', ['a'], '1.0', "a: '1.0'\n"],
    ['a:\n', ['a'], 'x', 'a: x\n'],
    ['a: "yes"\n', ['a'], true, 'a: true\n'],
    ['{"a":"x"}', ['a'], 'y', '{"a":"y"}']
  ] as [string, JsonPath, string | boolean, string][])('%j', async (text, path, value, expected) =>
    expect(await edited(text, (e) => e.replaceScalar(path, value))).toBe(expected)
  )

  it.each([
    ['a: &x 1\nb: *x\n', ['b']],
    ['a: &x { k: 1 }\nb: *x\n', ['b', 'k']],
    ['a: &x { k: 1 }\nb: { <<: *x }\n', ['b', 'k']],
    ['a: |\n  x\n', ['a']],
    ['a: { b: 1 }\n', ['a']]
  ] as [string, JsonPath][])('but not %j', async (text, path) =>
    expect(await edited(text, (e) => e.replaceScalar(path, 'y'))).toBeUndefined()
  )
})

describe('words in a text are replaced', () => {
  const words = (value: string, old: string, text: string): { start: number; end: number; text: string }[] => {
    const start = value.indexOf(old)
    return [{ start, end: start + old.length, text }]
  }
  it.each([
    ['a: one two\n', 'one two', 'two', '[2]', 'a: one [2]\n'],
    ['a: "one \\"two\\""\n', 'one "two"', '"two"', '["two"]', 'a: "one [\\"two\\"]"\n'],
    ['a: |\n  one\n  "two"\n', 'one\n"two"\n', '"two"', '["two"]', 'a: |\n  one\n  ["two"]\n'],
    ['a: >-\n  one\n  two\n', 'one two', 'two', 'three', 'a: >-\n  one\n  three\n']
  ])('%j', async (text, value, old, by, expected) =>
    expect(await edited(text, (e) => e.replaceInScalar(['a'], words(value, old, by)))).toBe(expected)
  )

  it('but not across a line break', async () => {
    const change = (e: DocumentEditor): TextEdit[] | undefined =>
      e.replaceInScalar(['a'], words('one two', 'one two', 'x'))
    expect(await edited('a: >-\n  one\n  two\n', change)).toBeUndefined()
  })

  it('and with nothing that would end a text without quotes', async () => {
    const change = (e: DocumentEditor): TextEdit[] | undefined =>
      e.replaceInScalar(['a'], words('one two', 'two', 'two: 2'))
    expect(await edited('a: one\n  two\n', change)).toBeUndefined()
  })
})

describe('a member goes', () => {
  it.each([
    ['a: 1 # one\nb: 2\n', ['a'], 'b: 2\n'],
    ['a: 1\nb: 2 # two\n# end\n', ['b'], 'a: 1\n# end\n'],
    ['a: 1\nb:\n  c: 1\n\n  d: 2\ne: 3\n', ['b'], 'a: 1\ne: 3\n'],
    ['a: 1\nb:\n', ['b'], 'a: 1\n'],
    ['a: 1\r\nb: 2\r\n', ['a'], 'b: 2\r\n'],
    ['a: 1\nb: |\n  x\n  y\nc: 2\n', ['b'], 'a: 1\nc: 2\n'],
    ['x:\n  a: 1\ny: 2\n', ['x', 'a'], 'x:\n  {}\ny: 2\n'],
    ['- a: 1\n  b: 2\n', [0, 'a'], '- b: 2\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', ['x', 'a'], 'x: { b: 2, c: 3 }\n'],
    ['x: { a: 1, b: 2, c: 3 }\n', ['x', 'c'], 'x: { a: 1, b: 2 }\n'],
    ['x: { a: 1 }\n', ['x', 'a'], 'x: {}\n'],
    ['{\n  "a": 1,\n  "b": 2\n}\n', ['b'], '{\n  "a": 1\n}\n'],
    ['{\n  "a": 1,\n  "b": 2\n}\n', ['a'], '{\n  "b": 2\n}\n'],
    ['a: 1\nb: 2', ['b'], 'a: 1'],
    ['x:\n  a: |\n    text\ny: 2\n', ['x', 'a'], 'x:\n  {}\ny: 2\n']
  ] as [string, JsonPath, string][])('%j', async (text, path, expected) =>
    expect(await edited(text, (e) => e.removeMember(path))).toBe(expected)
  )
})

describe('an element goes', () => {
  it.each([
    ['a: [x, y]\n', ['a', 0], 'a: [y]\n'],
    ['a: [x, y]\n', ['a', 1], 'a: [x]\n'],
    ['a: [x]\n', ['a', 0], 'a: []\n'],
    ['a:\n  - x # one\n  - y\n', ['a', 0], 'a:\n  - y\n'],
    ['a:\n- x\n- y: 1\n  z: 2\nb: 3\n', ['a', 1], 'a:\n- x\nb: 3\n'],
    ['a:\n  - x\n', ['a', 0], 'a:\n  []\n']
  ] as [string, JsonPath, string][])('%j', async (text, path, expected) =>
    expect(await edited(text, (e) => e.removeElement(path))).toBe(expected)
  )
})

describe('a member comes', () => {
  it.each([
    ['a: 1 # one\n# end\n', ['b'], 2, 'a: 1 # one\nb: 2\n# end\n'],
    ['x:\n  a: 1\ny: 2\n', ['x', 'b'], {}, 'x:\n  a: 1\n  b: {}\ny: 2\n'],
    ['x: {}\n', ['x', 'b', 'c'], true, 'x: { b: { c: true } }\n'],
    ['x:\ny: 1\n', ['x', 'b'], 'v', 'x: { b: v }\ny: 1\n'],
    ['x: # why\ny: 1\n', ['x', 'b'], 'v', 'x: { b: v } # why\ny: 1\n'],
    ['x: { a: 1 }\n', ['x', 'b'], 'p, q', "x: { a: 1, b: 'p, q' }\n"],
    ['{"a":1}', ['b', 'c'], [1], '{"a":1,"b": { "c": [1] }}'],
    ['{\n  "a": {\n    "b": 1\n  }\n}\n', ['a', 'c'], 'x', '{\n  "a": {\n    "b": 1,\n    "c": "x"\n  }\n}\n'],
    ['a: 1\r\nx:\r\n  b: 1\r\n', ['x', 'c'], 2, 'a: 1\r\nx:\r\n  b: 1\r\n  c: 2\r\n'],
    ['a: |\n  text\n', ['b'], 1, 'a: |\n  text\nb: 1\n'],
    ['a: 1', ['a'], 2, 'a: 2'],
    ['- a: 1\n', [0, 'b'], 2, '- a: 1\n  b: 2\n']
  ] as [string, JsonPath, unknown, string][])('%j', async (text, path, value, expected) =>
    expect(await edited(text, (e) => e.setMember(path, value))).toBe(expected)
  )
})

describe('whatever the style', () => {
  type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
  const key = fc.constantFrom('a', 'b', 'c key', "d'e", 'f"g', 'true', '1')
  const scalar = fc.oneof(
    fc.constantFrom<Value>('x', 'no', 'a: b', '# c', "it's", 'p, q', '', 'Ünïcode 😀'),
    fc.integer(),
    fc.boolean()
  )
  const { tree } = fc.letrec<{ tree: Value; object: { [key: string]: Value } }>((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('tree'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(key, tie('tree'), { maxKeys: 4 })
  }))

  /** Writes a value in block style with comments, flow style below a depth. */
  function yaml(value: Value, indent: string, flowBelow: number): string {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (typeof value !== 'object' || value === null || isEmpty || flowBelow <= 0) return ` ${JSON.stringify(value)}`
    const inner = `${indent}  `
    if (Array.isArray(value)) return value.map((item) => `\n${inner}-${yaml(item, inner, 0)} # c`).join('')
    return Object.entries(value)
      .map(([name, item]) => `\n${inner}${JSON.stringify(name)}:${yaml(item, inner, flowBelow - 1)}`)
      .join('')
  }

  const pathsOf = (value: unknown): JsonPath[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.keys(value).flatMap((name) => {
          const segment = Array.isArray(value) ? Number(name) : name
          return [[segment], ...pathsOf((value as Record<string, unknown>)[name]).map((rest) => [segment, ...rest])]
        })

  /** The change on the value itself. */
  function changed(
    value: Value,
    path: JsonPath,
    change: (holder: Record<string, Value>, last: string | number) => void
  ): Value {
    const copy = structuredClone(value)
    const holder = path.slice(0, -1).reduce<Value>((at, segment) => (at as Record<string, Value>)[segment]!, copy)
    change(holder as Record<string, Value>, path.at(-1)!)
    return copy
  }

  it('the edited text reads as the edited value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(key, tree, { minKeys: 1, maxKeys: 4 }),
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        fc.nat(),
        fc.constantFrom('remove', 'replace', 'rename', 'set'),
        async (value, depth, isWindows, nth, kind) => {
          const block = yaml(value, '  ', depth)
            .replace(/^\n|^ /, '')
            .replace(/^ {4}/gm, '')
          const text = isWindows ? block.replaceAll('\n', '\r\n') : block
          const document = await parseDocument('file:///a.yaml', text)
          expect(document.value, text).toEqual(value)
          const paths = pathsOf(value)
          const path = paths[nth % paths.length]!
          const editor = createEditor(document)
          const isMember = typeof path.at(-1) === 'string'
          const current = path.reduce<unknown>((at, segment) => (at as Record<string, unknown>)[segment], value)
          let edits: TextEdit[] | undefined
          let expected: Value
          if (kind === 'remove') {
            edits = isMember ? editor.removeMember(path) : editor.removeElement(path)
            expected = changed(value, path, (holder, last) =>
              Array.isArray(holder) ? void holder.splice(Number(last), 1) : void delete holder[last]
            )
          } else if (kind === 'replace') {
            if (typeof current === 'object') return
            edits = editor.replaceScalar(path, 'new: # value')
            expected = changed(value, path, (holder, last) => void (holder[last] = 'new: # value'))
          } else if (kind === 'rename') {
            if (!isMember) return
            edits = editor.renameKey(path, 'renamed: [key')
            expected = changed(value, path, (holder, last) => {
              holder['renamed: [key'] = holder[last]!
              delete holder[last]
            })
          } else {
            if (typeof current !== 'object' || current === null || Array.isArray(current)) return
            edits = editor.setMember([...path, 'added', 'deep'], { k: ['v, w', 1] })
            expected = changed(
              value,
              [...path, 'added'],
              (holder, last) => void (holder[last] = { deep: { k: ['v, w', 1] } })
            )
          }
          expect(edits, text).toBeDefined()
          const after = edits!
            .toSorted((a, b) => b.start - a.start)
            .reduce((rest, edit) => rest.slice(0, edit.start) + edit.text + rest.slice(edit.end), text)
          const read = await parseDocument('file:///a.yaml', after)
          expect(read.diagnostics, `${kind} ${path.join('/')}\n${text}\n---\n${after}`).toEqual([])
          expect(read.value, `${kind} ${path.join('/')}\n${text}\n---\n${after}`).toEqual(expected)
        }
      ),
      { numRuns: 400 }
    )
  })
})
