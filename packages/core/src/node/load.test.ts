import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSession, DocumentError, load, nodeHost, toolSetSnapshot, UsageError } from './index.js'

const text = `openapi: 3.1.0
info: { title: T, version: '1' }
servers: [{ url: 'https://api.example/v1' }]
x-agent: { profiles: { explore: {} } }
paths:
  /rows:
    get: { operationId: listRows, summary: List., x-agent: {}, parameters: [{ $ref: 'p.json' }] }
`
const parameter = '{"name":"size","in":"query","schema":{"type":"integer"}}'

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-mcp-load-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

describe('load', () => {
  it('takes a path, a file URL, an address and an object, and finds the same', async () => {
    const folder = folderWith({ 'openapi.yaml': `\uFEFF${text.replaceAll('\n', '\r\n')}`, 'p.json': parameter })
    const path = join(folder, 'openapi.yaml')
    const served = (input: string | URL | Request): Promise<Response> =>
      Promise.resolve(new Response(String(input).endsWith('p.json') ? parameter : text))
    const object = {
      openapi: '3.1.0',
      'x-agent': { profiles: { explore: {} } },
      paths: {
        '/rows': {
          get: { operationId: 'listRows', summary: 'List.', 'x-agent': {}, parameters: [JSON.parse(parameter)] }
        }
      }
    }
    const frozen = JSON.stringify(object)
    const sets = await Promise.all([
      load(path),
      load(pathToFileURL(path)),
      load('https://docs.example/openapi.yaml', { fetch: served as typeof fetch }),
      load(object)
    ])
    const snapshots = sets.map((s) => JSON.stringify(toolSetSnapshot(s)))
    expect(new Set(snapshots).size).toBe(1)
    expect(sets[0]!.tools[0]!.inputSchema['properties']).toEqual({ size: { type: 'integer' } })
    expect(JSON.stringify(object)).toBe(frozen)
  })

  it('says what cannot be read', async () => {
    await expect(load('/no/such/openapi.yaml')).rejects.toThrow(UsageError)
    await expect(load('/no/such/openapi.yaml')).rejects.toThrow('there is no such file')
    const down = (() => Promise.reject(new TypeError('fetch failed'))) as typeof fetch
    await expect(load('https://down.example/a.yaml', { fetch: down })).rejects.toThrow('fetch failed')
    const missing = (() => Promise.resolve(new Response('', { status: 404 }))) as typeof fetch
    await expect(load('https://down.example/a.yaml', { fetch: missing })).rejects.toThrow('HTTP 404')
  })

  it('does not follow a symbolic link out of the root folder', async () => {
    const outside = folderWith({ 'secret.json': parameter })
    const folder = folderWith({ 'openapi.yaml': text })
    symlinkSync(join(outside, 'secret.json'), join(folder, 'p.json'))
    await expect(load(join(folder, 'openapi.yaml'))).rejects.toThrow(/symbolic link/)
    expect((await load(join(folder, 'openapi.yaml'), { allowRemoteRefs: true })).tools).toHaveLength(1)
  })

  it('prints lint findings when asked to warn, and only then', async () => {
    const folder = folderWith({
      'openapi.yaml': text.replace(
        "{ $ref: 'p.json' }",
        '{ name: s, in: query, schema: { type: array }, x-agent: { description: comma-separated } }'
      )
    })
    const log = vi.fn()
    const host = nodeHost({ log })
    await load(join(folder, 'openapi.yaml'), { host, lint: 'off' })
    expect(log).not.toHaveBeenCalled()
    await load(join(folder, 'openapi.yaml'), { host, lint: 'warn' })
    expect(log).toHaveBeenCalledExactlyOnceWith('warn', expect.stringContaining('comma-separated'))
    await expect(load(join(folder, 'openapi.yaml'), { host })).rejects.toThrow(DocumentError)
  })
})

describe('a session on Node', () => {
  it('takes paths and its root folder relative to the current folder', async () => {
    const folder = folderWith({ 'docs/openapi.yaml': text.replace('p.json', '../p.json'), 'p.json': parameter })
    const path = join(folder, 'docs/openapi.yaml')
    expect((await createSession(nodeHost()).lint(path)).diagnostics.map((d) => d.rule)).toEqual(['forbidden-ref'])
    expect((await createSession(nodeHost(), { root: folder }).lint(path)).diagnostics).toEqual([])
  })
})
