import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, vi } from 'vitest'
import { DocumentError, UsageError } from '../diagnostics.js'
import { documentOf, findings, toolOf, toolSetOf } from '../testing/documents.js'
import { toAiSdkTools } from './ai-sdk.js'
import { ArgumentNames, snakeCase } from './naming.js'
import type { JsonSchema, Tool } from './types.js'

const propertiesOf = (tool: Tool): Record<string, JsonSchema> =>
  tool.inputSchema['properties'] as Record<string, JsonSchema>

/** The property that a parameter schema turns into. */
async function translated(schema: string, { version = '3.1.0', more = '' } = {}): Promise<JsonSchema> {
  const tool = await toolOf(
    documentOf(
      `operationId: getItem\nsummary: Get.\nx-agent: {}\nparameters:\n  - { name: q, in: query, schema: ${schema} }`,
      { version, more }
    )
  )
  return propertiesOf(tool)['q']!
}

/** The only tool of a document with one PUT operation that has this body schema. */
function withBody(
  schema: string,
  { annotation = '{}', parameters = '[]', required = true, more = '', version = '3.1.0', method = 'put' } = {}
): string {
  return `openapi: ${version}
info: { title: T, version: '1' }
x-agent: { profiles: { explore: {} } }
paths:
  /items/{id}:
    ${method}:
      operationId: saveItem
      summary: Save.
      x-agent: ${annotation}
      parameters: ${parameters}
      requestBody: { required: ${required}, description: The item., content: { application/json: { schema: ${schema} } } }
${more}`
}

