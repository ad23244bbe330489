import { Ajv2020 } from 'ajv/dist/2020.js'
import { Chalk } from 'chalk'
import { parse as parseJunit } from 'junit2json'
import { parse as parseHtml } from 'parse5'
import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import type { Severity } from '@openapi-mcp/core'
import type { PlacedFinding } from '../findings.js'
import { FORMATS, formatReport, outputsOf, type Format, type Report } from './report.js'

interface Short {
  file?: string
  severity?: Severity
  rule?: string
  message?: string
  path?: (string | number)[]
  line?: number | null
}

function finding({
  file = 'openapi.yaml',
  severity = 'error',
  rule = 'x-agent-unknown-field',
  message = 'unknown field "nmae"',
  path = ['paths', '/a|b', 'get'],
  line = 3
}: Short): PlacedFinding {
  return {
    diagnostic: { rule, severity, message, uri: `file:///work/${file}`, path },
    file,
    path,
    range: line === null ? undefined : { start: { line, character: 2 }, end: { line, character: 6 } },
    related: []
  }
}

function reportOf(findings: PlacedFinding[], more: Partial<Report> = {}): Report {
  return {
    findings,
    suppressed: [],
    documents: [...new Set(findings.map(({ file }) => file))],
    ruleOf: (id) =>
      id.startsWith('x-agent-')
        ? {
            summary: `Summary of ${id}.`,
            why: 'Why <it> matters.',
            severity: 'error',
            url: `https://rules.example/${id}`
          }
        : undefined,
    version: '1.2.3',
    ...more
  }
}

const shown = (format: Format, report: Report): Promise<string> =>
  formatReport(format, report, { paint: new Chalk({ level: 0 }), width: Infinity })

/** Text that breaks whatever is built by gluing strings together. */
const NASTY =
  'a "b" \'c\' <d> & ]]> | `e` </script> %0A ::error:: \u0000\u0007\u001b[31m 😀 \ud800 @team\nnext: line, [x](y)'

const nasty = [
  finding({ message: NASTY, file: 'apis/my api #1 (50%).yaml', path: ['a~b', 'c/d', 0, "it's"] }),
  finding({ severity: 'warning', rule: 'other-tool', line: null, file: 'https://api.example/a b.json' }),
  finding({ severity: 'info', file: 'C:\\work\\api.yaml' }),
  finding({ severity: 'hint' })
]

describe.each(FORMATS)('%s', (format) => {
  it('ends in a line end, is the same every time, and holds no control characters', async () => {
    const text = await shown(format, reportOf(nasty))
    expect(text.endsWith('\n')).toBe(true)
    expect(await shown(format, reportOf(nasty))).toBe(text)
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  })

  it('works without findings and without documents', async () => {
    await shown(format, reportOf([], { documents: ['openapi.yaml'] }))
    await shown(format, reportOf([]))
  })
})

