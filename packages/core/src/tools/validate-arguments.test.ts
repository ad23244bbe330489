import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from './types.js'
import { createValidator, formatErrors, isLinearPattern, matchesPattern } from './validate-arguments.js'

/** The findings as one reads them, or the value. */
function check(schema: JsonSchema, value: unknown): unknown {
  const result = createValidator(schema)(value)
  return 'errors' in result ? result.errors.map((e) => `${e.path} ${e.message} (${e.keyword})`) : result.value
}

const objectOf = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more
})

describe('a value that fits', () => {
  it('comes back with its defaults, and is not changed itself', () => {
    const schema = objectOf({
      size: { type: 'integer', default: 12 },
      sort: { type: 'object', properties: { by: { default: 'name' } } }
    })
    const value = { sort: { desc: true }, list: [{ a: 1 }] }
    const before = structuredClone(value)
    expect(check(schema, value)).toEqual({ sort: { desc: true, by: 'name' }, list: [{ a: 1 }], size: 12 })
    expect(value).toEqual(before)
  })

  it('is a copy, also where nothing is filled in', () => {
    const value = { list: [{}] }
    const copy = check({}, value) as typeof value
    expect(copy).toEqual(value)
    expect(copy.list[0]).not.toBe(value.list[0])
  })

  it('has no defaults where they are not wanted', () => {
    expect(createValidator(objectOf({ a: { default: 1 } }), { useDefaults: false })({})).toEqual({ value: {} })
  })

  it('is never made to fit', () => {
    expect(check(objectOf({ a: { type: 'integer' } }), { a: '9' })).toEqual(['/a must be integer, got string (type)'])
    expect(check(objectOf({ a: { type: 'array' } }), { a: 'x' })).toEqual(['/a must be array, got string (type)'])
    expect(check(objectOf({ a: { type: 'string' } }), { a: null })).toEqual(['/a must be string, got null (type)'])
    expect(check(objectOf({ a: { type: 'boolean' } }), { a: 1 })).toEqual(['/a must be boolean, got 1 (type)'])
  })

  it('may have a property called as one of every object is', () => {
    const schema = objectOf({ constructor: { type: 'string' } }, { required: ['toString'] })
    expect(check(schema, {})).toEqual([' "toString" is required (required)'])
    expect(check(schema, { toString: 1, constructor: 'x' })).toEqual({ toString: 1, constructor: 'x' })
    const value = JSON.parse('{"__proto__": {"a": 1}}') as object
    expect(JSON.stringify(check({}, value))).toBe('{"__proto__":{"a":1}}')
  })
})

