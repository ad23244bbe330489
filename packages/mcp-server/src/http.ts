import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type Implementation,
  type McpServerFactory
} from '@modelcontextprotocol/server'
import { UsageError } from '@openapi-mcp/core'
import type { LiveTools } from './live-tools.js'
import { protocolProblem, type Log } from './log.js'
import { createMcpServer, type McpServerOptions } from './server.js'

export interface HttpOptions extends McpServerOptions {
  /** Default 127.0.0.1: reachable from this machine only. */
  host?: string
  /** 0 takes any free port. Default 8080. */
  port?: number
  /** Hosts and origins that may ask besides this machine's own names; see hostNameOf. */
  allowedHosts?: string[]
  /** Largest request, in bytes. Default 1 MiB. */
  maxRequestBytes?: number
}

const MCP_PATH = '/mcp'
const DEFAULT_MAX_REQUEST = 1024 * 1024
/** How long requests under way may take when the server stops, in milliseconds. */
const GRACE = 5_000

/** Serves over streamable HTTP, without sessions, at `/mcp`; `/healthz` answers probes. Resolves when it listens. */
export async function serveHttp(
  live: LiveTools,
  info: Implementation,
  options: HttpOptions,
  log: Log
): Promise<{ url: string; close(): Promise<void> }> {
  const initial = await live.toolSet()
  const factory: McpServerFactory = async ({ requestInfo }) => {
    const set = await live.toolSet(requestInfo && profilesOf(new URL(requestInfo.url)))
    return createMcpServer(set, info, options)
  }
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: options.maxRequestBytes ?? DEFAULT_MAX_REQUEST,
    onerror: (error) => log('warn', protocolProblem(error))
  })
  live.onChange(() => {
    handler.notify.toolsChanged()
    handler.notify.resourcesChanged()
  })
  const allowed = [...ownHost(options.host), ...(options.allowedHosts ?? [])].map(hostNameOf)
  const hostIsFine = hostHeaderValidation([...localhostAllowedHostnames(), ...allowed])
  const originIsFine = originValidation([...localhostAllowedOrigins(), ...allowed])
  const toMcp = toNodeHandler(handler, { maxRequestBodySize: options.maxRequestBytes ?? DEFAULT_MAX_REQUEST })

  const underWay = new Set<ServerResponse>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = targetOf(request.url ?? '/')
    if (!target) return json(response, 400, { error: 'the target of the request is no address' })
    const { pathname } = target
    if (pathname === '/healthz') {
      const { tools } = await live.toolSet()
      return json(response, 200, { status: 'ok', tools: tools.length, documents: live.counts })
    }
    if (pathname !== MCP_PATH) return json(response, 404, { error: `there is nothing here; MCP is at ${MCP_PATH}` })
    if (!hostIsFine(request, response) || !originIsFine(request, response)) return
    const profiles = profilesOf(target)
    if (profiles) {
      try {
        await live.toolSet(profiles)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        return json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32602, message: error.message } })
      }
    }
    // A subscription ends with the server; everything else that is under way may finish first.
    if (request.headers['mcp-method'] !== 'subscriptions/listen') underWay.add(response)
    response.once('close', () => underWay.delete(response))
    await toMcp(request, response as never)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log('error', error instanceof Error ? error.message : String(error))
      if (!response.headersSent) json(response, 500, { error: 'the request could not be answered' })
      else response.destroy()
    })
  })
  const url = await listen(server, options.host ?? '127.0.0.1', options.port ?? 8080)
  log('info', `serving on ${url}${MCP_PATH}`, { tools: initial.tools.length, profiles: initial.profiles })
  return { url: url + MCP_PATH, close: () => stop(server, handler, underWay) }
}

/** `?profiles=a,b` chooses the set of one request. */
function profilesOf({ searchParams }: URL): string[] | undefined {
  const names = searchParams
    .getAll('profiles')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length > 0 ? names : undefined
}

/** What a request asks for. Two slashes at the start would be a host to a parser of addresses. */
function targetOf(text: string): URL | undefined {
  return !text.startsWith('//') && URL.canParse(text, 'http://localhost')
    ? new URL(text, 'http://localhost')
    : undefined
}

/** The name in a host as people write it: `my.example`, `my.example:8443`, `[::1]`. Ports do not matter. Throws a UsageError for anything else. */
export function hostNameOf(host: string): string {
  const authority = isIPv6(host) ? `[${host}]` : host
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(`http://${authority}`))
    throw new UsageError(`the allowed host ${JSON.stringify(host)} is no host name, such as my.example`)
  return new URL(`http://${authority}`).hostname
}

/** A name under which the server is asked for on purpose. The wildcard addresses are none. */
function ownHost(host: string | undefined): string[] {
  return host === undefined || host === '0.0.0.0' || host === '::' ? [] : [host]
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function listen(server: HttpServer, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message
      reject(new UsageError(`cannot listen on ${host}:${port}: ${reason}`))
    })
    server.listen(port, host, () => {
      const address = server.address()
      const actual = typeof address === 'object' && address ? address.port : port
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`)
    })
  })
}

/** No new requests; those under way may end, within the grace. */
async function stop(
  server: HttpServer,
  handler: { close(): Promise<void> },
  underWay: Set<ServerResponse>
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const finished = Promise.all(
    [...underWay].map((response) => new Promise<void>((resolve) => response.once('close', resolve)))
  )
  let timer: NodeJS.Timeout | undefined
  await Promise.race([finished, new Promise((resolve) => (timer = setTimeout(resolve, GRACE)))])
  clearTimeout(timer)
  await handler.close()
  server.closeAllConnections()
  await ended
}
