import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { createSession, isIndex, nodeHost, readIndex, UsageError, type Host, type ToolSet } from '@openapi-mcp/core'
import { parse } from 'yaml'
import { describe, expect, it, vi } from 'vitest'
import { createMcpServer, hostNameOf, jsonLog, LiveTools, serviceIds, skillFile, type Log } from './index.js'

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
    const uris = sources.map((source) => `file:///api/${source}`)
    const ids = serviceIds(uris)
    const services = uris.map((uri, i) => ({ id: ids[i]!, uri, session: createSession(host) }))
    return new LiveTools(services, options, log)
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

  it('keep the last good document, for profiles that nobody asked for before too', async () => {
    const files: Record<string, string> = { 'a.yaml': shop() }
    const tools = live(files, ['a.yaml'])
    await tools.toolSet()
    files['a.yaml'] = 'openapi: ['
    await tools.reload()
    expect(names(await tools.toolSet(['edit']))).toEqual(['list_items', 'add_item'])
    await expect(tools.toolSet(['x'])).rejects.toThrow(UsageError)
    expect(tools.counts).toEqual({ served: 1, loading: 0, failing: 1 })
  })

  it('follow references to what was read with the last good document', async () => {
    const own = 'schema: { type: array, items: { type: object, properties: { id: {} } } }'
    const refers = shop().replace(own, "schema: { $ref: 'rows.yaml' }").replace(', response: { concise: [id] }', '')
    const files: Record<string, string> = {
      'a.yaml': refers,
      'rows.yaml': 'type: array\nitems: { type: object, properties: { id: { x-agent: { exclude: true } }, x: {} } }\n'
    }
    const tools = live(files, ['a.yaml'], undefined, { fetch: answer([{ id: 'secret', x: 1 }]) })
    const [tool] = (await tools.toolSet()).tools
    delete files['rows.yaml']
    files['a.yaml'] = 'openapi: ['
    await tools.reload()
    expect((await tool!.execute({})).text).toBe('| x |\n| --- |\n| 1 |')
  })

  it('take a document in that was broken or missing at the start', async () => {
    const files: Record<string, string> = { 'a.yaml': shop(), 'bad.yaml': 'openapi: [' }
    const tools = live(files, ['a.yaml', 'bad.yaml', 'later.yaml'])
    const changed = vi.fn()
    tools.onChange(changed)
    expect(names(await tools.toolSet())).toEqual(['list_items'])
    expect(tools.counts).toEqual({ served: 1, loading: 0, failing: 2 })
    expect(tools.documents).toEqual(expect.arrayContaining(['file:///api/bad.yaml', 'file:///api/later.yaml']))
    files['bad.yaml'] = shop('list_more')
    await tools.reload()
    files['later.yaml'] = shop('list_others')
    await tools.reload()
    expect(names(await tools.toolSet())).toEqual(['list_items', 'list_more', 'list_others'])
    expect(tools.counts).toEqual({ served: 3, loading: 0, failing: 0 })
    expect(changed).toHaveBeenCalledTimes(2)
  })

  it('name what a broken document refers to, so that its repair is noticed', async () => {
    const files = {
      'a.yaml': shop(),
      'b.yaml': shop('list_more').replace('{ name: q, in: query }', "{ $ref: 'q.yaml' }")
    }
    const tools = live(files, ['a.yaml', 'b.yaml'])
    await tools.toolSet()
    expect(tools.documents).toContain('file:///api/q.yaml')
  })

  it('do not wait for a document that does not answer, and announce it when it does', async () => {
    const files = { 'a.yaml': shop(), 'slow.yaml': shop('list_more') }
    const host = hostOf(files)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow: Host = { ...host, readFile: async (uri) => (uri.includes('slow') && (await held), host.readFile(uri)) }
    const log = vi.fn()
    const services = ['slow', 'a'].map((id) => ({ id, uri: `file:///api/${id}.yaml`, session: createSession(slow) }))
    const tools = new LiveTools(services, { graceMs: 20, profiles: ['explore'] }, log)
    const changed = new Promise<void>((resolve) => tools.onChange(resolve))
    expect(names(await tools.toolSet())).toEqual(['list_items'])
    expect(tools.counts).toEqual({ served: 1, loading: 1, failing: 0 })
    expect(log.mock.calls).toEqual([['warn', expect.stringContaining('/api/slow.yaml has not answered yet')]])
    release()
    await changed
    expect(names(await tools.toolSet())).toEqual(['list_more', 'list_items'])
  })

  it('say each thing once, as long as it is so', async () => {
    const warned = shop().replace(
      'List., x-agent: { name: list_items',
      'List., x-agent: { params: { ghost: {} }, name: list_items'
    )
    const files = { 'a.yaml': warned, 'b.yaml': 'openapi: [', 'c.yaml': shop('list_items') }
    const log = vi.fn()
    const tools = live(files, ['a.yaml', 'b.yaml', 'c.yaml'], log)
    await tools.toolSet()
    await tools.toolSet(['edit'])
    await expect(tools.toolSet(['zz'])).rejects.toThrow(UsageError)
    await tools.reload()
    const said = log.mock.calls.map(([, message]) => String(message).split('\n')[0])
    expect(said.sort()).toEqual([
      '/api/b.yaml is refused (2 errors):',
      expect.stringContaining('"ghost"'),
      'the tool add_item of Shop is left out: Shop has one of that name',
      'the tool list_items of Shop is left out: Shop has one of that name'
    ])
    files['b.yaml'] = shop('list_more')
    await tools.reload()
    files['b.yaml'] = 'openapi: ['
    log.mockClear()
    await tools.reload()
    expect(log.mock.calls).toEqual([
      ['warn', expect.stringMatching(/^\/api\/b\.yaml is refused[^]*last good tools stay\.$/)]
    ])
  })

  it('keep skills of one name apart by service', async () => {
    const linked = (name: string): string => shop(name).replace('description: "Say', 'body: Hello., description: "Say')
    const tools = live({ 'a.yaml': linked('list_items'), 'b.yaml': linked('list_more') }, ['a.yaml', 'b.yaml'])
    const set = await tools.toolSet()
    expect(set.skills.map(({ name, uri }) => [name, uri])).toEqual([
      ['start', 'skill://a/start/SKILL.md'],
      ['gone', 'skill://a/gone/SKILL.md'],
      ['start', 'skill://b/start/SKILL.md'],
      ['gone', 'skill://b/gone/SKILL.md']
    ])
    for (const { uri } of set.skills) expect(set.instructions).toContain(`Read ${uri} before`)
    const client = await clientOf(set)
    const { contents } = await client.readResource({ uri: 'skill://b/start/SKILL.md' })
    expect((contents[0] as { text: string }).text).toContain('Tools: list_more')
  })
})

