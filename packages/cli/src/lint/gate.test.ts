import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../cli.js'

/** A document with one error, one warning and one hint. */
const DOCUMENT = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    get:
      operationId: listItems
      x-agent: {} # no words
      responses: { '200': { description: ok } }
    post:
      operationId: addItem
      summary: Add an item.
      x-agent: { desciption: Add one. }
      responses: { '201': { description: ok } }
`

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'openapi-mcp-gate-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  write('apis/shop.yaml', DOCUMENT)
})

function write(name: string, text: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), text)
}

const read = (name: string): string => readFileSync(join(cwd, name), 'utf8')

async function lint(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return lintWith({}, ...argv)
}

async function lintWith(
  { stdin = '', folder = '', env = {} }: { stdin?: string; folder?: string; env?: Record<string, string> },
  ...argv: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = { stdout: '', stderr: '' }
  const code = await run(['lint', ...argv], {
    stdout: (text) => void (out.stdout += text),
    stderr: (text) => void (out.stderr += text.replaceAll(cwd, '<cwd>')),
    cwd: join(cwd, folder),
    env,
    isTerminal: false,
    columns: undefined,
    stdin: () => Promise.resolve(stdin),
    interrupted: () => Promise.resolve(),
    exitSoon: () => {}
  })
  return { code, ...out }
}

/** `file:line severity rule` of every finding. */
async function findings(...argv: string[]): Promise<string[]> {
  return findingsIn((await lint('-f', 'json', ...argv)).stdout)
}

function findingsIn(json: string): string[] {
  const { diagnostics } = JSON.parse(json) as {
    diagnostics: { file: string; severity: string; rule: string; range: { start: { line: number } } }[]
  }
  return diagnostics.map((d) => `${d.file}:${d.range.start.line + 1} ${d.severity} ${d.rule}`)
}

const ERROR = 'apis/shop.yaml:12 error x-agent-unknown-field'
const WARNING = 'apis/shop.yaml:7 warning x-agent-no-description'
const HINT = 'apis/shop.yaml:12 hint x-agent-missing-hints'

it('finds the documents of a folder, and says the same of them however they are named', async () => {
  const all = [WARNING, HINT, ERROR]
  expect(await findings('apis')).toEqual(all)
  expect(await findings('apis/*.yaml')).toEqual(all)
  expect(await findings('apis/shop.yaml', 'apis')).toEqual(all)
})

describe('the exit code', () => {
  it.each([
    [['apis'], 1],
    [['apis', '--fail-on', 'never'], 0],
    [['apis/ok.yaml'], 0],
    [['apis/ok.yaml', '--fail-on', 'warning'], 1],
    [['apis/ok.yaml', '--max-warnings', '0'], 1],
    [['apis/ok.yaml', '--max-warnings', '1'], 0],
    [['apis', 'gone.yaml'], 2],
    [['apis', 'nothing'], 2],
    [['apis', '--client', 'nobody'], 2],
    [['apis', '-f', 'json', '-f', 'sarif'], 2]
  ])('of %j is %i', async (argv, code) => {
    write('apis/ok.yaml', DOCUMENT.replace('desciption', 'description'))
    mkdirSync(join(cwd, 'nothing'))
    expect((await lint(...argv)).code).toBe(code)
  })

  it('tells of one document that cannot be read, and the others are reported all the same', async () => {
    const { code, stdout, stderr } = await lint('gone.yaml', 'apis')
    expect([code, stderr]).toEqual([2, 'openapi-mcp: <cwd>/gone.yaml cannot be read: there is no such file\n'])
    expect(stdout).toContain('1 error, 1 warning, 1 hint (listed by --format json) in 1 document')
  })
})

it('reads standard input under the name of a file', async () => {
  const { stdout } = await lintWith({ stdin: DOCUMENT }, '-', '--stdin-filename', 'apis/shop.yaml', '-f', 'json')
  expect(findingsIn(stdout)).toEqual([WARNING, HINT, ERROR])
})

it('writes several reports at once', async () => {
  const { stdout, code } = await lint(
    'apis',
    '-f',
    'sarif',
    '-o',
    'a.sarif',
    '-o',
    'b.xml',
    '-f',
    'junit',
    '-f',
    'github'
  )
  expect(code).toBe(1)
  expect(stdout).toMatch(/^::warning file=apis\/shop\.yaml,line=7/)
  expect(read('a.sarif')).toContain('"version": "2.1.0"')
  expect(read('b.xml')).toMatch(/^<\?xml/)
})

it('tells a job of CI the files from the root of the repository, and what cannot be read', async () => {
  const { stdout } = await lintWith(
    { folder: 'apis', env: { GITHUB_WORKSPACE: cwd } },
    'shop.yaml',
    'gone.yaml',
    '-f',
    'github'
  )
  expect(stdout.replaceAll(cwd, '<cwd>').split('\n')).toEqual([
    '::error::<cwd>/apis/gone.yaml cannot be read: there is no such file',
    expect.stringMatching(/^::warning file=apis\/shop\.yaml,line=7/),
    expect.stringMatching(/^::error file=apis\/shop\.yaml,line=12/),
    '1 error, 1 warning in 1 document',
    ''
  ])
})

describe('a configuration', () => {
  it('names documents, severities and clients, is found upwards, and settles what fails', async () => {
    write(
      'openapi-mcp.yaml',
      `documents: ['apis/**']
