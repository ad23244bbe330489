import { createSession, nodeHost, type Diagnostic } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { applyFixes, fixesOf, lintDocument, rules, type FixOptions } from './index.js'
import { documentOf, settingsOf } from './testing/examples.js'

const main = 'file:///api/openapi.yaml'

function sessionOf(files: Record<string, string>) {
  return createSession(
    nodeHost({ readFile: (uri) => Promise.resolve(files[uri]!), realUri: (uri) => Promise.resolve(uri) })
  )
}

/** The files after all fixes, what was done, and what is left. */
async function fixed(files: string | Record<string, string>, options: FixOptions = {}) {
  const texts: Record<string, string> = typeof files === 'string' ? { [main]: files } : files
  const uri = Object.keys(texts)[0]!
  const { texts: changed, applied, diagnostics } = await applyFixes(sessionOf(texts), uri, options)
  const after = { ...texts, ...Object.fromEntries(changed.map((t) => [t.uri, t.after])) }
  return { text: after[uri]!, texts: after, done: applied.map(({ fix }) => fix.title), left: diagnostics.map(lineOf) }
}

function lineOf({ severity, rule }: Diagnostic): string {
  return `${severity} ${rule}`
}

describe.each(rules.filter((rule) => rule.fix))('the fix of $id', (rule) => {
  const yaml = documentOf(rule.examples.wrong)
  const json = { uri: 'file:///api/openapi.json', text: JSON.stringify(parse(yaml.text), null, 2) }

  it.each([
    ['YAML', yaml],
    ['JSON', json]
  ])('mends its example in %s, and nothing else comes of it', async (_, { uri, text }) => {
    const { done, left } = await fixed({ [uri]: text }, settingsOf(rule))
    expect(left).toEqual([])
    expect(done).toHaveLength(1)
  })
})

/** A document around the annotation of an operation with the query parameters `page` and `sort`. */
function annotated(annotation: string, root = '{ profiles: { explore: {}, edit: {} } }'): string {
  return `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: ${root} # profiles
paths:
  /items:
    get:
      operationId: listItems
      summary: List the items.
      tags: [items]
      x-agent: ${annotation}
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: sort, in: query, schema: { type: array, items: { type: string } } }
      responses: { '200': { description: ok } }
`
}

const ALL = '{ profiles: [explore, edit] }'

