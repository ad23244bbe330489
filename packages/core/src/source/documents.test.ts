import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { describe, expect, it } from 'vitest'
import { findings } from '../testing/documents.js'
import { parseDocument, type SourceDocument } from './document.js'
import { decodeText } from './text.js'

const yaml = (text: string): Promise<SourceDocument> => parseDocument('file:///d.yaml', text)
const json = (text: string): Promise<SourceDocument> => parseDocument('file:///d.json', text)

/** `line:character-line:character` of the value at a path. */
function rangeAt(document: SourceDocument, path: (string | number)[], on: 'key' | 'value' = 'value'): string {
  const located = document.locate(path)
  const span = on === 'key' ? located?.key : located?.value
  if (!span) return 'nowhere'
  const { start, end } = document.lines.rangeOf(span)
  return `${start.line}:${start.character}-${end.line}:${end.character}`
}

/** The text that a path covers. */
function textAt(
  document: SourceDocument,
  path: (string | number)[],
  on: 'key' | 'value' = 'value'
): string | undefined {
  const located = document.locate(path)
  const span = on === 'key' ? located?.key : located?.value
  return span && document.text!.slice(span.start, span.end)
}

describe('YAML values', () => {
  it('follow the 1.2 core schema: countries, switches and dates are text, keys are strings', async () => {
    const document = await yaml(
      'a: [NO, on, yes, 2026-01-31, 0x1f, 0o17, 1e3, .5, ~, true, "12", 012, !!str 7]\n200: ok\nnull: x\n'
    )
    expect(document.value).toEqual({
      a: ['NO', 'on', 'yes', '2026-01-31', 31, 15, 1000, 0.5, null, true, '12', 12, '7'],
      200: 'ok',
      null: 'x'
    })
    expect(document.diagnostics).toEqual([])
  })

  it('apply merge keys, the explicit key winning in either order', async () => {
    const document = await yaml(
      'base: &b { x: 1, y: 2 }\nlast: &c { y: 3, z: 4 }\nfirst: { <<: *b, y: 9 }\nafter: { y: 9, <<: *b }\nlist: { <<: [*c, *b] }\nquoted: { "<<": 1 }\n'
    )
    expect(document.value).toMatchObject({
      first: { x: 1, y: 9 },
      after: { y: 9, x: 1 },
      list: { x: 1, y: 3, z: 4 },
      quoted: { '<<': 1 }
    })
    expect(textAt(document, ['after', 'x'])).toBe('1')
  })

  it('share what an alias repeats, so that growth by aliases costs nothing', async () => {
    const lines = ['x0: &a0 [z, z]']
    for (let i = 1; i < 60; i++) lines.push(`x${i}: &a${i} [*a${i - 1}, *a${i - 1}]`)
    const document = await yaml(lines.join('\n'))
    const value = document.value as Record<string, unknown[]>
    expect(value['x59']![0]).toBe(value['x58'])
  })

  it('keep `__proto__` as a key like any other', async () => {
    const { value } = await yaml('__proto__: { polluted: true }\n')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('equal those of the `yaml` package for any JSON value, in any style', () => {
    const styles = [
      {},
      { defaultStringType: 'QUOTE_DOUBLE' },
      { collectionStyle: 'flow' },
      { lineWidth: 20 },
      { indent: 4 }
    ] as const
    return fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(...styles), async (value, style) => {
        const text = stringify({ value }, style as never)
        const document = await yaml(text)
        expect(document.diagnostics).toEqual([])
        expect(JSON.stringify(document.value)).toBe(JSON.stringify(parse(text)))
      }),
      { numRuns: 300 }
    )
  })

  it('equal those of the `yaml` package for the examples', async () => {
    for (const name of ['hello', 'bookshop']) {
      const text = readFileSync(new URL(`../../../../examples/${name}.yaml`, import.meta.url), 'utf8')
      expect((await yaml(text)).value).toEqual(parse(text, { merge: true }))
    }
  })
})

