import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { createSession, nodeHost, UsageError, type Host, type ToolSet } from '@openapi-mcp/core'
import { parse } from 'yaml'
import { describe, expect, it, vi } from 'vitest'
import { createMcpServer, isIndex, jsonLog, LiveTools, readIndex, skillFile, type Log } from './index.js'

const shop = (name = 'list_items', more = ''): string => `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example' }]
x-agent:
  profiles: { explore: {}, edit: { includes: [explore] } }
  skills:
    - { name: start, description: "Say \\"hello\\".\\n\\nThen: go.", tools: [${name}] }
    - { name: gone, description: Linked., href: gone.md }
paths:
  /items:
    get: { operationId: listItems, summary: List., x-agent: { name: ${name}, title: Items, examples: [{ q: a }], response: { concise: [id] } }, parameters: [{ name: q, in: query }], responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: {} } } } } } } } }
    post: { operationId: addItem, summary: Add., x-agent: { profiles: [edit] } }
${more}`

function hostOf(files: Record<string, string>): Host {
  return nodeHost({
    readFile: (uri) => {
      const text = files[uri.replace('file:///api/', '')]
      return text === undefined
        ? Promise.reject(Object.assign(new Error('missing'), { code: 'ENOENT' }))
        : Promise.resolve(text)
    },
    realUri: (uri) => Promise.resolve(uri)
  })
}

const answer =
  (body: unknown): typeof fetch =>
  () =>
    Promise.resolve(Response.json(body))

async function toolSetOf(text: string, options: object = {}): Promise<ToolSet> {
  const session = createSession(hostOf({ 'openapi.yaml': text }))
  return (await session.toolSet('file:///api/openapi.yaml', { fetch: answer([{ id: 7, x: 1 }]), ...options })).toolSet
}

async function clientOf(source: ToolSet | (() => ToolSet)): Promise<Client> {
  const [left, right] = InMemoryTransport.createLinkedPair()
  await createMcpServer(source).connect(left)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(right as never)
  return client
}

describe('an MCP server', () => {
  it('lists and calls tools', async () => {
    const client = await clientOf(await toolSetOf(shop()))
    expect(client.getInstructions()).toContain('## start')
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([
      {
        name: 'list_items',
        title: 'Items',
        description: 'List.',
        inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
        annotations: { readOnlyHint: true, destructiveHint: false },
        _meta: { 'anthropic/inputExamples': [{ q: 'a' }] }
      }
    ])
    const result = await client.callTool({ name: 'list_items', arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: '| id |\n| --- |\n| 7 |' }])
    expect(result.isError).toBeUndefined()
    const wrong = await client.callTool({ name: 'list_items', arguments: { p: 1 } })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"p"') as string }] })
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow('no_such_tool')
  })

  it('wraps structured content that is no object for clients of 2025', async () => {
    const client = await clientOf(await toolSetOf(shop(), { structuredContent: true }))
    const { tools } = await client.listTools()
    expect(tools[0]!.outputSchema).toMatchObject({ type: 'object', properties: { result: { type: 'array' } } })
    expect((await client.callTool({ name: 'list_items', arguments: {} })).structuredContent).toEqual({
      result: [{ id: 7 }]
    })
  })

  it('serves skills as resources', async () => {
    const client = await clientOf(await toolSetOf(shop()))
    const { resources } = await client.listResources()
    expect(resources.map((r) => r.uri)).toEqual(['skill://start/SKILL.md', 'skill://gone/SKILL.md'])
    const { contents } = await client.readResource({ uri: 'skill://start/SKILL.md' })
    const text = (contents[0] as { text: string }).text
    const [, frontmatter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text)!
    expect(parse(frontmatter!)).toEqual({ name: 'start', description: 'Say "hello".' })
    expect(body).toBe('\nSay "hello".\n\nThen: go.\n\nTools: list_items\n')
    await expect(client.readResource({ uri: 'skill://gone/SKILL.md' })).rejects.toThrow('no such file')
    await expect(client.readResource({ uri: 'skill://none/SKILL.md' })).rejects.toThrow()
  })

  it('follows a set that is replaced', async () => {
    let set = await toolSetOf(shop())
    const client = await clientOf(() => set)
    set = await toolSetOf(shop('find_items'))
    expect((await client.listTools()).tools.map((t) => t.name)).toEqual(['find_items'])
    expect(skillFile(set.skills[0]!)).toContain('Tools: find_items')
  })
})

