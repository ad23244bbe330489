import {
  createSession,
  nodeHost,
  parseDocument,
  toPointer,
  type Diagnostic,
  type Severity,
  type SourceDocument
} from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import {
  combined,
  lintConfigured,
  lintDocument,
  listFilesOf,
  loadLists,
  pathFrom,
  SuppressionList,
  updatedBaseline,
  uriFrom,
  type ConfigHost,
  type LintRun,
  type LintSettings,
  type LoadedConfig
} from '../index.js'

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

it('comments hold back what foreign rules find', async () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' } # openapi-mcp-disable-line info-contact
paths: {} # openapi-mcp-disable-line x-agent-unused-tga, other-rule
`
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
  const foreign = (document: SourceDocument): Promise<Diagnostic[]> =>
    Promise.resolve(
      ['info-contact', 'info-license'].map((rule) => ({
        rule,
        severity: 'warning',
        message: '',
        uri: document.uri,
        path: ['info']
      }))
    )
  const lintWith = async (settings: LintSettings): Promise<string[][]> => {
    const { diagnostics, suppressed } = await lintDocument(session, 'file:///openapi.yaml', settings, foreign)
    return [diagnostics.map((d) => d.rule), suppressed.map((d) => d.rule)]
  }
  expect(await lintWith({ foreignRules: true })).toEqual([['info-license', 'unknown-suppression'], ['info-contact']])
})

describe('lists hold findings back', () => {
  const folder = 'file:///work/'
  const listOf = async (text: string, kind: 'ignore file' | 'baseline' = 'ignore file'): Promise<SuppressionList> =>
    new SuppressionList(await parseDocument(`${folder}list.yaml`, text), kind)
  const finding = (file: string, rule: string, path: string[]): Diagnostic => ({
    rule,
    severity: 'warning',
    message: '',
    uri: folder + file,
    path
  })
  const run = (files: string[], settings: LintSettings = {}): LintRun => ({
    documents: files.map((file) => folder + file),
    settings
  })
  const part = (list: SuppressionList, findings: Diagnostic[], runs: LintRun[]): Record<string, string[]> => {
    const { kept, suppressed, own } = list.part(findings, (d) => d, runs)
    const names = (all: Diagnostic[]): string[] => all.map((d) => `${d.uri.slice(folder.length)} ${d.rule}`)
    return {
      kept: names(kept),
      suppressed: names(suppressed),
      own: own.map((d) => `${d.path.join(' ')}: ${d.message}`)
    }
  }

  it('by document, rule and place; one entry one finding', async () => {
    const list = await listOf('./apis\\a.yaml: { x-agent-no-description: [/paths/~1a/get] }\n')
    const place = ['paths', '/a', 'get']
    const findings = [
      finding('apis/b.yaml', 'x-agent-no-description', place),
      finding('apis/a.yaml', 'x-agent-unused-tag', place),
      finding('apis/a.yaml', 'x-agent-no-description', place),
      finding('apis/a.yaml', 'x-agent-no-description', place)
    ]
    const parted = {
      kept: [
        'apis/b.yaml x-agent-no-description',
        'apis/a.yaml x-agent-unused-tag',
        'apis/a.yaml x-agent-no-description'
      ],
      suppressed: ['apis/a.yaml x-agent-no-description'],
      own: []
    }
    expect(part(list, findings, [])).toEqual(parted)
    // A list is read once and used for run after run.
    expect(part(list, findings, [])).toEqual(parted)
  })

  it('and say what is of no use: of documents that were checked, of rules that ran, of documents that are gone', async () => {
    const list = await listOf(
      ['a.yaml', 'b.yaml', 'gone.yaml'].map((file) => `${file}: { x-agent-no-description: [/x] }\n`).join('')
    )
    list.setMissing('gone.yaml')
    const own = (...runs: LintRun[]): string[] => part(list, [], runs)['own']!
    const gone = 'gone.yaml: there is no document gone.yaml'
    const idle =
      'a.yaml x-agent-no-description 0: a.yaml has no finding of x-agent-no-description at this place any more'
    expect(own(run(['a.yaml']))).toEqual([idle, gone])
    const off = run(['a.yaml'], { rules: { 'x-agent-no-description': 'off' } })
    expect(own(off)).toEqual([gone])
    expect(own(off, run(['c.yaml', 'a.yaml']))).toEqual([idle, gone])
  })

  it('and what is wrong with them', async () => {
    const problemsOf = async (text: string, kind?: 'baseline'): Promise<string[]> =>
      (await listOf(text, kind)).problems.map((d) => `${d.severity} ${d.rule} ${d.path.join('/')}`)
    expect(
      await problemsOf(
        'a: 1\nb: { x-agent-no-descripton: [/x], x-agent-unused-tag: /x }\nc: { x-agent-unused-tag: [x] }\n'
      )
    ).toEqual([
      'error config-invalid-value a',
      'error config-invalid-value b/x-agent-unused-tag',
      'error config-invalid-value c/x-agent-unused-tag/0'
    ])
    expect(await problemsOf('[]')).toEqual(['error config-invalid-value '])
    expect(await problemsOf('')).toEqual([])
    expect(await problemsOf('a.yaml: { x-agent-unused-tag: [/x] }', 'baseline')).toEqual([
      'error config-invalid-value '
    ])
    expect(await problemsOf('version: 2', 'baseline')).toEqual(['error config-invalid-value version'])
  })

  it('and name rules that there are, or that may be those of a ruleset', async () => {
    const list = await listOf('a.yaml: { x-agent-unused-tga: [/x], operation-tags: [/x, /y] }')
    const own = (settings: LintSettings): string[] =>
      part(list, [finding('a.yaml', 'operation-tags', ['x'])], [run(['a.yaml'], settings)])['own']!
    const slip = 'a.yaml x-agent-unused-tga: there is no rule "x-agent-unused-tga"; did you mean "x-agent-unused-tag"?'
    expect(own({})).toEqual([slip, 'a.yaml operation-tags: there is no rule "operation-tags"'])
    expect(own({ foreignRules: true })).toEqual([slip])
  })

  it('a baseline is written in stable order, a finding on each line, and read again', async () => {
    const findings = [
      finding('b.yaml', 'x-agent-unused-tag', ['2']),
      finding('a.yaml', 'x-agent-unused-tag', ['2']),
      finding('../c/c.yaml', 'x-agent-unused-tag', ['1']),
      finding('a.yaml', 'x-agent-unused-tag', ['2'])
    ]
    const uri = `${folder}baseline.json`
    const text = updatedBaseline(uri, findings, [])
    expect(text).toBe(`{
  "version": 1,
  "findings": {
    "../c/c.yaml": {
      "x-agent-unused-tag": [
        "/1"
      ]
    },
    "a.yaml": {
      "x-agent-unused-tag": [
        "/2",
        "/2"
      ]
    },
    "b.yaml": {
      "x-agent-unused-tag": [
        "/2"
      ]
    }
  }
}
`)
    expect(updatedBaseline(uri, findings.toReversed(), [])).toBe(text)
    const list = await listOf(text, 'baseline')
    expect(part(list, findings, [run(['a.yaml', 'b.yaml', '../c/c.yaml'])])).toMatchObject({ kept: [], own: [] })
    // What was not checked stays, unless it is gone.
    list.setMissing('../c/c.yaml')
    const next = await listOf(updatedBaseline(uri, [], [run(['a.yaml'])], list), 'baseline')
    expect([...next.files.keys()]).toEqual(['b.yaml'])
  })

  it('that are named are read with what they need; a baseline may still be missing', async () => {
    const texts: Record<string, string> = {
      'ignore.yaml': 'a b.yaml: { x-agent-unused-tag: [/x] }\nsub/gone.yaml: { x-agent-unused-tag: [/x] }\n'
    }
    const host: ConfigHost = {
      list: (at) => Promise.resolve(at === folder ? ['ignore.yaml', 'a b.yaml'] : []),
      readText: (uri) => Promise.resolve(texts[uri.slice(folder.length)]!)
    }
    const files = listFilesOf({ config: { ignoreFile: './ignore.yaml', baseline: 'baseline.json' }, folder })
    const lists = await loadLists(files, host)
    expect(lists).toHaveLength(1)
    expect(part(lists[0]!, [], [])['own']).toEqual(['sub/gone.yaml: there is no document sub/gone.yaml'])
  })
})

describe('paths in files', () => {
  it.each([
    ['file:///work/', 'file:///work/a%20b/c.yaml', 'a b/c.yaml'],
    ['file:///work/api/', 'file:///work/shared/p.yaml', '../shared/p.yaml'],
    ['file:///C:/work/', 'file:///c%3A/work/%C3%A4.yaml', 'ä.yaml'],
    ['file:///C:/work/', 'file:///D:/work/a.yaml', 'file:///D:/work/a.yaml'],
    ['file:///work/', 'https://api.example/a.yaml', 'https://api.example/a.yaml']
  ])('from %s to %s', (from, uri, path) => {
    expect(pathFrom(from, uri)).toBe(path)
    expect(pathFrom(from, uriFrom(from, path))).toBe(path)
  })
})

describe('a file that several documents share', () => {
  it('has each finding once, and no comment that is of use to one of them is unused', () => {
    const at = (rule: string, severity: Severity, start: number): Diagnostic => ({
      rule,
      severity,
      message: '',
      uri: 'file:///shared.yaml',
      path: [],
      offset: { start, end: start + 1 }
    })
    const documents = (main: string): string[] => [`file:///${main}.yaml`, 'file:///shared.yaml']
    const findings = combined(
      [
        {
          findings: [at('x-agent-unused-tag', 'warning', 1), at('unused-suppression', 'warning', 2)],
          documents: documents('a')
        },
        {
          findings: [at('x-agent-unused-tag', 'error', 1), at('unused-suppression', 'warning', 3)],
          documents: documents('b')
        },
        { findings: [at('unused-suppression', 'warning', 3)], documents: documents('c') },
        { findings: [], documents: ['file:///d.yaml'] }
      ],
      (d) => d
    )
    expect(findings.map((d) => [d.rule, d.severity, d.offset!.start])).toEqual([['x-agent-unused-tag', 'error', 1]])
    const both = [at('unused-suppression', 'warning', 2)]
    const alone = ['a', 'b'].map((main) => ({ findings: both, documents: documents(main) }))
    expect(combined(alone, (d) => d)).toEqual(both)
  })
})