describe('what is wrong in a text', () => {
  const problems = (document: SourceDocument): string[] =>
    document.diagnostics.map((d) => {
      const start = document.rangeOf(d)!.start
      return `${start.line}:${start.character} ${d.rule} ${d.path.join('.')}`
    })

  it('is a finding, and the rest keeps its value and place', async () => {
    const document = await yaml('a: { b: 1 }\nc: "open\nd: 2\n')
    expect(problems(document)[0]).toMatch(/^[1-3]:\d+ yaml-syntax/)
    expect(document.value).toMatchObject({ a: { b: 1 } })
    expect(rangeAt(document, ['a', 'b'])).toBe('0:8-0:9')
    const tab = await yaml('a: 1\nb:\n\tc: 2\n')
    expect(problems(tab)[0]).toMatch(/^2:\d+ yaml-syntax/)
  })

  it('names both kinds of repeated keys at the later one, which counts', async () => {
    const block = await yaml('a:\n  b: 1\n  c: 2\n  b: 3\n')
    expect(problems(block)).toEqual(['3:2 duplicate-key a.b'])
    expect(block.value).toEqual({ a: { b: 3, c: 2 } })
    expect(rangeAt(block, ['a', 'b'])).toBe('3:5-3:6')
    const text = await json('{"a": [{"b": 1, "b": 2}], "c:d": ":", "a": 5}')
    expect(problems(text)).toEqual(['0:16 duplicate-key a.0.b', '0:38 duplicate-key a'])
    expect(rangeAt(text, ['a'])).toBe('0:43-0:44')
  })

  it('covers broken JSON, unknown aliases, merges of scalars and second documents', async () => {
    expect(problems(await json('{"a": 1,\n "b": }'))).toEqual(['1:6 json-syntax b'])
    expect(problems(await yaml('a: *nobody\n'))[0]).toMatch(/yaml-(alias|syntax)/)
    expect(problems(await yaml('a: { <<: 5 }\n'))).toEqual(['0:9 yaml-merge-key a'])
    expect(problems(await yaml('a: 1\n---\nb: 2\n'))).toEqual(['2:0 yaml-several-documents '])
    expect(problems(await json(''))).toEqual([])
  })

  it('never makes reading reject, whatever the text', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'{}[]:,"\'-# \n\ta1&*!|>?%<') }), async (text) => {
        for (const read of [yaml, json]) {
          const document = await read(text)
          for (const finding of document.diagnostics) expect(document.rangeOf(finding)).toBeDefined()
        }
      }),
      { numRuns: 1000 }
    ))

  it('does not exhaust the stack on absurd nesting', async () => {
    for (const text of ['['.repeat(50_000), `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, '- '.repeat(20_000)]) {
      await expect(yaml(text)).resolves.toBeDefined()
    }
  })
})

describe('positions', () => {
  it('count UTF-16 units and lines of any kind', async () => {
    const document = await yaml('a: "😀é"\r\nb: { title: "😀 x", nmae: rows }\r\n')
    expect(rangeAt(document, ['b', 'nmae'], 'key')).toBe('1:20-1:24')
    expect(rangeAt(document, ['a'])).toBe('0:3-0:8')
  })

  it('find every place of a document in YAML block, YAML flow and JSON', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
        fc.constantFrom('block', 'flow', 'json'),
        async (value, style) => {
          // In YAML that key merges.
          fc.pre(!JSON.stringify(value).includes('"<<"'))
          const text =
            style === 'json'
              ? JSON.stringify(value, null, 1)
              : stringify(value, { collectionStyle: style as 'block', lineWidth: 0 })
          const document = await parseDocument(style === 'json' ? 'file:///d.json' : 'file:///d.yaml', text)
          const plain = JSON.parse(JSON.stringify(value)) as unknown
          const visit = (inner: unknown, path: (string | number)[]): void => {
            const written = textAt(document, path)
            expect(written).toBeDefined()
            if (inner === null || typeof inner === 'boolean') expect(written).toBe(String(inner))
            if (typeof inner === 'number') expect(Number(written) === inner).toBe(true)
            if (inner === null || typeof inner !== 'object') return
            for (const [key, item] of Object.entries(inner))
              visit(item, [...path, Array.isArray(inner) ? Number(key) : key])
          }
          visit(plain, [])
        }
      ),
      { numRuns: 200 }
    ))

  it('of flow collections reach to their closing bracket', async () => {
    const document = await yaml('a: {b: [1, "]"], c: {}} # }\nd: [\n  x, # ]\n  y\n]\n')
    expect(textAt(document, ['a'])).toBe('{b: [1, "]"], c: {}}')
    expect(textAt(document, ['a', 'b'])).toBe('[1, "]"]')
    expect(textAt(document, ['a', 'c'])).toBe('{}')
    expect(textAt(document, ['d'])).toBe('[\n  x, # ]\n  y\n]')
    const nested = await yaml('a:\n  b: { c": [1] } # }\nd: 1\n')
    expect(textAt(nested, ['a'])).toBe('b: { c": [1] }')
  })

  it('lead through aliases and merges to where the text stands', async () => {
    const document = await yaml('base: &b\n  x: { deep: 1 }\nuse: *b\nmerged:\n  <<: *b\n')
    expect(rangeAt(document, ['use', 'x', 'deep'])).toBe('1:13-1:14')
    expect(rangeAt(document, ['merged', 'x', 'deep'])).toBe('1:13-1:14')
    expect(rangeAt(document, ['use'])).toBe('2:5-2:7')
  })

  it('fall back to the nearest place that exists, and to the key where a value is empty or long', async () => {
    const document = await yaml('a:\n  b:\n    - 1\n    - 2\n  c:\n')
    const at = (path: (string | number)[]): string => {
      const { start, end } = document.rangeOf({ path })!
      return `${start.line}:${start.character}-${end.line}:${end.character}`
    }
    expect(at(['a', 'b'])).toBe('1:2-1:3')
    expect(at(['a', 'c'])).toBe('4:2-4:3')
    expect(at(['a', 'nothing', 'here'])).toBe('0:0-0:1')
  })
})

describe('bytes', () => {
  it('may carry byte order marks, which count nowhere', async () => {
    const utf8 = decodeText(new TextEncoder().encode('\uFEFF\uFEFFa: é'))
    expect(utf8).toBe('a: é')
    const utf16 = Buffer.from('\uFEFFa: é', 'utf16le')
    expect(decodeText(utf16)).toBe('a: é')
    expect(() => decodeText(Uint8Array.of(0x61, 0xff, 0xff))).toThrow(TypeError)
  })
})

it('a mistake behind an anchor is one mistake, however many aliases lead to it', async () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
x-base: &base { desciption: Words. }
paths:
  /a: { get: { operationId: a, x-agent: *base, responses: {} } }
  /b: { get: { operationId: b, x-agent: { <<: *base, title: B }, responses: {} } }
`
  expect(await findings(text)).toEqual(['3:17 error x-agent-unknown-field /paths/~1a/get/x-agent/desciption'])
})
