import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Ajv4 from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { Chalk } from 'chalk'
import { parse as parseJunit } from 'junit2json'
import { marked } from 'marked'
import { parse as parseHtml, parseFragment } from 'parse5'
import type { Log, Run } from 'sarif'
import { describe, expect, it } from 'vitest'
import type { Severity } from '@openapi-mcp/core'
import { validateXML } from 'xmllint-wasm'
import type { PlacedFinding } from '../findings.js'
import { fromRepository } from './paths.js'
import { FORMATS, formatReport, outputsOf, type Format, type Report } from './report.js'

interface Short {
  file?: string
  severity?: Severity
  rule?: string
  message?: string
  path?: (string | number)[]
  line?: number | null
  lines?: number
  related?: PlacedFinding['related']
}

function finding({
  file = 'openapi.yaml',
  severity = 'error',
  rule = 'x-agent-unknown-field',
  message = 'unknown field "nmae"',
  path = ['paths', '/a|b', 'get'],
  line = 3,
  lines = 0,
  related = []
}: Short): PlacedFinding {
  return {
    diagnostic: { rule, severity, message, uri: `file:///work/${file}`, path },
    file,
    path,
    range: line === null ? undefined : { start: { line, character: 2 }, end: { line: line + lines, character: 6 } },
    related
  }
}