describe('schemas', () => {
  it('become JSON Schema 2020-12, without what only OpenAPI knows', async () => {
    expect(
      await translated(
        '{ type: string, example: a, xml: {}, externalDocs: {}, x-y: 1, discriminator: {}, layout: z, nullable: false, format: x-colour }'
      )
    ).toEqual({ type: 'string', examples: ['a'], format: 'x-colour' })
    expect(await translated('{ type: array }')).toEqual({ type: 'array', items: {} })
    expect(await translated('{ type: array, items: [{ type: string }], additionalItems: { type: integer } }')).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }],
      items: { type: 'integer' }
    })
    expect(await translated('{ type: colour, minLength: -1, required: true, enum: [], maximum: .inf }')).toEqual({})
  })

  it('of 3.0 lose `nullable` and boolean bounds, but not their meaning', async () => {
    const of = (schema: string): Promise<JsonSchema> => translated(schema, { version: '3.0.3' })
    expect(await of('{ type: string, nullable: true, enum: [a] }')).toEqual({
      type: ['string', 'null'],
      enum: ['a', null]
    })
    expect(await of('{ nullable: true, description: d, allOf: [{ type: string }] }')).toEqual({
      anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }],
      description: 'd'
    })
    expect(await of('{ nullable: true, oneOf: [{ type: string }] }')).toEqual({
      oneOf: [{ type: 'string' }, { type: 'null' }]
    })
    expect(await of('{ minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }')).toEqual({
      exclusiveMinimum: 0,
      maximum: 9
    })
  })

  it('take keywords beside a reference in 3.1 and words only in 3.0', async () => {
    const more = 'components: { schemas: { S: { type: integer, minimum: 1, description: old } } }'
    const schema = "{ $ref: '#/components/schemas/S', description: new, maximum: 5, minimum: 2 }"
    expect(await translated(schema, { more })).toEqual({
      allOf: [
        { type: 'integer', minimum: 1, description: 'old' },
        { maximum: 5, minimum: 2 }
      ],
      description: 'new'
    })
    expect(await translated(schema, { more, version: '3.0.3' })).toEqual({
      type: 'integer',
      minimum: 1,
      description: 'new'
    })
  })

  it('treat names as names and data as data', async () => {
    expect(
      await translated(
        "{ type: object, required: [$ref], properties: { $ref: { type: string }, nullable: { type: boolean }, x-a: { default: { $ref: '#/x' } } }, enum: [{ $ref: a }] }"
      )
    ).toEqual({
      type: 'object',
      required: ['$ref'],
      properties: { $ref: { type: 'string' }, nullable: { type: 'boolean' }, 'x-a': { default: { $ref: '#/x' } } },
      enum: [{ $ref: 'a' }]
    })
  })

  it('have patterns that every validator compiles', async () => {
    expect(await translated("{ pattern: '^[\\w-\\.]+\\@\\-x{$' }")).toEqual({ pattern: '^[\\w\\-\\.]+@-x\\{$' })
    expect(await translated("{ pattern: '^(a' }")).toEqual({})
    expect(
      (await findings(withBody("{ type: object, properties: { a: { pattern: '^(a' } } }"))).map((f) =>
        f.replace(/^\S+ /, '')
      )
    ).toEqual([
      'warning openapi-pattern /paths/~1items~1{id}/put/requestBody/content/application~1json/schema/properties/a/pattern'
    ])
  })

  it('cut cycles to {} and keep what is merely used twice', async () => {
    const more = `components:
  schemas:
    Folder: { type: object, properties: { home: { $ref: '#/components/schemas/Place' }, work: { $ref: '#/components/schemas/Place' }, inner: { type: array, items: { $ref: '#/components/schemas/Folder' } } } }
    Place: { type: object, properties: { city: { type: string } } }`
    const schema = await translated("{ $ref: '#/components/schemas/Folder' }", { more })
    const place = { type: 'object', properties: { city: { type: 'string' } } }
    expect(schema).toEqual({
      type: 'object',
      properties: { home: place, work: place, inner: { type: 'array', items: {} } }
    })
    const properties = schema['properties'] as Record<string, unknown>
    expect(properties['home']).toBe(properties['work'])
  })

  it('that explode are refused with the operation and the way out, in no time', async () => {
    const schemas = Array.from({ length: 40 }, (_, i) => {
      const next = `{ $ref: '#/components/schemas/S${i + 1}' }`
      return `    S${i}: { type: object, properties: { a: ${next}, b: ${next} } }`
    })
    const more = `components:\n  schemas:\n${schemas.join('\n')}\n    S40: { type: string }`
    const flat = withBody("{ $ref: '#/components/schemas/S0' }", { more })
    expect(await findings(flat)).toEqual(['11:7 error ref-expansion-too-large /paths/~1items~1{id}/put/requestBody'])
    await expect(toolSetOf(flat)).rejects.toThrow(/save_item \(PUT \/items\/\{id\}\).*body: compact/)
    const compact = await toolOf(
      withBody("{ $ref: '#/components/schemas/S0' }", { more, annotation: '{ body: compact }' })
    )
    expect(JSON.stringify(compact.inputSchema).length).toBeLessThan(1000)
  })

  it('of a document that is full of cycles stay within the budget', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `S${i}`)
    const refs = names.map((n) => `${n}: { $ref: '#/components/schemas/${n}' }`).join(', ')
    const more = `components:\n  schemas:\n${names.map((n) => `    ${n}: { type: object, properties: { ${refs} } }`).join('\n')}`
    expect(await findings(withBody("{ $ref: '#/components/schemas/S0' }", { more }))).toEqual([
      '11:7 error ref-expansion-too-large /paths/~1items~1{id}/put/requestBody'
    ])
  })

  it('given as an object with loops in it, or as YAML that contains itself, end', async () => {
    const schema = await translated('&loop { type: object, properties: { again: *loop } }')
    expect(schema).toEqual({ type: 'object', properties: { again: {} } })
  })
})