describe('an offence has its place, keyword and reason', () => {
  it.each<[string, JsonSchema, unknown, string[]]>([
    ['type', { type: 'integer' }, 1.5, [' must be integer, got 1.5 (type)']],
    ['several types', { type: ['string', 'null'] }, [], [' must be string or null, got array (type)']],
    ['enum', { enum: ['a', 'b'] }, 'c', [' must be one of "a", "b", got "c" (enum)']],
    ['enum of one', { enum: ['a'] }, 'c', [' must be "a", got "c" (enum)']],
    ['const', { const: { a: 1 } }, 'c', [' must be {"a":1}, got "c" (const)']],
    ['required', objectOf({ a: objectOf({}, { required: ['b'] }) }), { a: {} }, ['/a "b" is required (required)']],
    [
      'several required',
      { type: 'object', required: ['a', 'b__body'] },
      {},
      [' "a" is required (required)', ' "b__body" is required (required)']
    ],
    [
      'additionalProperties',
      objectOf({ colour: {}, size: {} }, { additionalProperties: false }),
      { color: 1 },
      [' "color" is no known property; did you mean "colour"? (additionalProperties)']
    ],
    [
      'additionalProperties, nothing near',
      objectOf({ colour: {}, size: {} }, { additionalProperties: false }),
      { weight: 1 },
      [' "weight" is no known property; known: colour, size (additionalProperties)']
    ],
    [
      'unevaluatedProperties',
      objectOf({ size: {} }, { unevaluatedProperties: false, allOf: [{ properties: { b: {} } }] }),
      { sise: 1 },
      [' "sise" is no known property; did you mean "size"? (unevaluatedProperties)']
    ],
    ['minimum', { minimum: 1 }, 0, [' must be >= 1, got 0 (minimum)']],
    ['exclusiveMaximum', { exclusiveMaximum: 1 }, 1, [' must be < 1, got 1 (exclusiveMaximum)']],
    ['multipleOf', { multipleOf: 5 }, 7, [' must be a multiple of 5, got 7 (multipleOf)']],
    ['minLength', { minLength: 1 }, '', [' must have at least 1 character (minLength)']],
    ['maxLength in code points', { maxLength: 2 }, '😀😀😀', [' must have at most 2 characters (maxLength)']],
    ['minItems', { minItems: 1 }, [], [' must have at least 1 item (minItems)']],
    ['maxItems', { maxItems: 1 }, [1, 2], [' must have at most 1 item (maxItems)']],
    ['items', { prefixItems: [{}], items: false }, [1, 2], [' must have at most 1 item (items)']],
    ['minProperties', { minProperties: 2 }, {}, [' must have at least 2 properties (minProperties)']],
    ['maxProperties', { maxProperties: 1 }, { a: 1, b: 2 }, [' must have at most 1 property (maxProperties)']],
    [
      'uniqueItems',
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }],
      [' must not have equal items (0 and 2) (uniqueItems)']
    ],
    ['uniqueItems: false', { uniqueItems: false }, [1, 1], [1, 1] as never],
    [
      'contains',
      { contains: { type: 'string' } },
      [1, 2],
      [' must have at least 1 items of the expected kind (contains)']
    ],
    ['pattern', { pattern: '^a' }, 'b', [' must match "^a", got "b" (pattern)']],
    ['format', { format: 'date' }, '2020-13-01', [' must be of the format date, got "2020-13-01" (format)']],
    ['not', { not: { type: 'string' } }, 'a', [' must not be of the excluded kind, got "a" (not)']],
    ['false', objectOf({ a: false as never }), { a: 1 }, ['/a is not allowed (false schema)']],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      [' "b" is required beside "a" (dependentRequired)']
    ],
    [
      'propertyNames',
      { propertyNames: { pattern: '^x-' } },
      { y: 1 },
      [' "y" is no allowed property name: must match "^x-", got "y" (propertyNames)']
    ],
    [
      'then',
      { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] } },
      { a: 1 },
      [' "b" is required (required)']
    ],
    [
      'names that pointers escape',
      objectOf({ 'a/b~': { type: 'string' } }),
      { 'a/b~': 1 },
      ['/a~1b~0 must be string, got 1 (type)']
    ]
  ])('%s', (_, schema, value, expected) => {
    expect(check(schema, value)).toEqual(expected)
  })

  it('at any depth, every offence at once', () => {
    const schema = objectOf({ rows: { items: objectOf({ kind: { enum: ['a', 'b'] }, size: { maximum: 9 } }) } })
    expect(check(schema, { rows: [{ kind: 'a' }, { kind: 'c', size: 10 }] })).toEqual([
      '/rows/1/kind must be one of "a", "b", got "c" (enum)',
      '/rows/1/size must be <= 9, got 10 (maximum)'
    ])
  })

  it('in words that stay short', () => {
    const [long] = check({ enum: Array.from({ length: 50 }, (_, i) => i) }, '😀'.repeat(500)) as string[]
    expect(long).toMatch(/^ must be one of 0, 1, .*, 19, … \(50 in all\), got "(😀){79}… \(enum\)$/u)
  })
})