function reportOf(findings: PlacedFinding[], more: Partial<Report> = {}): Report {
  return {
    findings,
    suppressed: [],
    accepted: [],
    documents: [...new Set(findings.map(({ file }) => file))],
    unreadable: [],
    ruleOf: (id) =>
      id.startsWith('x-agent-')
        ? {
            summary: `Summary of \`${id}\`.`,
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
  'a "b" \'c\' <d> & ]]> --> | `e` </script></td> %0A ::error:: \u0000\u0007\u001b[31m\u009b\ufffe\u202e 😀 \ud800 @team #12 GET\r\nnext: line, [x](y) <!-- https://evil.example www.evil.example *z* \\| $1 {0}'

const nasty = [
  finding({
    message: NASTY,
    file: 'apis/my api #1 (50%) é, a:b.yaml',
    path: ['a~b', 'c/d', 0, "it's", '`|\\|<e>', '\u0001\n']
  }),
  finding({ severity: 'warning', rule: 'other-tool', line: null, file: 'https://api.example/a%20b.json?c=d e' }),
  finding({ severity: 'info', file: 'C:\\work\\api.yaml', lines: 2 }),
  finding({ severity: 'hint', related: [{ file: 'b c.yaml', path: ['x'], range: undefined, message: NASTY }] })
]

const nastyReport = reportOf(nasty, {
  documents: ['clean <1>.yaml', ...nasty.map(({ file }) => file)],
  suppressed: [finding({ rule: 'x-agent-foreign' })],
  accepted: [finding({ rule: 'x-agent-foreign', message: NASTY })],
  unreadable: [`lost.yaml cannot be read: ${NASTY}`]
})

/** More than the readers show. */
const many = reportOf(Array.from({ length: 2000 }, (_, line) => finding({ line, message: 'x'.repeat(100) })))

describe.each(FORMATS)('%s', (format) => {
  it('ends in one line end, is the same every time, and holds nothing that acts on a terminal', async () => {
    const text = await shown(format, nastyReport)
    expect(text).toMatch(/[^\n]\n$/)
    expect(await shown(format, nastyReport)).toBe(text)
    expect(text.isWellFormed()).toBe(true)
    if (format !== 'json') expect(text).not.toMatch(/\\ud[89ab]../)
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it('works without findings, without documents and with many', async () => {
    for (const report of [reportOf([], { documents: ['openapi.yaml'] }), reportOf([]), many])
      expect(typeof (await shown(format, report))).toBe('string')
  })
})

describe('sarif', () => {
  const require = createRequire(import.meta.url)
  const schema = JSON.parse(
    readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')
  ) as object
  const ajv = new Ajv4.default({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv as never)
  const validate = ajv.compile<Log>(schema)

  async function runOf(report: Report): Promise<Run> {
    const log: unknown = JSON.parse(await shown('sarif', report))
    if (!validate(log)) throw new Error(JSON.stringify(validate.errors))
    return log.runs[0]!
  }

  it('fits the schema, whatever there is', async () => {
    for (const report of [nastyReport, reportOf([]), many]) await runOf(report)
    expect(validate({ version: '2.1.0', runs: [{}] })).toBe(false)
  })

  it('has the rules that occur, each with the texts that code scanning wants', async () => {
    const { tool } = await runOf(nastyReport)
    expect(tool.driver.rules!.map((rule) => [rule.id, rule.helpUri, rule.shortDescription?.text])).toEqual([
      ['other-tool', undefined, 'other-tool'],
      ['x-agent-foreign', 'https://rules.example/x-agent-foreign', 'Summary of `x-agent-foreign`.'],
      ['x-agent-unknown-field', 'https://rules.example/x-agent-unknown-field', 'Summary of `x-agent-unknown-field`.']
    ])
    for (const { fullDescription, help } of tool.driver.rules!)
      expect([fullDescription?.text, help?.text]).not.toContain(undefined)
  })

  it('names rule and level, and says what holds a finding back', async () => {
    const { results, tool } = await runOf(nastyReport)
    const rules = tool.driver.rules!
    expect(results!.map((r) => [rules[r.ruleIndex!]!.id, r.level, r.suppressions?.map(({ kind }) => kind)])).toEqual([
      ['x-agent-unknown-field', 'error', undefined],
      ['other-tool', 'warning', undefined],
      ['x-agent-unknown-field', 'note', undefined],
      ['x-agent-unknown-field', 'note', undefined],
      ['x-agent-foreign', 'error', ['inSource']],
      ['x-agent-foreign', 'error', ['external']]
    ])
    expect(results!.map((r) => r.ruleId)).toEqual(results!.map((r) => rules[r.ruleIndex!]!.id))
  })

  it('has places from 1 and addresses that are escaped once', async () => {
    const { results } = await runOf(nastyReport)
    expect(results!.slice(0, 4).map((r) => r.locations![0]!.physicalLocation)).toEqual([
      {
        artifactLocation: { uri: 'apis/my%20api%20%231%20(50%25)%20%C3%A9%2C%20a%3Ab.yaml', uriBaseId: 'ROOT' },
        region: { startLine: 4, startColumn: 3, endLine: 4, endColumn: 7 }
      },
      {
        artifactLocation: { uri: 'https://api.example/a%20b.json?c=d%20e' },
        region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }
      },
      {
        artifactLocation: { uri: 'file:///C:/work/api.yaml' },
        region: { startLine: 4, startColumn: 3, endLine: 6, endColumn: 7 }
      },
      {
        artifactLocation: { uri: 'openapi.yaml', uriBaseId: 'ROOT' },
        region: { startLine: 4, startColumn: 3, endLine: 4, endColumn: 7 }
      }
    ])
    expect(results![3]!.relatedLocations).toMatchObject([
      { id: 0, physicalLocation: { artifactLocation: { uri: 'b%20c.yaml', uriBaseId: 'ROOT' } } }
    ])
    expect(results![1]!.locations![0]!.logicalLocations![0]!.fullyQualifiedName).toBe("$.paths['/a|b'].get")
  })

  it('has fingerprints that stay when lines move, and differ from each other', async () => {
    const printsOf = async (lines: number[]): Promise<unknown[]> =>
      (await runOf(reportOf(lines.map((line) => finding({ line }))))).results!.map((r) => r.partialFingerprints)
    const prints = await printsOf([1, 2])
    expect(await printsOf([11, 12])).toEqual(prints)
    expect(prints[0]).not.toEqual(prints[1])
  })

  it('says that the run failed where something cannot be read', async () => {
    const { invocations } = await runOf(reportOf([], { unreadable: ['a.yaml cannot be read'] }))
    expect(invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: 'error', message: { text: 'a.yaml cannot be read' } }]
      }
    ])
    expect((await runOf(reportOf([]))).invocations).toBeUndefined()
  })
})

describe('junit', () => {
  interface Read {
    tests: number
    failures: number
    errors: number
    testsuite: {
      name: string
      testcase: { name: string; failure?: Outcome[]; error?: Outcome[] }[]
    }[]
  }
  interface Outcome {
    type: string
    message: string
    inner: string
  }
  const read = async (report: Report): Promise<Read> =>
    (await parseJunit(await shown('junit', report))) as unknown as Read

  /** The elements and attributes that Jenkins, GitLab and the test reporters of GitHub know, with what they need. */
  const SCHEMA = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    <xs:attributeGroup name="numbers">
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
      <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
      <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
      <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
    </xs:attributeGroup>
    <xs:complexType name="outcome"><xs:simpleContent><xs:extension base="xs:string">
      <xs:attribute name="type" type="xs:string" use="required"/>
      <xs:attribute name="message" type="xs:string" use="required"/>
    </xs:extension></xs:simpleContent></xs:complexType>
    <xs:element name="testcase"><xs:complexType>
      <xs:choice minOccurs="0">
        <xs:element name="failure" type="outcome"/>
        <xs:element name="error" type="outcome"/>
        <xs:element name="system-out" type="xs:string"/>
      </xs:choice>
      <xs:attribute name="classname" type="xs:string" use="required"/>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="file" type="xs:string"/>
      <xs:attribute name="line" type="xs:positiveInteger"/>
    </xs:complexType></xs:element>
    <xs:element name="testsuite"><xs:complexType>
      <xs:sequence><xs:element ref="testcase" maxOccurs="unbounded"/></xs:sequence>
      <xs:attributeGroup ref="numbers"/>
    </xs:complexType></xs:element>
    <xs:element name="testsuites"><xs:complexType>
      <xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
      <xs:attributeGroup ref="numbers"/>
    </xs:complexType></xs:element>
  </xs:schema>`

  it('is XML that the parser of GitLab takes, and has what readers need', async () => {
    for (const report of [nastyReport, reportOf([]), many]) {
      const xml = [{ fileName: 'lint.xml', contents: await shown('junit', report) }]
      expect(await validateXML({ xml, schema: [SCHEMA] })).toMatchObject({ valid: true, errors: [] })
    }
  })

  it('is read as suites and cases: failures where something is wrong, errors where something cannot be read', async () => {
    const report = await read(nastyReport)
    expect([report.tests, report.failures, report.errors]).toEqual([6, 2, 1])
    expect(report.testsuite.map((suite) => [suite.name, suite.testcase.map((c) => c.failure?.[0]?.type)])).toEqual([
      ['clean <1>.yaml', [undefined]],
      ['apis/my api #1 (50%) é, a:b.yaml', ['error']],
      ['https://api.example/a%20b.json?c=d e', ['warning']],
      ['C:/work/api.yaml', [undefined]],
      ['openapi.yaml', [undefined]],
      ['cannot be read', [undefined]]
    ])
    expect(report.testsuite[1]!.testcase[0]!.failure![0]!.message).toContain('<d> & ]]> --> |')
    expect(report.testsuite[5]!.testcase[0]!.error![0]!.message).toContain('lost.yaml cannot be read')
  })

  it('gives each case a name of its own, and the place in its text', async () => {
    const [suite] = (await read(reportOf([finding({}), finding({ line: 9 })]))).testsuite
    expect(suite!.testcase.map(({ name, failure }) => [name, failure![0]!.inner])).toEqual([
      [
        "x-agent-unknown-field $.paths['/a|b'].get",
        'openapi.yaml:4:3 error unknown field "nmae"\n$.paths[\'/a|b\'].get'
      ],
      [
        "x-agent-unknown-field $.paths['/a|b'].get (2)",
        'openapi.yaml:10:3 error unknown field "nmae"\n$.paths[\'/a|b\'].get'
      ]
    ])
  })
})

describe('github', () => {
  /** What the runner makes of a line: actions/runner, ActionCommand.TryParseV2. */
  function commandOf(line: string): { command: string; properties: Record<string, string>; data: string } {
    if (!line.trimStart().startsWith('::')) throw new Error(`no command: ${line}`)
    const end = line.indexOf('::', 2)
    const [, command = '', list = ''] = /^(\S+)(?: (.*))?$/.exec(line.slice(2, end))!
    const data = (text: string): string => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
    const property = (text: string): string =>
      text
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',')
        .replaceAll('%25', '%')
    const pairs = list.split(',').filter(Boolean)
    return {
      command,
      properties: Object.fromEntries(
        pairs.map((pair) => [pair.split('=', 1)[0]!, property(pair.slice(pair.indexOf('=') + 1))])
      ),
      data: data(line.slice(end + 2))
    }
  }

  it('is a command for each finding but hints, and a summary', async () => {
    const lines = (await shown('github', nastyReport)).trimEnd().split('\n')
    expect(lines.pop()).toBe('1 error, 1 warning in 5 documents')
    const commands = lines.map(commandOf)
    expect(commands.map(({ command, properties }) => [command, properties])).toEqual([
      ['error', {}],
      [
        'error',
        {
          file: 'apis/my api #1 (50%) é, a:b.yaml',
          line: '4',
          endLine: '4',
          col: '3',
          endColumn: '6',
          title: 'x-agent-unknown-field'
        }
      ],
      // No file of the repository.
      ['warning', { title: 'other-tool' }],
      // Columns of more than one line are refused.
      ['notice', { file: 'C:/work/api.yaml', line: '4', endLine: '6', title: 'x-agent-unknown-field' }]
    ])
    expect(commands[1]!.data).toContain('</td> %0A ::error:: <U+0000>')
    expect(commands[2]!.data).toBe('unknown field "nmae"\nhttps://api.example/a%20b.json?c=d e\n$.paths[\'/a|b\'].get')
  })
})

describe('gitlab', () => {
  it('fits the documented schema', async () => {
    const issues = JSON.parse(await shown('gitlab', nastyReport)) as { fingerprint: string; location: object }[]
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
    expect(issues.map(({ location }) => location)).toEqual([
      { path: 'apis/my api #1 (50%) é, a:b.yaml', lines: { begin: 4, end: 4 } },
      { path: 'https://api.example/a%20b.json?c=d e', lines: { begin: 1, end: 1 } },
      { path: 'C:/work/api.yaml', lines: { begin: 4, end: 6 } }
    ])
  })

  it('has a fingerprint for each issue, which stays when lines move', async () => {
    const printsOf = async (from: number): Promise<string[]> => {
      const findings = [0, 1, 2].map((line) => finding({ line: from + line }))
      const issues = JSON.parse(await shown('gitlab', reportOf(findings))) as { fingerprint: string }[]
      return issues.map(({ fingerprint }) => fingerprint)
    }
    expect(new Set(await printsOf(0)).size).toBe(3)
    expect(await printsOf(50)).toEqual(await printsOf(0))
  })
})

/** Names of the elements of a page, and the text of those that are asked for. */
function elements(node: object, wanted = ''): { names: Set<string>; texts: string[] } {
  const names = new Set<string>()
  const texts: string[] = []
  const walk = (current: object): string => {
    if ('value' in current) return current.value as string
    const text = 'childNodes' in current ? (current.childNodes as object[]).map(walk).join('') : ''
    if ('tagName' in current) names.add(current.tagName as string)
    if ('tagName' in current && current.tagName === wanted) texts.push(text)
    return text
  }
  walk(node)
  return { names, texts }
}

describe('markdown', () => {
  const page = async (report: Report): Promise<object> =>
    parseFragment(await marked.parse(await shown('markdown', report), { gfm: true }))

  it('keeps text from a document as text', async () => {
    const { names, texts } = elements(await page(nastyReport), 'td')
    expect([...names].sort()).toEqual(
      ['a', 'br', 'code', 'h3', 'h4', 'p', 'table', 'tbody', 'td', 'th', 'thead', 'tr'].sort()
    )
    expect(texts).toHaveLength(3 * 3)
    expect(texts[2]).toBe(
      'a "b" \'c\' <d> & ]]> --> | `e` </script></td> %0A ::error:: <U+0000><U+0007><U+001B>[31m<U+009B>\ufffe<U+202E> 😀 \ufffd @\u200dteam #\u200d12 GET next: line, [x](y) <!-- https://evil.example www.evil.example *z* \\| $1 {0}' +
        "x-agent-unknown-field $['a~b']['c/d'][0]['it\\'s']['`|\\\\|<e>']['\\u0001\\n']"
    )
    const { texts: links } = elements(await page(nastyReport), 'a')
    expect(new Set(links)).toEqual(new Set(['x-agent-unknown-field']))
  })

  it('says what cannot be read', async () => {
    expect(await shown('markdown', reportOf([], { unreadable: ['a.yaml cannot be read'] }))).toBe(
      '### openapi-mcp lint\n\nNo findings in 0 documents.\n\n❌ a.yaml cannot be read\n'
    )
  })

  it('fits a comment, however much there is to say', async () => {
    for (const report of [many, reportOf([finding({ message: '|'.repeat(100_000) }), finding({})])]) {
      const text = await shown('markdown', report)
      expect(text.length).toBeLessThan(65_536)
      expect(text.split('\n').filter((line) => line.startsWith('| 🔴')).length).toBeGreaterThan(1)
    }
    expect(await shown('markdown', many)).toMatch(/… and [\d,]+ more findings\.\n$/)
  })
})