describe('parameters', () => {
  it('of the path item come first and are replaced by name and location', async () => {
    const tool = await toolOf(`openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /items/{id}:
    summary: shared
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: lang, in: query, schema: { type: string } }
    get:
      operationId: getItem
      x-agent: {}
      parameters:
        - { name: lang, in: header, schema: { type: integer } }
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: Accept, in: header, schema: { type: string } }
`)
    expect(propertiesOf(tool)).toEqual({
      id: { type: 'integer' },
      lang: { type: 'string' },
      lang__header: { type: 'integer' }
    })
    expect(tool.arguments['lang__header']).toMatchObject({ parameter: { name: 'lang', in: 'header', style: 'simple' } })
  })

  it('are overridden per key, at the definition, beside a reference and at the operation', async () => {
    const tool = await toolOf(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /items:
    get:
      operationId: listItems
      x-agent:
        params:
          size: { default: 20 }
          states: { enum: [open], default: [open], maximum: 3 }
          gone: { exclude: true }
      parameters:
        - { $ref: '#/components/parameters/Size', x-agent: { description: Mine. } }
        - { name: states, in: query, schema: { type: array, items: { type: string, enum: [open, closed] } } }
        - { name: gone, in: query, required: true }
        - { name: bare, in: query, deprecated: true, example: x, x-agent: { required: true, name: plain } }
components:
  parameters:
    Size: { name: size, in: query, description: Theirs., schema: { type: integer, maximum: 1000 }, x-agent: { maximum: 100, default: 10, description: Old. } }
`)
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: {
        size: { type: 'integer', maximum: 100, default: 20, description: 'Mine.' },
        states: { type: 'array', items: { type: 'string', enum: ['open'], maximum: 3 }, default: ['open'] },
        plain: { type: 'string', deprecated: true, examples: ['x'] }
      },
      required: ['plain'],
      additionalProperties: false
    })
  })

  it('are arrays and enums through what they are composed of, too', async () => {
    const text = documentOf(
      `operationId: getItem
x-agent: { params: { t: { enum: [a], description: "One of 'c'." } } }
parameters: [{ name: t, in: query, schema: { allOf: [{ $ref: '#/components/schemas/L' }], description: old } }]`,
      {
        version: '3.0.3',
        more: 'components: { schemas: { L: { type: array, items: { type: string, enum: [a, b] } } } }'
      }
    )
    expect((await toolOf(text, { lint: 'off' })).inputSchema['properties']).toEqual({
      t: { type: 'array', items: { type: 'string', enum: ['a'] }, description: "One of 'c'." }
    })
    expect((await findings(text)).map((f) => f.split(' ')[2])).toEqual([
      'quoted-value-not-in-enum',
      'scalar-example-for-array'
    ])
  })

  it('that are malformed are findings', async () => {
    const text = documentOf(
      'operationId: getItem\nx-agent: {}\nparameters: [5, { in: query }, { name: b, in: body }, { name: c, in: query, schema: { $ref: 3 } }]'
    )
    expect((await findings(text)).map((f) => f.split(' ').slice(1).join(' '))).toEqual([
      'error openapi-parameter /paths/~1items~1{id}/get/parameters/0',
      'error openapi-parameter /paths/~1items~1{id}/get/parameters/1',
      'error openapi-parameter /paths/~1items~1{id}/get/parameters/2',
      'error unresolved-ref /paths/~1items~1{id}/get/parameters/3/schema/$ref'
    ])
  })

  it('get names that clients accept, linked to those of the API', async () => {
    const tool = await toolOf(
      documentOf(`operationId: getItem
x-agent: {}
parameters:
  - { name: 'filter[state]', in: query }
  - { name: filter_state, in: query }
  - { name: $top, in: query }
  - { name: été, in: query }
  - { name: '名前', in: query }
  - { name: page.size, in: query }
  - { name: ${'a'.repeat(70)}, in: query }`)
    )
    const names = Object.entries(tool.arguments).map(([name, target]) => [
      name,
      target.kind === 'parameter' && target.parameter.name
    ])
    expect(names).toEqual([
      ['filter_state', 'filter[state]'],
      ['filter_state__query', 'filter_state'],
      ['top', '$top'],
      ['ete', 'été'],
      ['argument_1', '名前'],
      ['page.size', 'page.size'],
      ['a'.repeat(64), 'a'.repeat(70)]
    ])
  })

  it('that are fixed are not shown, excluded or not; what names no parameter is a warning', async () => {
    const text = documentOf(`operationId: getItem
x-agent:
  fixed: { format: json, lang: en, other: 1 }
  params: { lang: { exclude: true }, ghost: { exclude: true } }
parameters:
  - { name: format, in: query, required: true }
  - { name: lang, in: query }`)
    expect((await toolOf(text)).inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    expect((await findings(text)).map((f) => f.replace(/^\S+ /, ''))).toEqual([
      'info x-agent-fixed-excluded /paths/~1items~1{id}/get/x-agent/fixed/lang',
      'warning x-agent-unknown-parameter /paths/~1items~1{id}/get/x-agent/fixed/other',
      'warning x-agent-unknown-parameter /paths/~1items~1{id}/get/x-agent/params/ghost'
    ])
  })

  it('may not be renamed to one name', async () => {
    const text = documentOf(`operationId: getItem
x-agent: { params: { a: { name: same }, b: { name: same } } }
parameters: [{ name: a, in: query }, { name: b, in: query }]`)
    expect(await findings(text)).toEqual([
      '9:58 error x-agent-duplicate-argument /paths/~1items~1{id}/get/x-agent/params/b/name'
    ])
  })
})

describe('request bodies', () => {
  const item =
    '{ type: object, required: [id, note], properties: { id: { type: integer }, secret: { type: string, readOnly: true }, note: { type: string } } }'
  const id = '[{ name: id, in: path, required: true, schema: { type: string } }]'

  it('are spread; a name that a parameter has gets a suffix', async () => {
    const { inputSchema } = await toolOf(withBody(item, { parameters: id }))
    expect(inputSchema).toMatchObject({
      properties: { id: { type: 'string' }, id__body: { type: 'integer' }, note: { type: 'string' } },
      required: ['id', 'id__body', 'note']
    })
  })

  it('that are optional make nothing required', async () => {
    expect((await toolOf(withBody(item, { required: false }))).inputSchema).not.toHaveProperty('required')
  })

  it('in parts are merged, what only the server sets left out across them', async () => {
    const { inputSchema } = await toolOf(
      withBody(
        "{ allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, required: [id, name], properties: { name: { type: string } } }] }",
        {
          more: 'components: { schemas: { Base: { type: object, properties: { id: { type: string, readOnly: true }, name: { maxLength: 5 } } } } }'
        }
      )
    )
    expect(inputSchema).toMatchObject({
      properties: { name: { allOf: [{ maxLength: 5 }, { type: 'string' }] } },
      required: ['name']
    })
  })

  it.each([
    [
      '{ type: array, items: { type: string } }',
      { type: 'array', items: { type: 'string' }, description: 'The item.' }
    ],
    [
      '{ type: object, additionalProperties: { type: string } }',
      { type: 'object', additionalProperties: { type: 'string' }, description: 'The item.' }
    ],
    [
      '{ oneOf: [{ type: object, properties: { a: {} } }, { type: object, properties: { b: {} } }] }',
      {
        oneOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } }
        ],
        description: 'The item.'
      }
    ]
  ])('that are no plain object stay whole: %s', async (schema, body) => {
    expect((await toolOf(withBody(schema))).inputSchema['properties']).toEqual({ body })
  })

  it('with alternatives of what is required are spread all the same', async () => {
    const { inputSchema } = await toolOf(
      withBody('{ type: object, properties: { a: {}, b: {} }, anyOf: [{ required: [a] }, { required: [b] }] }')
    )
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(['a', 'b'])
    expect(inputSchema).not.toHaveProperty('anyOf')
  })

  it('as `compact` are one argument with a listing', async () => {
    const { inputSchema } = await toolOf(
      withBody(
        "{ type: object, required: [title], properties: { title: { type: string, description: 'The  title.' }, state: { enum: [a, b] }, tags: { type: array, items: { $ref: '#/components/schemas/Tag' } }, size: { type: [integer, 'null'] } } }",
        {
          annotation: '{ body: compact }',
          more: 'components: { schemas: { Tag: { type: object, properties: { deep: { type: string } } } } }'
        }
      )
    )
    expect(inputSchema['required']).toEqual(['body'])
    const { body } = inputSchema['properties'] as { body: JsonSchema }
    expect(body).toEqual({
      type: 'object',
      description: `The item.
A JSON object. One line per property: name (\`?\` when not required), type, description. In short: required: title.
- title: string — The title.
- state?: "a" | "b"
- tags?: object[]
- size?: integer | null`
    })
  })

  it('restricted by `bodyFields` keep only those, in that order', async () => {
    const tool = await toolOf(withBody(item, { annotation: '{ bodyFields: [note, id] }' }))
    expect(Object.keys(propertiesOf(tool))).toEqual(['note', 'id'])
    expect(await findings(withBody(item, { annotation: '{ bodyFields: [note, idd] }' }))).toEqual([
      '9:37 error x-agent-body-fields /paths/~1items~1{id}/put/x-agent/bodyFields'
    ])
    expect(await findings(withBody('{ type: string }', { annotation: '{ bodyFields: [note] }' }))).toHaveLength(1)
  })

  it('are JSON or nothing', async () => {
    const text = withBody(item).replace('application/json', 'multipart/form-data')
    expect((await toolOf(text)).inputSchema['properties']).toEqual({})
  })
})