describe('sarif', () => {
  const logOf = async (report: Report): Promise<Log> => JSON.parse(await shown('sarif', report)) as Log

  it('has the rules that occur, places from 1, and relative addresses', async () => {
    const { runs } = await logOf(reportOf(nasty, { suppressed: [finding({ rule: 'x-agent-foreign' })] }))
    const [run] = runs
    expect(run!.tool.driver.rules!.map((rule) => [rule.id, rule.helpUri])).toEqual([
      ['other-tool', undefined],
      ['x-agent-foreign', 'https://rules.example/x-agent-foreign'],
      ['x-agent-unknown-field', 'https://rules.example/x-agent-unknown-field']
    ])
    expect(
      run!.results!.map((r) => [r.ruleId, r.level, run!.tool.driver.rules![r.ruleIndex!]!.id === r.ruleId])
    ).toEqual([
      ['x-agent-unknown-field', 'error', true],
      ['other-tool', 'warning', true],
      ['x-agent-unknown-field', 'note', true],
      ['x-agent-unknown-field', 'note', true],
      ['x-agent-foreign', 'error', true]
    ])
    expect(run!.results!.map((r) => r.locations![0]!.physicalLocation)).toEqual([
      {
        artifactLocation: { uri: 'apis/my%20api%20%231%20(50%25).yaml', uriBaseId: 'ROOT' },
        region: { startLine: 4, startColumn: 3, endLine: 4, endColumn: 7 }
      },
      { artifactLocation: { uri: 'https://api.example/a%20b.json' } },
      { artifactLocation: { uri: 'file:///C:/work/api.yaml' }, region: expect.anything() as object },
      { artifactLocation: { uri: 'openapi.yaml', uriBaseId: 'ROOT' }, region: expect.anything() as object },
      { artifactLocation: { uri: 'openapi.yaml', uriBaseId: 'ROOT' }, region: expect.anything() as object }
    ])
    expect(run!.results!.map((r) => r.suppressions?.length ?? 0)).toEqual([0, 0, 0, 0, 1])
  })

  it('has fingerprints that stay when lines move, and differ from each other', async () => {
    const printsOf = async (lines: number[]): Promise<unknown[]> =>
      (await logOf(reportOf(lines.map((line) => finding({ line }))))).runs[0]!.results!.map(
        (r) => r.partialFingerprints
      )
    const prints = await printsOf([1, 2])
    expect(await printsOf([11, 12])).toEqual(prints)
    expect(prints[0]).not.toEqual(prints[1])
  })
})

describe('junit', () => {
  it('is read as suites and cases, failures where something is wrong', async () => {
    const text = await shown('junit', reportOf(nasty, { documents: ['clean.yaml', ...nasty.map(({ file }) => file)] }))
    const read = (await parseJunit(text)) as unknown as {
      tests: number
      failures: number
      testsuite: { name: string; testcase: { name: string; failure?: { type: string; message: string }[] }[] }[]
    }
    expect([read.tests, read.failures]).toEqual([5, 2])
    expect(read.testsuite.map((suite) => [suite.name, suite.testcase.map((c) => c.failure?.[0]?.type)])).toEqual([
      ['clean.yaml', [undefined]],
      ['apis/my api #1 (50%).yaml', ['error']],
      ['https://api.example/a b.json', ['warning']],
      ['C:/work/api.yaml', [undefined]],
      ['openapi.yaml', [undefined]]
    ])
    expect(read.testsuite[1]!.testcase[0]!.failure![0]!.message).toContain('<d> & ]]>')
  })
})

describe('github', () => {
  /** What the runner makes of a line (actions/toolkit, "command"). */
  function annotation(line: string): Record<string, string> {
    const [, command = '', list = '', data = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? []
    const decoded = (text: string): string =>
      text
        .replaceAll('%2C', ',')
        .replaceAll('%3A', ':')
        .replaceAll('%0A', '\n')
        .replaceAll('%0D', '\r')
        .replaceAll('%25', '%')
    const properties = list
      .split(',')
      .map((pair) => [pair.split('=', 1)[0]!, decoded(pair.slice(pair.indexOf('=') + 1))])
    return { command, ...(Object.fromEntries(properties) as object), message: decoded(data) }
  }

  it('is a command for each finding but hints, and a summary', async () => {
    const lines = (await shown('github', reportOf(nasty))).trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(annotation(lines[0]!)).toMatchObject({
      command: 'error',
      file: 'apis/my api #1 (50%).yaml',
      line: '4',
      col: '3',
      endColumn: '6',
      title: 'x-agent-unknown-field'
    })
    expect(annotation(lines[1]!)).toMatchObject({
      command: 'warning',
      file: 'https://api.example/a b.json',
      title: 'other-tool'
    })
    expect(lines.at(-1)).toBe('1 error, 1 warning in 4 documents')
  })
})

describe('gitlab', () => {
  it('fits the documented schema', async () => {
    const issues = JSON.parse(await shown('gitlab', reportOf(nasty))) as { fingerprint: string }[]
    const validate = new Ajv2020({ strict: false }).compile({
      type: 'array',
      items: {
        type: 'object',
        required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
        properties: {
          description: { type: 'string', minLength: 1 },
          check_name: { type: 'string', minLength: 1 },
          fingerprint: { type: 'string', pattern: '^[0-9a-f]+$' },
          severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
          location: {
            type: 'object',
            required: ['path', 'lines'],
            properties: {
              path: { type: 'string', not: { pattern: '^\\./' } },
              lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } }
            }
          }
        }
      }
    })
    expect(validate(issues), JSON.stringify(validate.errors)).toBe(true)
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length)
    expect(issues).toHaveLength(3)
  })
})