describe('of alternatives', () => {
  const pets = {
    $defs: {
      cat: objectOf(
        { kind: { const: 'cat' }, lives: { type: 'integer', maximum: 9 }, friend: { $ref: '#/$defs/pet' } },
        { required: ['kind'] }
      ),
      dog: objectOf(
        { kind: { enum: ['dog', 'hound'] }, tag: { $ref: '#/$defs/tag' }, friend: { $ref: '#/$defs/pet' } },
        { required: ['kind'] }
      ),
      tag: objectOf({ id: { type: 'string' } }, { required: ['id'] }),
      pet: { oneOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }] }
    },
    properties: { pet: { $ref: '#/$defs/pet' } }
  }

  it('only that is explained which was meant, behind references and in recursion too', () => {
    expect(check(pets, { pet: { kind: 'cat', lives: 'x' } })).toEqual(['/pet/lives must be integer, got string (type)'])
    expect(check(pets, { pet: { kind: 'dog', tag: {} } })).toEqual(['/pet/tag "id" is required (required)'])
    expect(
      check(pets, { pet: { kind: 'dog', friend: { kind: 'cat', lives: 10, friend: { kind: 'dog', tag: { id: 1 } } } } })
    ).toEqual([
      '/pet/friend/lives must be <= 9, got 10 (maximum)',
      '/pet/friend/friend/tag/id must be string, got 1 (type)'
    ])
  })

  it('the constants that tell them apart are listed', () => {
    expect(check(pets, { pet: { kind: 'cow' } })).toEqual([
      '/pet/kind must be one of "cat", "dog", "hound", got "cow" (oneOf)'
    ])
  })

  it('the types are listed, where only they differ', () => {
    expect(check({ anyOf: [{ type: 'string' }, { type: 'array' }, { type: 'null' }] }, 5)).toEqual([
      ' must be string or array or null, got 5 (anyOf)'
    ])
    expect(check({ anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] }, 'ab')).toEqual([
      ' must have at most 1 character (maxLength)'
    ])
  })

  it('one line is said where nothing tells', () => {
    const schema = { oneOf: [{ required: ['a'] }, { required: ['b', 'c'] }, { required: ['d'] }] }
    expect(check(objectOf({ x: schema }), { x: {} })).toEqual(['/x fits none of the alternatives, got {} (oneOf)'])
    expect(check(schema, { a: 1, d: 1 })).toEqual([' fits more than one of the alternatives (oneOf)'])
  })

  it('the errors beside them are kept', () => {
    const schema = {
      required: ['r'],
      properties: { p: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }]
    }
    expect(new Set(check(schema, { p: 1 }) as string[])).toEqual(
      new Set([
        ' "r" is required (required)',
        '/p must be string, got 1 (type)',
        ' fits none of the alternatives, got {"p":1} (anyOf)'
      ])
    )
  })

  it('those that share a schema are told apart', () => {
    const shared = { $defs: { s: { required: ['id'] } } }
    const branch = (kind: string) => ({ allOf: [{ $ref: '#/$defs/s' }], properties: { kind: { const: kind } } })
    expect(check({ ...shared, oneOf: [branch('a'), branch('b')] }, { kind: 'b' })).toEqual([
      ' "id" is required (required)'
    ])
  })
})