rules: { x-agent-no-description: error, x-agent-missing-hints: off }
overrides: [{ files: 'apis/legacy/**', rules: { x-agent-unknown-field: off } }]
ignore: ['apis/draft/**']
failOn: never
`
    )
    write('apis/legacy/old.yaml', DOCUMENT)
    write('apis/draft/new.yaml', DOCUMENT)
    const { code, stdout } = await lintWith({ folder: 'apis/legacy' }, '-f', 'json')
    expect(code).toBe(0)
    expect(findingsIn(stdout)).toEqual([
      'old.yaml:7 error x-agent-no-description',
      '../shop.yaml:7 error x-agent-no-description',
      '../shop.yaml:12 error x-agent-unknown-field'
    ])
    expect(await findings('apis/shop.yaml', '--no-config')).toEqual([WARNING, HINT, ERROR])
  })

  it('with a mistake is the finding, and nothing is checked by it', async () => {
    write('openapi-mcp.yaml', 'rules:\n  x-agent-no-descripton: off\n')
    const { code, stdout } = await lint('apis', '-f', 'json')
    expect(code).toBe(2)
    expect(findingsIn(stdout)).toEqual(['openapi-mcp.yaml:2 error config-unknown-field'])
  })

  it('may be a program', async () => {
    write(
      'config.ts',
      'const off: string = "off"\nexport default () => ({ rules: { "x-agent-no-description": off } })\n'
    )
    expect(await findings('apis', '-c', 'config.ts')).toEqual([HINT, ERROR])
    write('broken.ts', 'throw new Error("no luck")\n')
    expect(await lint('apis', '-c', 'broken.ts')).toMatchObject({
      code: 2,
      stderr: 'openapi-mcp: <cwd>/broken.ts cannot be run: no luck\n'
    })
  })
})

describe('findings are held back', () => {
  it('by comments', async () => {
    write(
      'apis/shop.yaml',
      DOCUMENT.replace('# no words', '# openapi-mcp-disable-line x-agent-no-description -- later')
    )
    expect(await findings('apis')).toEqual([HINT, ERROR])
  })

  it('by the ignore file, which says what it holds back in vain', async () => {
    write('other.yaml', DOCUMENT)
    write(
      '.openapi-mcp-ignore.yaml',
      `apis/shop.yaml:
  x-agent-no-description: [/paths/~1items/get/x-agent, /paths/~1gone/get]
other.yaml: { x-agent-no-description: [/x] }
`
    )
    expect(await findings('apis', '--ignore-file', '.openapi-mcp-ignore.yaml')).toEqual([
      HINT,
      ERROR,
      '.openapi-mcp-ignore.yaml:2 warning unused-suppression'
    ])
  })

  it('by the baseline, wherever the lines have gone', async () => {
    expect(await lint('apis', '--update-baseline')).toMatchObject({
      code: 0,
      stderr: 'openapi-mcp: 3 findings in openapi-mcp-baseline.json\n'
    })
    const baseline = read('openapi-mcp-baseline.json')
    write('apis/shop.yaml', `# moved\n\n${DOCUMENT}`)
    expect(await findings('apis', '--baseline', 'openapi-mcp-baseline.json')).toEqual([])
    write('apis/more.yaml', DOCUMENT)
    expect(await findings('apis', '--baseline', 'openapi-mcp-baseline.json')).toHaveLength(3)
    // What was not checked stays; what is gone goes.
    await lint('apis/more.yaml', '--update-baseline')
    expect(Object.keys((JSON.parse(read('openapi-mcp-baseline.json')) as { findings: object }).findings)).toEqual([
      'apis/more.yaml',
      'apis/shop.yaml'
    ])
    rmSync(join(cwd, 'apis/more.yaml'))
    await lint('apis', '--update-baseline')
    expect(read('openapi-mcp-baseline.json')).toBe(baseline)
  })
})

describe('fixes', () => {
  it('are made in place, and nothing else changes', async () => {
    const text = `\ufeff${DOCUMENT.replaceAll('\n', '\r\n')}`
    write('apis/shop.yaml', text)
    const { code, stderr } = await lint('apis', '--fix')
    expect([code, stderr]).toEqual([0, 'openapi-mcp: 2 findings mended in 1 file\n'])
    expect(read('apis/shop.yaml')).toBe(
      text.replace('{ desciption: Add one. }', '{ description: Add one., annotations: { destructiveHint: false } }')
    )
  })

  it('are shown as a diff that git takes', async () => {
    const { stdout } = await lint('apis', '--fix-dry-run', '-o', 'report.txt')
    expect(stdout).toBe(`--- a/apis/shop.yaml
+++ b/apis/shop.yaml
@@ -9,5 +9,5 @@
     post:
       operationId: addItem
       summary: Add an item.
-      x-agent: { desciption: Add one. }
+      x-agent: { description: Add one., annotations: { destructiveHint: false } }
       responses: { '201': { description: ok } }
`)
    expect(read('apis/shop.yaml')).toBe(DOCUMENT)
    expect(existsSync(join(cwd, 'report.txt'))).toBe(true)
  })
})

it("runs the team's own Spectral ruleset in the same report", async () => {
  write(
    'team.yaml',
    `rules:
  no-empty-x-agent:
    given: '$.paths[*][*].x-agent'
    message: say something
    severity: warn
    then: { function: truthy, field: description }
`
  )
  expect(await findings('apis', '--ruleset', 'team.yaml')).toEqual([
    WARNING,
    'apis/shop.yaml:7 warning no-empty-x-agent',
    HINT,
    'apis/shop.yaml:12 warning no-empty-x-agent',
    ERROR
  ])
  write('broken.yaml', 'rules: 3\n')
  expect(await lint('apis', '--ruleset', 'broken.yaml')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('<cwd>/broken.yaml cannot be used') as string
  })
})
