// What the tests of `serve` stand on: the demo API, the built program, and real MCP clients behind one face.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type ClientOptions
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const program = `${root}packages/cli/bin/openapi-mcp.js`
export const bookshop = `${root}examples/bookshop.yaml`
export const hello = `${root}examples/hello.yaml`

/** Things to undo after a test, last first. */
export class CleanUp {
  #steps: (() => Promise<unknown> | void)[] = []

  add(step: () => Promise<unknown> | void): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) await step()
  }
}

// --- the API behind the tools

export interface Api {
  url: string
  /** What arrived, in order. */
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[]
  server: Server
}

/** The bookshop of the examples. */
export async function startBookshop(cleanUp: CleanUp): Promise<Api> {
  // Typed here: the example is plain JavaScript.
  const path: string = new URL('../../examples/bookshop-api.mjs', import.meta.url).href
  const { createBookshopApi } = (await import(path)) as { createBookshopApi(): Server }
  return listen(createBookshopApi(), cleanUp)
}

export async function startServer(handle: Parameters<typeof createServer>[1], cleanUp: CleanUp): Promise<Api> {
  return listen(createServer(handle), cleanUp)
}

async function listen(server: Server, cleanUp: CleanUp): Promise<Api> {
  const requests: Api['requests'] = []
  server.prependListener('request', ({ method = '', url = '', headers }) => requests.push({ method, url, headers }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUp.add(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until `probe` gives something true. */
export async function until<T>(probe: () => T | Promise<T>, what: string, timeout = 8000): Promise<NonNullable<T>> {
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(25)) {
    const value = await probe()
    if (value) return value
  }
  throw new Error(`not within ${timeout / 1000} s: ${what}`)
}

// --- the program

/** A run of the built program. */
export class Program {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
  #over = false

  constructor(args: string[], env: Record<string, string>, cleanUp: CleanUp, script = program) {
    this.child = spawn(process.execPath, [script, ...args], { cwd: root, env: { ...process.env, ...env } })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    this.child.stdin!.on('error', () => {})
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      this.#over = true
      return (code as number | null) ?? (signal as string)
    })
    cleanUp.add(async () => {
      this.child.kill('SIGKILL')
      await this.ended
    })
  }

  get isOver(): boolean {
    return this.#over
  }

  /** Sends one JSON-RPC message over stdio. */
  send(message: object): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** What was logged: each line must be JSON. */
  get logs(): { level: string; msg: string }[] {
    return this.stderr
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { level: string; msg: string })
  }
}

/** `serve --transport http` on a free port, once it answers. */
export async function serveHttp(
  args: string[],
  cleanUp: CleanUp,
  env: Record<string, string> = {}
): Promise<{ program: Program; origin: string; url: string }> {
  const port = await freePort()
  const served = new Program(['serve', ...args], { TRANSPORT: 'http', PORT: String(port), ...env }, cleanUp)
  const origin = `http://127.0.0.1:${port}`
  await until(async () => {
    if (served.isOver) throw new Error(`serve ended: ${served.stderr}`)
    return fetch(`${origin}/healthz`).then(
      (response) => response.ok,
      () => false
    )
  }, 'serve answers on /healthz')
  return { program: served, origin, url: `${origin}/mcp` }
}

/** A plain HTTP request, with headers that `fetch` would not let through. Resolves with what comes first. */
export function send(
  url: string,
  { method = 'POST', headers = {}, body = '' }: { method?: string; headers?: Record<string, string>; body?: string }
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      const done = (): void => resolve({ status: response.statusCode ?? 0, text })
      response.on('end', done).on('error', done)
    })
    // A server that refuses a large body may stop reading it; its answer is on the way then, or there already.
    request.on('error', (error) => setTimeout(() => reject(error), 500))
    request.end(body)
  })
}

// --- clients

interface Content {
  type: string
  text?: string
}

export interface Answer {
  text: string
  isError: boolean
  structuredContent?: unknown
}

