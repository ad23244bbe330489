import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from './cli.js'
import type { Io } from './io.js'

const document = `openapi: 3.1.0
info: { title: Shop, version: '2' }
x-agent:
  namePrefix: shop_
  profiles: { explore: { title: Explore }, edit: { includes: [explore] } }
  skills: [{ name: start, description: Start here., tools: [list_items] }]
tags: [{ name: Items, x-agent: { skill: Items have an id. } }]
paths:
  /items:
    get:
      operationId: listItems
      tags: [Items]
      summary: List the items
      x-agent:
        profiles: [explore]
        title: { en: List items, fr: Lister }
        description: { en: "List items, newest first.", fr: Lister. }
        params: { q: { name: query, description: 'Words | to find.' }, size: { default: 10, maximum: 50 } }
        response: { rows: /items, concise: [id], detailed: true }
      parameters:
        - { name: q, in: query, required: true, schema: { type: string, maxLength: 80 } }
        - { name: size, in: query, schema: { type: integer, minimum: 1 } }
        - { name: state, in: query, schema: { type: array, items: { enum: [open, closed] } } }
      responses: { '200': { description: ok } }
    delete: { operationId: dropItems, summary: Drop all., x-agent: { profiles: [edit], annotations: { destructiveHint: true, idempotentHint: true } }, responses: {} }
`