describe('patterns', () => {
  it('of one schema do not get in the way of each other', () => {
    const schema = objectOf(
      { a: { pattern: '^a' }, b: { pattern: '^b' } },
      { patternProperties: { '^x': { type: 'string' } } }
    )
    expect(check(schema, { a: 'a', b: 'b', x1: 'x' })).toEqual({ a: 'a', b: 'b', x1: 'x' })
    expect(check(schema, { a: 'b', b: 'a', x1: 1, y: 1 })).toHaveLength(3)
  })

  it('take linear time', () => {
    const schema = { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' }
    const started = performance.now()
    expect(check(schema, 'a'.repeat(20_000))).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'])('without a linear form are not checked: %s', (pattern) => {
    expect(isLinearPattern(pattern)).toBe(false)
    expect(check({ pattern }, 'zzz')).toBe('zzz')
    expect(matchesPattern(pattern, 'zzz')).toBe(true)
  })

  it.each([
    ['^\\u0041\\u{1F600}$', 'A😀', 'A'],
    ['^\\d+$', '12', '١'],
    ['^\\s$', '\u00a0', 'a'],
    ['^[\\s\\d]$', '\ufeff', 'a'],
    ['^(?<year>\\d{4})\\/', '2026/', '2026'],
    ['^\\p{Lu}$', 'É', 'é'],
    ['^[[a]$', '[', ']'],
    ['^a$', 'a', 'a\n'],
    ['b', 'abc', 'ac']
  ])('have the meaning of ECMAScript: %s', (pattern, match, other) => {
    expect(isLinearPattern(pattern)).toBe(true)
    expect([match, other].map((text) => matchesPattern(pattern, text))).toEqual([true, false])
  })
})

describe('formats', () => {
  it('that nobody knows are ignored', () => {
    expect(check({ format: 'colour' }, 'x')).toBe('x')
  })

  it.each([
    ['url', 'https://shop.test/a?b#c', '/a'],
    ['uri', 'urn:isbn:1', 'a b'],
    ['date-time', '2026-12-01T00:00:00Z', '2026-12-01'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '1']
  ])('are checked: %s', (format, good, bad) => {
    expect(check({ format }, good)).toBe(good)
    expect(check({ format }, bad)).toHaveLength(1)
  })

  it('take linear time', () => {
    const started = performance.now()
    for (const format of ['url', 'uri', 'email', 'hostname', 'date-time', 'uri-template', 'duration'])
      for (const text of ['http://' + ':'.repeat(100_000) + ' ', 'a@' + 'a-'.repeat(50_000) + ' ', '1'.repeat(100_000)])
        check({ format }, text)
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('nothing breaks it', () => {
  it('not a schema that Ajv refuses, and says so at every call', () => {
    const validate = createValidator(objectOf({ a: { type: 'file' } }))
    for (let i = 0; i < 2; i++)
      expect(validate({})).toEqual({
        errors: [{ path: '', keyword: 'schema', message: expect.stringContaining('cannot be compiled') as string }]
      })
    expect(check({ $ref: '#/$defs/gone' }, {})).toEqual([expect.stringContaining('(schema)')])
  })

  it('not the oddities of documents', () => {
    expect(check({ $schema: 'http://json-schema.org/draft-07/schema#', id: 'x', type: 'object' }, {})).toEqual({})
    expect(check({ $async: true, type: 'object' }, 1)).toEqual([' must be object, got 1 (type)'])
    expect(check({ discriminator: { propertyName: 'a' }, oneOf: [{}] }, {})).toEqual({})
    const twice = { $id: 'https://shop.test/x', type: 'object' }
    expect([check(twice, {}), check({ ...twice }, {})]).toEqual([{}, {}])
  })

  it('not a value that is no JSON', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    for (const value of [cycle, deep])
      expect(check({ type: 'object' }, value)).toEqual([expect.stringMatching(/deeply/)])
    expect(check({ type: 'string' }, () => 1)).toEqual([' must be string, got function (type)'])
    expect(check({ enum: [1] }, 1n)).toEqual([' must be 1, got 1 (enum)'])
    expect(check({ type: 'object' }, undefined)).toEqual([' must be object, got undefined (type)'])
  })

  it('not many items that have to be different', () => {
    const started = performance.now()
    check(
      { uniqueItems: true },
      Array.from({ length: 50_000 }, (_, i) => ({ i }))
    )
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('not anything', () => {
    const schema = objectOf(
      { a: { $ref: '#' }, b: { anyOf: [{ $ref: '#' }, { type: 'string' }] } },
      { additionalProperties: { type: 'array', items: { $ref: '#' }, uniqueItems: true } }
    )
    const validate = createValidator(schema)
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withNullPrototype: true,
          withMap: true,
          withDate: true,
          key: fc.constantFrom('a', 'b', 'c')
        }),
        (value) => {
          const result = validate(value)
          if ('errors' in result) expect(formatErrors('Invalid', result.errors)).toMatch(/^Invalid:/)
        }
      )
    )
  })
})

describe('the text', () => {
  it('is one line for one offence, and a list for several', () => {
    const offence = { path: '/size', keyword: 'maximum', message: 'must be <= 100, got 101' }
    expect(formatErrors('Invalid parameters', [offence])).toBe(
      'Invalid parameters: /size must be <= 100, got 101 (maximum)'
    )
    expect(
      formatErrors('Invalid body', [offence, { path: '', keyword: 'required', message: '"id" is required' }])
    ).toBe('Invalid body:\n- /size must be <= 100, got 101 (maximum)\n- "id" is required (required)')
  })

  it('does not flood', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ path: `/${i}`, keyword: 'type', message: 'must be string' }))
    expect(formatErrors('Invalid', many).split('\n')).toHaveLength(14)
    expect(formatErrors('Invalid', many)).toMatch(/- … and 18 more$/)
  })
})