export interface ListedTool {
  name: string
  title?: string
  description?: string
  inputSchema: { type: string; properties?: Record<string, unknown> }
  outputSchema?: object
  annotations?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** What the tests ask of an MCP client, whichever it is. */
export interface Peer {
  /** The negotiated revision; the v1 client does not tell. */
  protocol: string | undefined
  instructions: string | undefined
  tools(): Promise<ListedTool[]>
  call(
    name: string,
    args?: Record<string, unknown>,
    more?: { signal?: AbortSignal; onprogress?(progress: { progress: number }): void }
  ): Promise<Answer>
  resources(): Promise<{ uri: string; name: string; description?: string; mimeType?: string }[]>
  read(uri: string): Promise<string>
  /** Resolves at the next announcement that the tools have changed. */
  toolsChanged(): Promise<void>
  /** Over stdio: what the server wrote to standard error. */
  stderr(): string
  close(): Promise<void>
  v2?: ClientV2
}

export const kinds = ['v2 auto', 'v2 legacy', 'v1'] as const
export type Kind = (typeof kinds)[number]

export type Target =
  { url: string; headers?: Record<string, string> } | { args: string[]; env?: Record<string, string> }

const identity = { name: 'tests', version: '1.0.0' }

function stdioParameters(target: Extract<Target, { args: string[] }>) {
  return {
    command: process.execPath,
    args: [program, 'serve', ...target.args],
    env: { ...getDefaultEnvironment(), ...target.env },
    stderr: 'pipe' as const,
    cwd: root
  }
}

/** Connects a client to a server: over HTTP, or over stdio to a `serve` that it starts. */
export async function connect(kind: Kind, target: Target, cleanUp: CleanUp): Promise<Peer> {
  let waiting: (() => void)[] = []
  const changed = (): void => {
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged: changed } }
  let stderr = ''
  const collect = (stream: unknown): void => {
    ;(stream as NodeJS.ReadableStream | null)?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  }
  const shared = {
    toolsChanged: () => new Promise<void>((resolve) => waiting.push(resolve)),
    stderr: () => stderr
  }

  if (kind === 'v1') {
    const client = new ClientV1(identity, { listChanged })
    const transport =
      'url' in target
        ? new HttpV1(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
        : new StdioV1(stdioParameters(target))
    if (transport instanceof StdioV1) collect(transport.stderr)
    cleanUp.add(() => client.close())
    await client.connect(transport)
    return {
      ...shared,
      protocol: undefined,
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools as ListedTool[],
      call: async (name, args = {}, more = {}) =>
        answerOf(await client.callTool({ name, arguments: args }, undefined, more)),
      resources: async () => (await client.listResources()).resources,
      read: async (uri) => textOf((await client.readResource({ uri })).contents),
      close: () => client.close()
    }
  }

  const options: ClientOptions = {
    listChanged,
    versionNegotiation: { mode: kind === 'v2 auto' ? 'auto' : 'legacy' }
  }
  const client = new ClientV2(identity, options)
  const transport =
    'url' in target
      ? new HttpV2(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
      : new StdioV2(stdioParameters(target))
  if (transport instanceof StdioV2) collect(transport.stderr)
  cleanUp.add(() => client.close())
  await client.connect(transport)
  return {
    ...shared,
    v2: client,
    protocol: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    // Not from the client's cache: the tests are about the server.
    tools: async () => (await client.listTools({}, { cacheMode: 'refresh' })).tools as ListedTool[],
    call: async (name, args = {}, more = {}) => answerOf(await client.callTool({ name, arguments: args }, more)),
    resources: async () => (await client.listResources({}, { cacheMode: 'refresh' })).resources,
    read: async (uri) => textOf((await client.readResource({ uri }, { cacheMode: 'refresh' })).contents),
    close: () => client.close()
  }
}

function answerOf(result: unknown): Answer {
  const { content, isError, structuredContent } = result as {
    content: Content[]
    isError?: boolean
    structuredContent?: unknown
  }
  const text = content.map((part) => part.text ?? `(${part.type})`).join('\n')
  return { text, isError: isError === true, ...(structuredContent !== undefined && { structuredContent }) }
}

function textOf(contents: object[]): string {
  return contents.map((part) => ('text' in part ? String(part.text) : '')).join('')
}
