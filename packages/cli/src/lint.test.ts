import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run } from './cli.js'

const operation = (id: string, reference: string): string =>
  `openapi: 3.1.0
info: { title: T, version: '1' }
components: { parameters: { p: { $ref: ../p.yaml } } }
paths:
  /${id}: { get: { operationId: ${id}, summary: S, x-agent: {}, parameters: [{ $ref: '${reference}' }], responses: {} } }
`

/** Runs in a folder of its own, to which paths are relative. */
async function lint(
  argv: string[],
  files: Record<string, string>,
  cwd = mkdtempSync(join(tmpdir(), 'openapi-mcp-lint-'))
): Promise<{ code: number; stdout: string; cwd: string }> {
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, name, '..'), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  let stdout = ''
  const code = await run(argv, {
    stdout: (text) => void (stdout += text),
    stderr: () => {},
    cwd,
    env: {},
    isTerminal: false,
    columns: undefined,
    stdin: () => Promise.resolve(''),
    interrupted: () => Promise.resolve(),
    exitSoon: () => {}
  })
  return { code, stdout, cwd }
}

it('finds in a document what it finds in it alone, whatever else is named', async () => {
  const files = {
    'docs/p.yaml': 'name: q\nin: query\nschema: { type: string }\n',
    'docs/main.yaml': operation('main', 'sub/other.yaml#/components/parameters/p'),
    'docs/sub/other.yaml': operation('other', '../p.yaml')
  }
  const rules = async (...sources: string[]): Promise<string[]> => {
    const { stdout } = await lint(['lint', '-f', 'json', ...sources], files)
    const report = JSON.parse(stdout) as { diagnostics: { rule: string; file: string }[] }
    return report.diagnostics.map((d) => `${d.file} ${d.rule}`)
  }
  expect(await rules('docs/main.yaml')).toEqual([])
  const other = ['docs/sub/other.yaml forbidden-ref']
  expect(await rules('docs/sub/other.yaml')).toEqual(other)
  expect(await rules('docs/main.yaml', 'docs/sub/other.yaml')).toEqual(other)
  expect(await rules('docs/sub/other.yaml', 'docs/main.yaml', 'docs/main.yaml')).toEqual(other)
  // --root is relative to the current folder, as the documents are.
  expect(await rules('docs/sub/other.yaml', '--root', 'docs')).toEqual([])
})

it('writes JSON that does not act on a terminal and says the same', async () => {
  const { stdout } = await lint(['lint', '-f', 'json', 'a.yaml'], {
    'a.yaml': operation('a', 'b.yaml').replace('x-agent: {}', 'x-agent: { "na\\x9bme\\u202e": 1 }')
  })
  expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/)
  expect(stdout).toContain('na\\u009bme\\u202e')
})

it('takes --no-color and --color before the command and behind it', async () => {
  const files = { 'a.yaml': operation('a', 'p.yaml') }
  for (const argv of [
    ['--color', 'lint', 'a.yaml'],
    ['lint', 'a.yaml', '--color'],
    ['--no-color', 'lint', '--color', 'a.yaml']
  ])
    expect((await lint(argv, files)).stdout).toContain('\u001b[')
  expect((await lint(['--no-color', 'lint', 'a.yaml'], files)).stdout).not.toContain('\u001b[')
})

it('holds back what lists name, and says what they name in vain', async () => {
  const bare = (...paths: string[]): string =>
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths.map((path) => `  /${path}: { get: { operationId: ${path}, x-agent: {}, responses: {} } }\n`).join('')}`
  const files = {
    'openapi-mcp.yaml': 'documents: [apis]\nignoreFile: ignore.yaml\nbaseline: old/baseline.json\nfailOn: warning\n',
    'ignore.yaml': 'apis/a.yaml: { x-agent-no-description: [/paths/~1b/get/x-agent] }\ngone.yaml: {}\n',
    'old/x': '',
    'apis/a.yaml': bare('a', 'b'),
    'apis/c.yaml': bare('c')
  }
  const report = async (
    argv: string[],
    more: Record<string, string>,
    cwd?: string
  ): Promise<[number, string[], string]> => {
    const { code, stdout, cwd: folder } = await lint(['lint', '-f', 'json', ...argv], more, cwd)
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { rule: string; file: string; path: string }[] }
    return [code, diagnostics.map((d) => `${d.file} ${d.rule} ${d.path}`), folder]
  }
  const gone = 'ignore.yaml unused-suppression /gone.yaml'
  const c = 'apis/c.yaml x-agent-no-description /paths/~1c/get/x-agent'
  const [code, found, cwd] = await report([], files)
  expect([code, found]).toEqual([1, ['apis/a.yaml x-agent-no-description /paths/~1a/get/x-agent', c, gone]])
  // Writing the baseline takes what the documents have, not what the lists have.
  expect((await report(['apis/a.yaml', '--update-baseline'], {}, cwd)).slice(0, 2)).toEqual([1, [gone]])
  expect((await report([], {}, cwd)).slice(0, 2)).toEqual([1, [c, gone]])
  expect((await report(['--update-baseline'], {}, cwd)).slice(0, 2)).toEqual([1, [gone]])
  const mended = { 'apis/a.yaml': bare('b').replace('paths:', '\n# moved\npaths:') }
  expect((await report([], mended, cwd)).slice(0, 2)).toEqual([
    1,
    [gone, 'old/baseline.json unused-suppression /findings/..~1apis~1a.yaml/x-agent-no-description/0']
  ])
})