describe('html', () => {
  it('is one page without scripts, in which text stays text', async () => {
    const text = await shown('html', nastyReport)
    const errors: string[] = []
    const page = parseHtml(text, { onParseError: ({ code }) => errors.push(code) })
    expect(errors).toEqual([])
    const { names, texts } = elements(page, 'td')
    expect([...names].filter((name) => ['script', 'd', 'e', 'img', 'link'].includes(name))).toEqual([])
    expect(texts).toHaveLength(4 * 4)
    expect(texts.slice(0, 4)).toEqual([
      '4:3',
      'error',
      expect.stringContaining('</script></td> %0A ::error:: <U+0000>'),
      'x-agent-unknown-fieldSummary of x-agent-unknown-field. Why <it> matters.'
    ])
    expect(elements(page, 'h2').texts).toEqual([
      'Cannot be read',
      'apis/my api #1 (50%) é, a:b.yaml',
      'https://api.example/a%20b.json?c=d e',
      'C:\\work\\api.yaml',
      'openapi.yaml',
      'Without findings'
    ])
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

describe('paths from the root of the repository', () => {
  const filesIn = (format: Format, env: Record<string, string>): string[] => {
    const files = ['a.yaml', '../b.yaml', '/work/repository/c.yaml', '/elsewhere/d.yaml', 'https://api.example/e.yaml']
    const report = reportOf(files.map((file) => finding({ file })))
    const located = fromRepository(format, report, { cwd: '/work/repository/apis', env })
    expect(located.documents).toEqual(located.findings.map(({ file }) => file))
    return located.documents
  }
  const known = ['apis/a.yaml', 'b.yaml', 'c.yaml', '/elsewhere/d.yaml', 'https://api.example/e.yaml']

  it.each<[Format, Record<string, string>]>([
    ['sarif', { GITHUB_WORKSPACE: '/work/repository' }],
    ['github', { GITHUB_WORKSPACE: '/work/repository/' }],
    ['gitlab', { CI_PROJECT_DIR: '/work/repository' }]
  ])('%s %j', (format, env) => expect(filesIn(format, env)).toEqual(known))

  it.each<[Format, Record<string, string>]>([
    ['stylish', { GITHUB_WORKSPACE: '/work/repository' }],
    ['sarif', {}],
    ['sarif', { GITHUB_WORKSPACE: '/work/other' }]
  ])('not %s %j', (format, env) => expect(filesIn(format, env)[0]).toBe('a.yaml'))
})

describe('formats and files', () => {
  it.each<[Format[], string[], unknown]>([
    [[], [], [{ format: 'stylish' }]],
    [['json'], [], [{ format: 'json' }]],
    [['json'], ['a'], [{ format: 'json', file: 'a' }]],
    [['sarif', 'stylish'], ['a'], [{ format: 'sarif', file: 'a' }, { format: 'stylish' }]],
    [
      [],
      ['a.xml', 'b.MD', 'c', 'lint.sarif.json', 'sarif.json', 'd.html'],
      [
        { format: 'junit', file: 'a.xml' },
        { format: 'markdown', file: 'b.MD' },
        { format: 'stylish', file: 'c' },
        { format: 'sarif', file: 'lint.sarif.json' },
        { format: 'json', file: 'sarif.json' },
        { format: 'html', file: 'd.html' }
      ]
    ]
  ])('%j %j', (formats, files, expected) => expect(outputsOf(formats, files)).toEqual(expected))

  it.each<[Format[], string[], string]>([
    [['json'], ['a', 'b'], 'there are 2 files (-o) for 1 format (-f)'],
    [['json', 'sarif'], [], 'only one report can go to standard output; give each other format (-f) a file (-o)'],
    [['json', 'sarif'], ['a', 'a'], 'two reports cannot go to one file (-o a)']
  ])('not %j %j', (formats, files, message) => expect(() => outputsOf(formats, files)).toThrow(message))
})