describe('live tools of an index', () => {
  const indexText = `version: 1
services: [{ id: shop, openapi: a.yaml }]
profiles: { all: { includes: [explore] }, explore: {} }
skills:
  - { name: about, description: Common., profiles: [all] }
  - { name: guide, description: Linked., href: guide.md }
`
  async function liveOf(files: Record<string, string>, log: Log = () => {}): Promise<LiveTools> {
    const session = createSession(hostOf(files))
    const document = await session.open('file:///api/index.yaml')
    expect(isIndex(document)).toBe(true)
    const definition = readIndex(document, session.workspace)
    const services = definition.services.map(({ id, openapi }) => ({ id, uri: openapi, session: session.renewed() }))
    return new LiveTools(services, { index: { definition, session } }, log)
  }
  const names = (set: ToolSet): string[] => set.tools.map((t) => t.name)

  it('have its profiles and skills', async () => {
    const log = vi.fn()
    const files = { 'index.yaml': indexText, 'a.yaml': shop(), 'guide.md': '---\nname: x\n---\nThe guide.' }
    const tools = await liveOf(files, log)
    const set = await tools.toolSet()
    expect(set.profiles).toEqual(['all'])
    expect(names(set)).toEqual(['list_items'])
    expect(set.skills.map((s) => s.uri)).toEqual([
      'skill://about/SKILL.md',
      'skill://guide/SKILL.md',
      'skill://shop/start/SKILL.md',
      'skill://shop/gone/SKILL.md'
    ])
    expect(set.skills[1]!.body).toBe('The guide.')
    expect(set.instructions).toMatch(/^## about\n/)
    expect(names(await tools.toolSet(['explore']))).toEqual(['list_items'])
    expect(names(await tools.toolSet(['edit']))).toEqual(['list_items', 'add_item'])
    expect(tools.documents).toContain('file:///api/guide.md')
    expect(log.mock.calls).toEqual([['warn', 'Shop declares profiles that the index does not: edit']])
  })

  it('are served where a linked skill cannot be read, which is said', async () => {
    const log = vi.fn()
    const tools = await liveOf({ 'index.yaml': indexText, 'a.yaml': shop() }, log)
    expect((await tools.toolSet()).skills[1]).toMatchObject({ name: 'guide', error: expect.any(String) as string })
    expect(log).toHaveBeenCalledWith('warn', expect.stringMatching(/^skill guide: .*no such file/))
  })
})

describe('service ids', () => {
  it('are short, and each its own', () => {
    const idsOf = (...uris: string[]): string[] => serviceIds(uris)
    expect(idsOf('file:///x/Book%20Shop.yaml', 'https://stock.example/v1/openapi.json')).toEqual(['book-20shop', 'v1'])
    expect(idsOf('https://shop.example/openapi.yaml', 'https://stock.example/openapi.yaml')).toEqual([
      'shop-example',
      'stock-example'
    ])
    expect(idsOf('file:///a/v1.yaml', 'file:///b/v1.yaml', 'file:///a/v1.yaml')).toEqual(['a-v1', 'b-v1', 'a-v1-2'])
  })
})

describe('allowed hosts', () => {
  it.each([
    ['my.example', 'my.example'],
    ['My.Example:8443', 'my.example'],
    ['::1', '[::1]'],
    ['[fe80::1]:80', '[fe80::1]']
  ])('%s is %s', (host, name) => expect(hostNameOf(host)).toBe(name))

  it.each(['https://my.example', 'my.example/mcp', 'user@my.example', '', 'my example'])('refuse %j', (host) =>
    expect(() => hostNameOf(host)).toThrow(UsageError)
  )
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