interface Ran {
  code: number
  stdout: string
  stderr: string
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-mcp-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

function ioIn(cwd: string, more: Partial<Io> = {}): { io: Io; out: { stdout: string; stderr: string } } {
  const out = { stdout: '', stderr: '' }
  const io: Io = {
    stdout: (text) => void (out.stdout += text),
    stderr: (text) => void (out.stderr += text),
    cwd,
    env: {},
    isTerminal: false,
    columns: undefined,
    stdin: () => Promise.resolve(''),
    interrupted: () => Promise.resolve(),
    exitSoon: () => {},
    ...more
  }
  return { io, out }
}

async function openapiMcp(
  argv: string[],
  files: Record<string, string> = { 'openapi.yaml': document },
  more: Partial<Io> = {}
): Promise<Ran> {
  const folder = folderWith(files)
  const { io, out } = ioIn(folder, more)
  const code = await run(
    argv.map((argument) => (argument in files ? join(folder, argument) : argument)),
    io
  )
  const short = (text: string): string => text.replaceAll(folder, '<cwd>')
  return { code, stdout: short(out.stdout), stderr: short(out.stderr) }
}

const broken = document.replace('title: { en:', 'titel: { en:').replace('tools: [list_items]', 'tools: list_items')

describe('lint', () => {
  it('says when there is nothing to say', async () => {
    expect(await openapiMcp(['lint', 'openapi.yaml'])).toEqual({
      code: 0,
      stdout: '✔ no findings in 1 document\n',
      stderr: ''
    })
  })

  it('prints each finding with its place and JSON path, grouped by file', async () => {
    const { code, stdout } = await openapiMcp(['lint', 'openapi.yaml', 'b.yaml'], {
      'openapi.yaml': broken,
      'b.yaml': 'swagger: "2.0"\n'
    })
    expect(code).toBe(1)
    expect(stdout).toBe(`openapi.yaml
  openapi.yaml:6:60  error  x-agent-invalid-value  \`tools\` must be a list of tool names, not "list_items"
    $['x-agent'].skills[0].tools
  openapi.yaml:16:9  error  x-agent-unknown-field  unknown field "titel" in x-agent of an operation; did you mean "title"?
    $.paths['/items'].get['x-agent'].titel

b.yaml
  b.yaml:1:10  error  openapi-version  OpenAPI (Swagger) 2.0 documents are not read; convert it to OpenAPI 3.x
    $.swagger

✖ 3 errors in 2 documents
`)
  })

  it('prints JSON with zero-based ranges', async () => {
    const { code, stdout } = await openapiMcp(['lint', '--format', 'json', 'openapi.yaml'], { 'openapi.yaml': broken })
    expect(code).toBe(1)
    const report = JSON.parse(stdout) as { version: number; summary: object; diagnostics: object[] }
    expect(report).toMatchObject({ version: 1, summary: { errors: 2, warnings: 0, infos: 0, hints: 0 } })
    expect(report.diagnostics[1]).toEqual({
      rule: 'x-agent-unknown-field',
      severity: 'error',
      message: 'unknown field "titel" in x-agent of an operation; did you mean "title"?',
      file: 'openapi.yaml',
      path: '/paths/~1items/get/x-agent/titel',
      jsonPath: "$.paths['/items'].get['x-agent'].titel",
      range: { start: { line: 15, character: 8 }, end: { line: 15, character: 13 } },
      suggestion: 'title'
    })
  })

  it('exits with 2 for what it cannot read, and still reports the rest', async () => {
    const { code, stdout, stderr } = await openapiMcp(['lint', 'no.yaml', 'openapi.yaml'], { 'openapi.yaml': broken })
    expect(code).toBe(2)
    expect(stdout).toContain('2 errors in 1 document')
    expect(stderr).toMatch(/no\.yaml cannot be read: there is no such file/)
  })

  it('exits with 0 where there are warnings only', async () => {
    const { code, stdout } = await openapiMcp(['lint', 'openapi.yaml'], {
      'openapi.yaml': document.replace('size: { default', 'ghost: {}, size: { default')
    })
    expect(code).toBe(0)
    expect(stdout).toContain('⚠ 1 warning')
    expect(
      (
        await openapiMcp(['lint', '-q', 'openapi.yaml'], {
          'openapi.yaml': document.replace('size: { default', 'ghost: {}, size: { default')
        })
      ).stdout
    ).toContain('no findings')
  })

  it('writes to a file, and fails where that cannot be written', async () => {
    expect((await openapiMcp(['lint', '-o', 'report.txt', 'openapi.yaml'])).stdout).toBe('')
    expect((await openapiMcp(['lint', '-o', 'no/such/folder/report.txt', 'openapi.yaml'])).code).toBe(2)
  })
})

describe('preview', () => {
  it('shows what an agent gets', async () => {
    const { code, stdout, stderr } = await openapiMcp(['preview', 'openapi.yaml'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replace(/─* \d+ tokens ──/g, ' N tokens ──').replace(/\d+ tokens/g, 'N tokens'))
      .toBe(`Shop 2 · openapi.yaml · OpenAPI 3.1.0
profile explore · 1 tool · about N tokens of definitions
also declared: edit

── shop_list_items  N tokens ──
  List items
  GET /items  [read-only]

  List items, newest first.

  Input            Type                    Required  Default    Limits           Description
  query            string                  yes                  ≤ 80 characters  Words | to find. (q in query)
  size             integer                           10         1…50
  state            ("open" | "closed")[]
  response_format  "concise" | "detailed"            "concise"                   concise: id. detailed: every field.

  Shows: A table of \`items\`, with id. \`response_format: detailed\` shows every field.

── Instructions  N tokens ──

  ## start

  Start here.

  Tools: shop_list_items

  ## Items

  Items have an id.

── Skills ──────────────────────────────────────────────────────────────────────

  start  skill://start/SKILL.md
    Start here.
`)
  })

  it('shows profiles with what they include, in another language, under another prefix', async () => {
    const { stdout } = await openapiMcp([
      'preview',
      'openapi.yaml',
      '--profile',
      'edit',
      '--locale',
      'fr',
      '--name-prefix',
      'x_'
    ])
    expect(stdout).toContain('profile edit (with explore) · 2 tools')
    expect(stdout).toContain('── x_list_items ')
    expect(stdout).toContain('  Lister\n')
    expect(stdout).toContain('DELETE /items  [destructive] [idempotent]')
    expect((await openapiMcp(['preview', 'openapi.yaml', '-p', 'edit,explore'])).stdout).toContain(
      'profiles edit (with explore), explore'
    )
  })

  it('shows one tool whole', async () => {
    const { stdout } = await openapiMcp(['preview', 'openapi.yaml', '--tool', 'shop_list_items'])
    expect(stdout).toContain('"maxLength": 80')
    expect(stdout).not.toContain('Instructions')
    expect((await openapiMcp(['preview', 'openapi.yaml', '--tool', 'list_items'])).stdout).toBe(stdout)
    const part = await openapiMcp(['preview', 'openapi.yaml', '--tool', 'items'])
    expect(part).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no tool "items".') as string })
    const unknown = await openapiMcp(['preview', 'openapi.yaml', '--tool', 'shop_list_itms'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('did you mean "shop_list_items"? The tools are shop_list_items.')
  })

  it('comes as JSON and as markdown', async () => {
    const json = JSON.parse((await openapiMcp(['preview', 'openapi.yaml', '-f', 'json'])).stdout) as {
      tokens: number
      tools: { tokens: number }[]
    }
    expect(json).toMatchObject({
      document: { file: 'openapi.yaml', title: 'Shop', version: '2', openapi: '3.1.0' },
      profiles: ['explore'],
      tools: [
        { name: 'shop_list_items', operation: { method: 'get', path: '/items' }, inputSchema: { required: ['query'] } }
      ],
      skills: [{ name: 'start' }]
    })
    expect(json.tokens).toBe(json.tools[0]!.tokens)
    const { stdout } = await openapiMcp(['preview', 'openapi.yaml', '-f', 'markdown'])
    expect(stdout).toContain('| `query` | `string` | yes |  | `≤ 80 characters` | Words \\| to find. (q in query) |')
  })

  it('lists the declared profiles for an unknown one', async () => {
    const { code, stderr } = await openapiMcp(['preview', 'openapi.yaml', '--profile', 'edti'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'openapi-mcp: the profile "edti" is not declared; did you mean "edit"? The document declares explore, edit.\n'
    )
  })

  it('of a refused document are its findings', async () => {
    const { code, stdout, stderr } = await openapiMcp(['preview', 'openapi.yaml'], { 'openapi.yaml': broken })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('openapi.yaml:16:9  error  x-agent-unknown-field')
    expect(stderr).toContain('✖ 2 errors: no tools until they are mended')
  })

  it('finds the document of the folder and says what it took', async () => {
    expect((await openapiMcp(['preview'], { 'openapi.yml': document })).stderr).toBe(
      'openapi-mcp: showing openapi.yml\n'
    )
    const none = await openapiMcp(['preview'], {})
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain('there is no openapi.yaml, openapi.yml or openapi.json in this folder')
  })

  it('fits the terminal, in colour unless that is not wanted', async () => {
    const terminal = { isTerminal: true, columns: 60 }
    const { stdout } = await openapiMcp(['preview', 'openapi.yaml'], undefined, terminal)
    expect(stdout).toContain('\u001b[')
    const bare = await openapiMcp(['preview', 'openapi.yaml'], undefined, { ...terminal, env: { NO_COLOR: '1' } })
    expect(bare.stdout).not.toContain('\u001b[')
    expect(Math.max(...bare.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
    expect((await openapiMcp(['preview', 'openapi.yaml', '--no-color'], undefined, terminal)).stdout).not.toContain(
      '\u001b['
    )
    expect((await openapiMcp(['preview', 'openapi.yaml', '--color'])).stdout).toContain('\u001b[')
  })

  it('shows control characters of a document instead of obeying them', async () => {
    const evil = document.replace('List items, newest first.', 'Nice \\e[2J\\u202E tool')
    for (const argv of [
      ['preview', 'openapi.yaml'],
      ['preview', 'openapi.yaml', '-f', 'markdown']
    ]) {
      const { stdout } = await openapiMcp(argv, { 'openapi.yaml': evil })
      expect(stdout).toMatch(/Nice .?<U\+001B/)
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(stdout).not.toMatch(/[\u001b\u202e]/)
    }
    const { stdout } = await openapiMcp(['lint', 'openapi.yaml'], {
      'openapi.yaml': document.replace('namePrefix: shop_', 'namePrefix: "\\e]0;x\\a"')
    })
    expect(stdout).toContain('<U+001B>]0;x<U+0007>'.replaceAll('<U+001B>', '\\u001b').replaceAll('<U+0007>', '\\u0007'))
  })

  it('draws again when a file changes, and outlives a broken save', async () => {
    const folder = folderWith({ 'openapi.yaml': document })
    const file = join(folder, 'openapi.yaml')
    let stop = (): void => {}
    const { io, out } = ioIn(folder, { interrupted: () => new Promise((resolve) => (stop = resolve)) })
    const until = async (text: string): Promise<void> => {
      for (let i = 0; i < 600 && !(out.stdout + out.stderr).includes(text); i++) await sleep(25)
      expect(out.stdout + out.stderr).toContain(text)
    }
    const ended = run(['preview', file, '--watch'], io)
    await until('Watching')
    writeFileSync(file, document.replace('List items, newest first.', 'Second picture.'))
    await until('Second picture.')
    writeFileSync(file, document.replace('title: { en', 'titel: { en'))
    await until('did you mean "title"')
    writeFileSync(file, document.replace('List items, newest first.', 'Third picture.'))
    await until('Third picture.')
    stop()
    expect(await ended).toBe(0)
  })
})

describe('call', () => {
  const dryRun = (argv: string[], env: Record<string, string> = {}): Promise<Ran> =>
    openapiMcp(['call', 'openapi.yaml', ...argv, '--dry-run', '--base-url', 'https://shop.example'], undefined, { env })
  const list = ['shop_list_items', '{"query":"a b"}']
  const asked = "'https://shop.example/items?q=a%20b&size=10' -H 'accept: application/json, */*;q=0.5'"
  const masked = 'openapi-mcp: values of headers that may be secret are shown as …\n'

  it('shows the request of a dry run', async () => {
    expect(await dryRun(list)).toEqual({ code: 0, stdout: `curl ${asked}\n`, stderr: '' })
  })

  it('takes the name of a tool without the prefix of the document, too', async () => {
    expect((await dryRun(['list_items', '{"query":"a b"}'])).stdout).toBe(`curl ${asked}\n`)
  })

  it.each([
    ['items', 'there is no tool "items". The tools are shop_list_items, shop_drop_items.'],
    [
      'lst_items',
      'there is no tool "lst_items"; did you mean "shop_list_items"? The tools are shop_list_items, shop_drop_items.'
    ]
  ])('says that there is no tool %s', async (name, message) => {
    expect(await dryRun([name])).toEqual({ code: 2, stdout: '', stderr: `openapi-mcp: ${message}\n` })
  })

  it('shows no value of a header that the user gave, but for harmless ones', async () => {
    const headers = ['X-Custom-Key: s3cret', 'X-Credential: s3cret', 'Accept-Language: fr']
    const { stdout, stderr } = await dryRun([...list, ...headers.flatMap((line) => ['-H', line])])
    expect(stdout).toBe(`curl ${asked} -H 'x-custom-key: …' -H 'x-credential: …' -H 'accept-language: fr'\n`)
    expect(stderr).toBe(masked)
  })

  it('shows that the API key would be sent, and not the key', async () => {
    const { stdout, stderr } = await dryRun(list, { API_KEY_HEADER: 'X-Shop', API_KEY: 's3cret' })
    expect({ stdout, stderr }).toEqual({ stdout: `curl ${asked} -H 'x-shop: …'\n`, stderr: masked })
  })

  it('says which headers are not sent as given', async () => {
    const { stdout, stderr } = await dryRun([...list, '-H', 'Content-Type: text/plain', '-H', 'Host: x.example'])
    expect(stdout).toBe(`curl ${asked}\n`)
    expect(stderr).toBe(
      ['Content-Type', 'Host']
        .map((name) => `openapi-mcp: the header ${name} is not sent as given: the request makes its own\n`)
        .join('')
    )
  })

  it.each(['bad name: s3cret', 's3cret', ': s3cret'])('refuses the header %j without showing it', async (line) => {
    const stderr = 'openapi-mcp: a header is written as "Name: value"\n'
    expect(await dryRun([...list, '-H', line])).toEqual({ code: 2, stdout: '', stderr })
  })

  it('reads arguments from a file with a byte order mark', async () => {
    const files = { 'openapi.yaml': document, 'input.json': '\uFEFF{"query":"a b"}' }
    const argv = ['call', 'openapi.yaml', 'shop_list_items', '--input', 'input.json', '--dry-run']
    const { code, stdout } = await openapiMcp([...argv, '--base-url', 'https://shop.example'], files)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `curl ${asked}\n` })
  })

  it('refuses a base URL that is none', async () => {
    const { code, stderr } = await openapiMcp(['call', 'openapi.yaml', ...list, '--base-url', 'nope'])
    expect(code).toBe(2)
    expect(stderr).toBe('openapi-mcp: the base URL "nope" is no absolute http or https address\n')
  })
})

describe('the command line', () => {
  it.each([
    [['lnt']],
    [['lint', '--max-warnings', 'x', 'a.yaml']],
    [['preview', 'a', 'b']],
    [['lint', '--format', 'pdf', 'x']],
    [['preview', '--profile', ',']]
  ])('exits with 2 for %j', async (argv) => {
    const { code, stderr } = await openapiMcp(argv)
    expect(code).toBe(2)
    expect(stderr).not.toBe('')
  })

  it('helps', async () => {
    const { code, stdout } = await openapiMcp(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('preview')
    expect((await openapiMcp(['lnt'])).stderr).toContain('Did you mean lint?')
  })

  it('says that an accident is one, without a stack', async () => {
    const { io, out } = ioIn('/')
    const code = await run(['lint', 'x.yaml'], io, () => {
      throw new TypeError('boom')
    })
    expect(code).toBe(2)
    expect(out.stderr).toBe('openapi-mcp: this should not happen, please report it: boom\n')
  })
})