describe('markdown', () => {
  it('keeps text from a document as text', async () => {
    const text = await shown('markdown', reportOf(nasty))
    const rows = text.split('\n').filter((line) => line.startsWith('| 🔴'))
    expect(rows).toHaveLength(1)
    expect(rows[0]).not.toMatch(/[^\\]\|.*[^\\]\|.*[^\\]\|.*[^\\]\|.*[^\\]\|/)
    expect(text).not.toContain('<d>')
    expect(text).not.toContain('@team')
    expect(text).not.toContain('](y)')
  })

  it('fits a comment, however much there is to say', async () => {
    const many = Array.from({ length: 2000 }, (_, line) => finding({ line, message: 'x'.repeat(100) }))
    const text = await shown('markdown', reportOf(many))
    expect(text.length).toBeLessThan(65_536)
    expect(text).toMatch(/… and [\d,]+ more findings\.\n$/)
  })
})

describe('html', () => {
  it('is one page without scripts, in which text stays text', async () => {
    const text = await shown('html', reportOf(nasty))
    const errors: string[] = []
    const page = parseHtml(text, { onParseError: ({ code }) => errors.push(code) })
    expect(errors).toEqual([])
    const names = new Set<string>()
    const walk = (node: object): void => {
      if ('tagName' in node) names.add(node.tagName as string)
      for (const inner of 'childNodes' in node ? (node.childNodes as object[]) : []) walk(inner)
    }
    walk(page)
    expect([...names]).not.toContain('script')
    expect([...names]).not.toContain('d')
    expect(text).not.toMatch(/(src|href)="(?!https:\/\/rules\.example)/)
  })
})

describe('stylish', () => {
  it('counts hints and lists the rest', async () => {
    expect(await shown('stylish', reportOf([finding({}), finding({ severity: 'hint' })]))).toBe(
      `openapi.yaml
  openapi.yaml:4:3  error  x-agent-unknown-field  unknown field "nmae"
    $.paths['/a|b'].get

✖ 1 error, 1 hint (listed by --format json) in 1 document
`
    )
  })
})

describe('formats and files', () => {
  it.each<[Format[], string[], unknown]>([
    [[], [], [{ format: 'stylish' }]],
    [['json'], [], [{ format: 'json' }]],
    [['json'], ['a'], [{ format: 'json', file: 'a' }]],
    [['sarif', 'stylish'], ['a'], [{ format: 'sarif', file: 'a' }, { format: 'stylish' }]],
    [
      [],
      ['a.xml', 'b.MD', 'c'],
      [
        { format: 'junit', file: 'a.xml' },
        { format: 'markdown', file: 'b.MD' },
        { format: 'stylish', file: 'c' }
      ]
    ]
  ])('%j %j', (formats, files, expected) => expect(outputsOf(formats, files)).toEqual(expected))

  it.each<[Format[], string[]]>([
    [['json'], ['a', 'b']],
    [['json', 'sarif'], []]
  ])('not %j %j', (formats, files) => expect(() => outputsOf(formats, files)).toThrow(/files|standard output/))
})