describe('fixes', () => {
  it('mend everything at once and leave the rest of the text as it is', async () => {
    const { text, left, done } = await fixed(
      annotated(`# who may
        profiles: [explore, edti] # both
        tilte: "List"   # shown
        params:
          pge: { maximum: 10 }
          sort:
            description: 'Comma-separated fields, such as "-title".'`)
    )
    expect(text).toBe(
      annotated(`# who may
        profiles: [explore, edit] # both
        title: "List"   # shown
        params:
          page: { maximum: 10 }
          sort:
            description: 'List of fields, such as ["-title"].'`)
    )
    expect(left).toEqual([])
    expect(done).toHaveLength(5)
  })

  it('go on where one fix shows what else is wrong', async () => {
    const { text, left, done } = await fixed(annotated('{ parms: { pge: { maximun: 10 } } }'))
    expect(text).toBe(annotated('{ params: { page: { maximum: 10 } } }'))
    expect(done).toEqual(['Rename to "params"', 'Rename to "page"', 'Rename to "maximum"'])
    expect(left).toEqual([])
  })

  it('that would do harm together are made one after the other', async () => {
    const { text, left } = await fixed(annotated('{ tilte: List, titel: All }'))
    expect(text).toBe(annotated('{ title: List, titel: All }'))
    expect(left).toEqual(['error x-agent-unknown-field'])
  })

  it('leave a name alone that is there already, as a key', async () => {
    const text = annotated('{ title: List, tilte: All }')
    expect(await fixed(text)).toMatchObject({ text, done: [], left: ['error x-agent-unknown-field'] })
  })

  it('take a name out that is there already, in a list', async () => {
    const { text, done, left } = await fixed(annotated('{ profiles: [explore, edit, exlpore] }'))
    expect(text).toBe(annotated('{ profiles: [explore, edit] }'))
    expect(done).toEqual(['Remove "exlpore"'])
    expect(left).toEqual([])
  })

  it('declare a profile that is like no other one, where the document declares profiles', async () => {
    const { text, done } = await fixed(annotated('{ profiles: [explore, edit, administrators] }'))
    expect(text).toBe(
      annotated(
        '{ profiles: [explore, edit, administrators] }',
        '{ profiles: { explore: {}, edit: {}, administrators: {} } }'
      )
    )
    expect(done).toEqual(['Declare the profile "administrators"'])
    const part = annotated('{ profiles: [administrators] }', '{ namePrefix: shop_ }')
    expect(await fixed(part)).toMatchObject({ text: part, done: [] })
  })

  it.each([
    ['the last override with its parameter', '{ sort: { exclude: true } }', ''],
    [
      'one of several parameters',
      '{ sort: { exclude: true }, page: { maximum: 9 } }',
      ', params: { page: { maximum: 9 } }'
    ],
    ['one of several fields', '{ sort: { exclude: true, maximum: 9 } }', ', params: { sort: { maximum: 9 } }']
  ])('take `exclude` beside a fixed value out: %s', async (_, params, expected) => {
    const { text } = await fixed(annotated(`{ profiles: [explore, edit], fixed: { sort: [a] }, params: ${params} }`))
    expect(text).toBe(annotated(`{ profiles: [explore, edit], fixed: { sort: [a] }${expected} }`))
  })

  it('leave `exclude` where other operations share it', async () => {
    const text = annotated(`{ profiles: [explore, edit], fixed: { sort: [a] } }`).replace(
      'name: sort,',
      'name: sort, x-agent: { exclude: true },'
    )
    expect(await fixed(text)).toMatchObject({ text, done: [], left: ['info x-agent-fixed-excluded'] })
  })

  it('reach the documents that a document refers to, save those that may not be changed', async () => {
    const shared = 'file:///api/shared.yaml'
    const files = {
      [main]: annotated(ALL).replace('- { name: page', '- { $ref: shared.yaml#/limit }\n        - { name: page'),
      [shared]: 'limit: { name: limit, in: query, schema: { type: integer }, x-agent: { maximun: 10 } }\n'
    }
    const { texts } = await fixed(files)
    expect(texts).toEqual({ ...files, [shared]: files[shared]!.replace('maximun', 'maximum') })
    const kept = await fixed(files, { mayChange: (uri) => uri === main })
    expect(kept).toMatchObject({ texts: files, left: ['error x-agent-unknown-field'] })
  })

  it('are not made for rules that are off', async () => {
    const text = annotated('{ profiles: [explore, edit], tilte: List }')
    const rules = { 'x-agent-unknown-field': 'off' } as const
    expect(await fixed(text, { rules })).toMatchObject({ text, done: [], left: [] })
  })

  it('are made only for the findings that are wanted', async () => {
    const text = annotated('{ profiles: [explore, edti], tilte: List }')
    const { done } = await fixed(text, { isWanted: ({ rule }) => rule !== 'x-agent-unknown-field' })
    expect(done).toEqual(['Replace by "edit"'])
  })

  it('belong to a finding each, for those who choose one', async () => {
    const text = annotated('{ profiles: [explore, edit], tilte: List, params: { other: { maximum: 5 } } }')
    const session = sessionOf({ [main]: text })
    const { diagnostics } = await lintDocument(session, main)
    const fixes = await fixesOf(diagnostics, session, main)
    expect(diagnostics.map((d, i) => [d.rule, fixes[i]?.title])).toEqual([
      ['x-agent-unknown-field', 'Rename to "title"'],
      ['x-agent-unknown-parameter', undefined]
    ])
  })
})
