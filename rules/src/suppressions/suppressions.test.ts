import { createSession, nodeHost, parseDocument } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import { baselineText, lintDocument, SuppressionList, type LintSettings } from '../index.js'

/** The findings of a document around operations, as `line rule`; those that are held back behind them. */
async function lint(operations: string, settings?: LintSettings): Promise<{ kept: string[]; suppressed: string[] }> {
  const text = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${operations}`
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
  const { diagnostics, suppressed } = await lintDocument(session, 'file:///openapi.yaml', settings)
  const lines = (findings: typeof diagnostics): string[] =>
    findings.map((d) => `${session.rangeOf(d)!.start.line + 1} ${d.rule}`)
  return { kept: lines(diagnostics), suppressed: lines(suppressed) }
}

/** An operation on one line that has no description, with a comment behind it. */
const bare = (path: string, comment = ''): string =>
  `  /${path}: { get: { operationId: ${path}, x-agent: {}, responses: {} } }${comment}\n`

describe('comments hold findings back', () => {
  it('on the next line of code, on their own, in a block, in the file', async () => {
    expect(
      await lint(
        '  # openapi-mcp-disable-next-line x-agent-no-description -- later\n\n  # why not\n' +
          bare('a') +
          bare('b', ' # openapi-mcp-disable-line') +
          bare('c') +
          '  # openapi-mcp-disable x-agent-no-description\n' +
          bare('d') +
          bare('e') +
          '  # openapi-mcp-enable x-agent-no-description\n' +
          bare('f')
      )
    ).toEqual({
      kept: ['9 x-agent-no-description', '14 x-agent-no-description'],
      suppressed: [7, 8, 11, 12].map((line) => `${line} x-agent-no-description`)
    })
    expect(await lint(`${bare('a')}${bare('b')}# openapi-mcp-disable-file`)).toMatchObject({ kept: [] })
  })

  it('of the rules that they name, and no others', async () => {
    const twice = '  /a: { get: { operationId: a, x-agent: { profiles: [] }, responses: {} } }'
    expect(await lint(`${twice} # openapi-mcp-disable-line x-agent-no-description\n`)).toMatchObject({
      kept: ['4 x-agent-never-selected']
    })
    expect(
      await lint(`${twice} # openapi-mcp-disable-line x-agent-no-description, x-agent-never-selected -- x -- y\n`)
    ).toMatchObject({ kept: [] })
  })

  it('and only comments do', async () => {
    const quoted = bare('a').replace('operationId: a', 'operationId: a, description: "# openapi-mcp-disable-file"')
    expect(await lint(quoted.replace('description:', 'x-note:'))).toMatchObject({ kept: ['4 x-agent-no-description'] })
  })

  it('that hold nothing back are reported, those of rules that are off are not', async () => {
    const idle = '# openapi-mcp-disable-file x-agent-no-description, x-agent-unused-tag\n'
    expect(await lint(bare('a') + idle)).toMatchObject({ kept: ['5 unused-suppression'] })
    expect(await lint(bare('a') + idle, { rules: { 'x-agent-unused-tag': 'off' } })).toMatchObject({ kept: [] })
    expect(await lint(bare('a') + idle, { rules: { 'unused-suppression': 'off' } })).toMatchObject({ kept: [] })
  })

  it('in blocks that end for one rule and go on for the others', async () => {
    const never = (path: string): string =>
      `  /${path}: { get: { operationId: ${path}, summary: S., x-agent: { profiles: [] }, responses: {} } }\n`
    const named =
      '  # openapi-mcp-disable x-agent-no-description, x-agent-never-selected\n' +
      bare('a') +
      '  # openapi-mcp-enable x-agent-no-description\n' +
      bare('b') +
      never('c')
    expect(await lint(named)).toEqual({
      kept: ['7 x-agent-no-description'],
      suppressed: ['5 x-agent-no-description', '8 x-agent-never-selected']
    })
    expect(await lint(named.replace('disable x-agent-no-description, x-agent-never-selected', 'disable'))).toEqual({
      kept: ['7 x-agent-no-description'],
      suppressed: ['5 x-agent-no-description', '8 x-agent-never-selected']
    })
  })

  it('and an end without a beginning is reported', async () => {
    expect(await lint(`${bare('a', ' # openapi-mcp-enable x-agent-no-description')}`)).toEqual({
      kept: ['4 x-agent-no-description', '4 unused-suppression'],
      suppressed: []
    })
  })

  it('with a slip of the pen are reported', async () => {
    const { kept } = await lint(
      `  # openapi-mcp-disable-nextline x-agent-no-description\n${bare('a', ' # openapi-mcp-disable-line x-agent-no-descripton')}  # see openapi-mcp-rules\n`
    )
    expect(kept).toEqual(['4 unknown-suppression', '5 x-agent-no-description', '5 unknown-suppression'])
  })

  it('with a reason that lacks its sign are reported once, each slip at its place', async () => {
    const comment = '  # openapi-mcp-disable-next-line x-agent-no-description, x-agent-unused-tga nobody cares for it\n'
    const uri = 'file:///openapi.yaml'
    const text = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${comment}${bare('a')}`
    const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
    const { diagnostics } = await lintDocument(session, uri)
    expect(diagnostics.map((d) => [session.rangeOf(d)!.start, d.message])).toEqual([
      [{ line: 3, character: 58 }, 'there is no rule "x-agent-unused-tga"; did you mean "x-agent-unused-tag"?'],
      [{ line: 3, character: 77 }, 'there is no rule "nobody"; a reason stands behind --']
    ])
  })
})

describe('lists hold findings back', () => {
  const listOf = async (text: string, key?: string): Promise<SuppressionList> =>
    new SuppressionList(await parseDocument('file:///work/list.yaml', text), key)
  const finding = { rule: 'x-agent-no-description', path: ['paths', '/a', 'get'] }

  it('by document, rule and place; one entry one finding', async () => {
    const list = await listOf('./apis\\a.yaml: { x-agent-no-description: [/paths/~1a/get] }\n')
    expect(list.suppresses('apis/b.yaml', finding)).toBe(false)
    expect(list.suppresses('apis/a.yaml', { ...finding, rule: 'x-agent-unused-tag' })).toBe(false)
    expect(list.suppresses('apis/a.yaml', finding)).toBe(true)
    expect(list.suppresses('apis/a.yaml', finding)).toBe(false)
    expect(list.suppresses(undefined, finding)).toBe(false)
  })

  it('and say what is of no use, of documents that were checked', async () => {
    const list = await listOf('a.yaml: { x-agent-no-description: [/x] }\nb.yaml: { x-agent-no-description: [/x] }\n')
    const unused = list.unused(
      (file) => file === 'a.yaml',
      () => true
    )
    expect(unused.map((d) => [d.rule, d.path])).toEqual([
      ['unused-suppression', ['a.yaml', 'x-agent-no-description', 0]]
    ])
  })

  it('and what is wrong with them', async () => {
    const { problems } = await listOf(
      'a: 1\nb: { x-agent-no-descripton: [/x], x-agent-unused-tag: /x }\nc: { x-agent-unused-tag: [x] }\n'
    )
    expect(problems.map((d) => `${d.rule} ${d.path.join('/')}`)).toEqual([
      'config-invalid-value a',
      'unknown-suppression b/x-agent-no-descripton',
      'config-invalid-value b/x-agent-unused-tag',
      'config-invalid-value c/x-agent-unused-tag/0'
    ])
  })

  it('a baseline is written in stable order and read again', async () => {
    const entries = [
      { file: 'b.yaml', rule: 'r', pointer: '/2' },
      { file: 'a.yaml', rule: 'r', pointer: '/2' },
      { file: 'a.yaml', rule: 'r', pointer: '/1' },
      { file: 'a.yaml', rule: 'r', pointer: '/1' }
    ]
    const text = baselineText(entries)
    expect(text).toBe(baselineText(entries.toReversed()))
    const list = await listOf(text, 'findings')
    expect(list.entriesOf(() => true)).toHaveLength(4)
  })
})