describe('live tools', () => {
  const live = (files: Record<string, string>, sources: string[], log: Log = () => {}, options = {}): LiveTools => {
    const host = hostOf(files)
    return new LiveTools(
      sources.map((source) => ({ source: `file:///api/${source}`, session: createSession(host) })),
      options,
      log
    )
  }
  const names = (set: ToolSet): string[] => set.tools.map((t) => t.name)

  it('keep the last good set when a reload fails, and say so', async () => {
    const files = { 'a.yaml': shop() }
    const log = vi.fn()
    const tools = live(files, ['a.yaml'], log)
    const changed = vi.fn()
    tools.onChange(changed)
    expect(names(await tools.toolSet())).toEqual(['list_items'])
    files['a.yaml'] = shop('BAD')
    await tools.reload()
    expect(names(await tools.toolSet())).toEqual(['list_items'])
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('last good'))
    expect(changed).not.toHaveBeenCalled()
    files['a.yaml'] = shop('find_items')
    await tools.reload()
    expect(names(await tools.toolSet())).toEqual(['find_items'])
    expect(changed).toHaveBeenCalledTimes(1)
    await tools.reload()
    expect(changed).toHaveBeenCalledTimes(1)
  })

  it('make sets per profiles, and refuse a name that nobody declares', async () => {
    const tools = live({ 'a.yaml': shop() }, ['a.yaml'])
    expect(names(await tools.toolSet(['edit']))).toEqual(['list_items', 'add_item'])
    await expect(tools.toolSet(['x'])).rejects.toThrow(UsageError)
  })

  it('of several documents come together; a failing one does not take the others away', async () => {
    const log = vi.fn()
    const files = {
      'a.yaml': shop(),
      'b.yaml': shop().replace('title: Shop', 'title: Other').replace('name: list_items', 'name: list_more'),
      'c.yaml': 'openapi: 1'
    }
    const tools = live(files, ['a.yaml', 'b.yaml', 'c.yaml', 'a.yaml'], log)
    const set = await tools.toolSet()
    expect(names(set)).toEqual(['list_items', 'list_more'])
    expect(set.instructions).toMatch(/^# Shop\n[\s\S]*# Other\n/)
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('c.yaml'))
    expect(log).toHaveBeenCalledWith('warn', 'the tool list_items of Shop is left out: Shop has one of that name', {
      service: 'Shop'
    })
    await expect(tools.toolSet(['nobody'])).rejects.toThrow('declared by none')
  })

  it('of an index have its profiles and skills', async () => {
    const files = {
      'index.yaml': `version: 1
services: [{ id: shop, openapi: a.yaml }]
profiles: { all: { includes: [edit] }, explore: {} }
skills: [{ name: about, description: Common., profiles: [all] }]
`,
      'a.yaml': shop()
    }
    const host = hostOf(files)
    const document = await createSession(host).open('file:///api/index.yaml')
    expect(isIndex(document)).toBe(true)
    const index = readIndex(document)
    const services = index.services.map((s) => ({ source: s.openapi, session: createSession(host) }))
    const tools = new LiveTools(services, {}, () => {}, index)
    const set = await tools.toolSet()
    expect(set.profiles).toEqual(['all'])
    expect(names(set)).toEqual(['list_items', 'add_item'])
    expect(set.skills.map((s) => s.name)).toEqual(['about', 'start', 'gone'])
    expect(set.instructions).toMatch(/^## about\n/)
    expect(names(await tools.toolSet(['explore']))).toEqual(['list_items'])
  })

  it('of a wrong index are refused with everything that is wrong', async () => {
    const document = await createSession(
      hostOf({ 'i.yaml': 'version: 2\nservices: [{ id: A, opnapi: x }]\nskils: []\n' })
    ).open('file:///api/i.yaml')
    expect(() => readIndex(document)).toThrow(
      /\$\.skils is no field of it; did you mean "skills"\?[\s\S]*\$\.version must be 1[\s\S]*\$\.services\[0\]\.opnapi .*"openapi"[\s\S]*\$\.services\[0\]\.id must be lower-case/
    )
  })
})

describe('the log', () => {
  it('is one JSON object a line', () => {
    const lines: string[] = []
    jsonLog(
      (line) => lines.push(line),
      () => new Date(0)
    )('warn', 'two\nlines', { n: 1 })
    expect(lines).toEqual(['{"time":"1970-01-01T00:00:00.000Z","level":"warn","msg":"two\\nlines","n":1}\n'])
  })
})