describe('responses', () => {
  const listing = (response: string): string =>
    documentOf(
      `operationId: getItem
x-agent: { response: ${response} }
parameters: [{ name: select, in: query, schema: { type: array, items: { type: string } } }]`,
      {}
    ).replace(
      "'200': { description: ok }",
      `'200': { description: ok, content: { application/json: { schema: { type: object, properties: { total: {}, rows: { type: array, items: { allOf: [{ properties: { a: {}, b: { x-agent: { exclude: true } } } }, { properties: { c: {} } }] } } } } } } }`
    )

  it('generate `fields` from the schema of the rows, without what is excluded', async () => {
    const tool = await toolOf(listing('{ rows: /rows, selectParam: select }'))
    expect(propertiesOf(tool)).toMatchObject({ fields: { type: 'array', items: { type: 'string', enum: ['a', 'c'] } } })
    expect(tool.arguments['fields']).toMatchObject({ kind: 'fields', parameter: { name: 'select' }, joined: false })
  })

  it('generate `response_format` where both presets are given', async () => {
    expect(propertiesOf(await toolOf(listing('{ concise: [a], detailed: [a, c] }')))['response_format']).toEqual({
      type: 'string',
      enum: ['concise', 'detailed'],
      default: 'concise',
      description: 'concise: a. detailed: a, c.'
    })
    expect(propertiesOf(await toolOf(listing('{ concise: [a] }')))).not.toHaveProperty('response_format')
  })

  it('whose references lead nowhere are findings: what is hidden below would be shown', async () => {
    const text = documentOf('operationId: getItem\nx-agent: {}').replace(
      "'200': { description: ok }",
      `'200': { description: ok, content: { application/json: { schema: { properties: { a: { items: { $ref: '#/gone' } } } } } } }, '404': { $ref: '#/gone' }`
    )
    expect((await findings(text)).map((f) => f.replace(/^\S+ /, ''))).toEqual([
      'error unresolved-ref /paths/~1items~1{id}/get/responses/200/content/application~1json/schema/properties/a/items/$ref'
    ])
  })

  it('cannot be selected from by a parameter or a schema that is not there', async () => {
    const rule = 'error x-agent-select-param /paths/~1items~1{id}/get/x-agent/response/selectParam'
    expect((await findings(listing('{ selectParam: slect }'))).map((f) => f.replace(/^\S+ /, ''))).toEqual([rule])
    expect(
      (await findings(listing('{ rows: /total, selectParam: select }'))).map((f) => f.replace(/^\S+ /, ''))
    ).toEqual([rule])
  })
})