describe('lintConfigured', () => {
  it('gives what a host needs: settings, comments, lists and what is wrong with them, in order', async () => {
    const text = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${bare('a')}${bare('b')}${bare('c', ' # openapi-mcp-disable-line')}`
    const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
    const document = await parseDocument('file:///work/openapi-mcp.yaml', 'rules: { x-agent-no-description: info }')
    const loaded: LoadedConfig = {
      document,
      config: { rules: { 'x-agent-no-description': 'info' } },
      folder: 'file:///work/',
      diagnostics: []
    }
    const entries = 'apis/a.yaml: { x-agent-no-description: [/paths/~1a/get/x-agent, /paths/~1gone/get] }'
    const list = new SuppressionList(await parseDocument('file:///work/ignore.yaml', entries), 'ignore file')
    const { diagnostics, suppressed } = await lintConfigured(session, 'file:///work/apis/a.yaml', {
      loaded,
      lists: [list]
    })
    const shown = (all: Diagnostic[]): string[] =>
      all.map((d) => `${d.uri} ${d.severity} ${d.rule} ${toPointer(d.path)}`)
    expect(shown(diagnostics)).toEqual([
      'file:///work/apis/a.yaml info x-agent-no-description /paths/~1b/get/x-agent',
      'file:///work/ignore.yaml warning unused-suppression /apis~1a.yaml/x-agent-no-description/1'
    ])
    expect(shown(suppressed)).toEqual([
      'file:///work/apis/a.yaml info x-agent-no-description /paths/~1c/get/x-agent',
      'file:///work/apis/a.yaml info x-agent-no-description /paths/~1a/get/x-agent'
    ])
  })
})