describe('a tool set', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
x-agent:
  namePrefix: shop_
  profiles:
    explore: {}
    edit_rows: {}
    edit: { includes: [edit_rows, explore] }
  skills:
    - { name: start, description: { en: "First\\nparagraph.\\n\\nThe rest.", fr: Début. }, tools: [list_rows, other] }
    - { name: editing, description: Careful., body: Long text., profiles: [edit_rows] }
tags:
  - { name: Admin, x-agent: { profiles: [edit_rows] } }
  - { name: Rows, x-agent: { profiles: [explore], skill: { fr: Lignes., en: Rows. } } }
paths:
  /rows:
    get: { operationId: listRows, tags: [Plain, Rows, Admin], description: Long., x-agent: { title: { fr: Lignes } } }
    delete: { operationId: dropRows, summary: Drop., x-agent: { profiles: [edit], annotations: { idempotentHint: true } } }
    post: { operationId: row.add, tags: [Admin, Rows], x-agent: { examples: [{ a: 1 }] } }
    put: { operationId: putRows }
`

  it('is that of the first profile by default, includes followed', async () => {
    const names = async (options: object): Promise<string[]> =>
      (await toolSetOf(text, options)).tools.map((t) => t.name)
    expect(await names({})).toEqual(['shop_list_rows'])
    expect(await names({ profiles: ['edit', 'explore'] })).toEqual(['shop_list_rows', 'shop_drop_rows', 'shop_row_add'])
    expect(await names({ profile: 'edit_rows', namePrefix: '' })).toEqual(['row_add'])
    await expect(names({ profiles: ['explore', 'edt'] })).rejects.toThrow(
      /"edt".*did you mean "edit"\?.*explore, edit_rows, edit/
    )
    await expect(names({ profiles: ['x'] })).rejects.toThrow(UsageError)
  })

  it('describes its tools', async () => {
    const { tools } = await toolSetOf(text, { profile: 'edit' })
    expect(
      tools.map(({ title, description, annotations, examples, profiles }) => ({
        title,
        description,
        annotations,
        examples,
        profiles
      }))
    ).toEqual([
      {
        title: 'Lignes',
        description: 'Long.',
        annotations: { readOnlyHint: true, destructiveHint: false },
        examples: undefined,
        profiles: ['explore']
      },
      {
        title: undefined,
        description: 'Drop.',
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
        examples: undefined,
        profiles: ['edit']
      },
      {
        title: undefined,
        description: 'row.add',
        annotations: { readOnlyHint: false, destructiveHint: false },
        examples: [{ a: 1 }],
        profiles: ['edit_rows']
      }
    ])
  })

  it('has instructions from its skills and tags', async () => {
    expect((await toolSetOf(text)).instructions).toBe(`## start

First
paragraph.

The rest.

Tools: shop_list_rows, other

## Rows

Rows.`)
    const edit = await toolSetOf(text, { profile: 'edit', locale: 'fr' })
    expect(edit.instructions).toContain('## editing\n\nCareful.\n\nRead skill://editing/SKILL.md')
    expect(edit.instructions).toContain('Début.')
    expect(edit.skills).toMatchObject([
      { name: 'start', description: 'Début.', body: 'Début.', uri: 'skill://start/SKILL.md' },
      { name: 'editing', description: 'Careful.', body: 'Long text.' }
    ])
    expect((await toolSetOf(text)).skills[0]!.description).toBe('First paragraph.')
  })

  it('reads linked skills, and serves its tools where one cannot be read', async () => {
    const linked = text.replace('body: Long text.', 'href: skills/e.md').replace('Début. }', 'Début. }, href: gone.md')
    const { skills, instructions } = await toolSetOf(
      { 'openapi.yaml': linked, 'skills/e.md': '---\nname: x\n---\n# Body\n' },
      { profile: 'edit' }
    )
    expect(skills[0]).toMatchObject({ body: '', error: expect.stringContaining('no such file') as string })
    expect(skills[1]).toMatchObject({ body: '# Body\n', href: 'skills/e.md' })
    expect(instructions).not.toContain('# Body')
  })

  it('is refused with every error and its place', async () => {
    const broken = text.replace('title: { fr: Lignes }', 'titel: x').replace('namePrefix: shop_', 'namePrefix: Shop')
    const error = await toolSetOf(broken).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(DocumentError)
    expect((error as DocumentError).message).toMatch(
      /2 errors[\s\S]*\$\['x-agent'\]\.namePrefix: [\s\S]*\$\.paths\['\/rows'\]\.get\['x-agent'\]\.titel: /
    )
  })

  it('is refused by the description lints, or warned, or left alone', async () => {
    const lint = text.replace(
      'x-agent: { title: { fr: Lignes } }',
      'parameters: [{ name: s, in: query, schema: { type: array }, x-agent: { description: comma-separated } }], x-agent: {}'
    )
    await expect(toolSetOf(lint)).rejects.toThrow('comma-separated')
    expect((await toolSetOf(lint, { lint: 'warn' })).diagnostics).toMatchObject([
      { rule: 'comma-separated-array', severity: 'warning' }
    ])
    expect((await toolSetOf(lint, { lint: 'off' })).diagnostics).toEqual([])
  })

  it('of views has one tool each', async () => {
    const views = withBody('{ type: object, properties: { a: { type: string }, b: {} } }', {
      annotation: '[{ name: one, bodyFields: [a] }, { name: two, bodyFields: [b], profiles: [explore] }]'
    })
    const { tools } = await toolSetOf(views)
    expect(tools.map((t) => [t.name, t.operation.view, Object.keys(propertiesOf(t))])).toEqual([
      ['one', 0, ['a']],
      ['two', 1, ['b']]
    ])
  })

  it('has form tools in the place of an operation with an editor', async () => {
    const editor = withBody('{ type: object }', { annotation: '{ editor: true, profiles: [edit] }' }).replace(
      'explore: {}',
      'explore: {}, edit: {}'
    )
    expect((await toolSetOf(editor)).tools).toEqual([])
    const { tools } = await toolSetOf(editor, { profile: 'edit' })
    expect(tools.map((t) => t.name.split('_').at(-1))).toEqual([
      'describeState',
      'getData',
      'setFieldValue',
      'setData',
      'getFieldSuggestions',
      'editArray',
      'saveForm',
      'reloadForm'
    ])
  })

  it('has input schemas that a strict validator compiles', async () => {
    for (const { inputSchema } of (await toolSetOf(text, { profile: 'edit' })).tools) {
      new Ajv2020({ strictSchema: true, validateFormats: false }).compile(inputSchema)
    }
  })

  it('is made from options that make sense', async () => {
    for (const options of [{ profiles: 'edit' }, { lint: 'loud' }, { namePrefix: 'X Y' }, { locale: 5 }]) {
      await expect(toolSetOf(text, options as never)).rejects.toThrow(UsageError)
    }
  })

  it('refuses data that aliases let grow without bound, or that contains itself', async () => {
    const growth = [
      'x0: &a0 [z, z, z, z, z, z, z, z, z]',
      ...Array.from({ length: 9 }, (_, i) => `x${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`)
    ]
    const bomb = documentOf('operationId: getItem\nx-agent: { examples: [{ a: *a9 }] }').replace(
      'paths:',
      `${growth.join('\n')}\npaths:`
    )
    expect((await findings(bomb)).map((f) => f.split(' ')[2])).toEqual(['x-agent-invalid-value'])
    const loop = documentOf('operationId: getItem\nx-agent: { fixed: &f { a: *f } }')
    expect((await findings(loop)).map((f) => f.split(' ')[2])).toContain('x-agent-invalid-value')
  })

  it('comes from all methods of 3.2', async () => {
    const { tools } = await toolSetOf(`openapi: 3.2.0
info: { title: T, version: '1' }
paths:
  /a:
    query: { operationId: ask, x-agent: {} }
    additionalOperations: { COPY: { operationId: copy, x-agent: {} } }
`)
    expect(tools.map((t) => [t.name, t.operation.method, t.annotations.readOnlyHint])).toEqual([
      ['ask', 'query', true],
      ['copy', 'COPY', false]
    ])
  })
})

describe('description lints', () => {
  const lint = async (description: string, schema = '{ type: array, items: { type: string } }'): Promise<string[]> => {
    const found = await findings(
      documentOf(`operationId: getItem
x-agent: { params: { q: { description: ${JSON.stringify(description)} } } }
parameters: [{ name: q, in: query, schema: ${schema} }]`)
    )
    return found.map((f) => f.split(' ')[2]!)
  }

  it.each([
    ['Sort keys, e.g. "-size".', ['scalar-example-for-array']],
    ["Sort keys, e.g. '-size'.", ['scalar-example-for-array']],
    ['Sort keys, e.g. ["-size"].', []],
    ["The user's keys. They don't matter.", []],
    ["Owners' keys and users' keys.", []],
    ['COMMA separated keys.', ['comma-separated-array']],
    ['Keys separated by commas.', ['comma-separated-array']],
    ['An array, not a comma-separated text.', []],
    ['Keys as an array rather than comma-separated.', []]
  ])('%s', async (description, rules) => {
    expect(await lint(description)).toEqual(rules)
  })

  it('compare quoted values with the enum', async () => {
    const schema = '{ type: string, enum: [asc, desc] }'
    expect(await lint('"asc" or "desc".', schema)).toEqual([])
    expect(await lint('Use "ascending" or "up".', schema)).toEqual(['quoted-value-not-in-enum'])
    const list = '{ type: array, items: { type: string, enum: [red, blue] } }'
    expect(await lint('Any of "red" and "blue".', list)).toEqual([])
    expect(await lint('Colours, for example "red".', list)).toEqual(['scalar-example-for-array'])
    expect(await lint('Colours: ["red", "green"].', list)).toEqual(['quoted-value-not-in-enum'])
  })

  it('look at every locale, and at nothing that the API itself says', async () => {
    const text = documentOf(`operationId: getItem
x-agent: { params: { q: { description: { en: Fine., fr: 'séparées par des virgules' } } } }
parameters: [{ name: q, in: query, schema: { type: array } }, { name: r, in: query, description: comma-separated, schema: { type: array } }]`)
    expect(await findings(text)).toEqual([
      '9:63 error comma-separated-array /paths/~1items~1{id}/get/x-agent/params/q/description'
    ])
  })
})

describe('names', () => {
  it.each([
    ['listPets', 'list_pets'],
    ['issues/list-for-repo', 'issues_list_for_repo'],
    ['getHTTPResponse', 'get_http_response'],
    ['readV2Items', 'read_v2_items'],
    ['  Créer un élément ', 'creer_un_element'],
    ['!!', '']
  ])('%s → %s', (id, name) => {
    expect(snakeCase(id)).toBe(name)
  })

  it('are never given twice', () => {
    const names = new ArgumentNames()
    const long = 'x'.repeat(64)
    expect([long, long, 'a', 'a', 'a'].map((n) => names.take(n, '__body'))).toEqual([
      long,
      `${'x'.repeat(58)}__body`,
      'a',
      'a__body',
      'a__body__body'
    ])
  })
})

describe('the tools for the AI SDK', () => {
  it('have the schema it expects and answer with text', async () => {
    const fetch = vi.fn(() =>
      Promise.resolve(new Response('{"id":7}', { headers: { 'content-type': 'application/json' } }))
    )
    const set = await toolSetOf(
      documentOf(
        'operationId: getItem\nsummary: Get.\nx-agent: { name: read }\nparameters: [{ name: id, in: path, required: true }]'
      ),
      {
        fetch: fetch as never
      }
    )
    const { read } = toAiSdkTools(set, { headers: { 'x-tenant': 'a' } })
    expect(read).toMatchObject({
      description: 'Get.',
      inputSchema: { jsonSchema: { required: ['id'] }, [Symbol.for('vercel.ai.schema')]: true }
    })
    expect(await read!.execute({ id: '7' })).toContain('7')
    expect(fetch.mock.calls[0]).toMatchObject(['https://shop.example/api/items/7', { headers: { 'x-tenant': 'a' } }])
    expect(await read!.execute({})).toContain('id')
  })
})
