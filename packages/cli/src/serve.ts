import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { UsageError, type CallContext, type ToolSetOptions } from '@openapi-mcp/core'
import {
  isIndex,
  jsonLog,
  LiveTools,
  readIndex,
  serveHttp,
  serveStdio,
  type Log,
  type McpServerOptions
} from '@openapi-mcp/mcp-server'
import type { CreateSession, DocumentOptions } from './cli.js'
import { EXIT, type Io } from './io.js'
import { upstreamFetch } from './upstream.js'
import { version } from './version.js'

export interface ServeOptions extends DocumentOptions {
  transport?: string
  host?: string
  port?: string
  baseUrl?: string
  profiles?: string
  locale?: string
  lint?: string
  structuredContent?: boolean
  watch?: boolean
  refreshInterval?: string
  forwardHeader: string[]
  allowedHost: string[]
}

/** `openapi-mcp serve`: an MCP server for the documents. Flags win over the environment. Runs until it is stopped. */
export async function serve(
  named: string[],
  options: ServeOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const { env } = io
  const log = jsonLog((line) => io.stderr(line))
  const sources = named.length > 0 ? named : list(env['OPENAPI_URL'])
  if (sources.length === 0) throw new UsageError('name a document to serve, or set OPENAPI_URL')
  const transport = choice('transport', options.transport ?? env['TRANSPORT'] ?? 'stdio', ['stdio', 'http'])
  const live = await liveTools(sources, options, env, log, createSession)
  const info = { name: 'openapi-mcp', version }
  const stopWatching = await watchSources(live, sources, options, io, log)
  try {
    const serverOptions: McpServerOptions = { context: (request) => forwarded(request, options.forwardHeader) }
    if (transport === 'stdio') {
      const server = await serveStdio(live, info, serverOptions, log)
      await Promise.race([server.closed, io.interrupted()])
      await server.close()
    } else {
      const server = await serveHttp(
        live,
        info,
        {
          ...serverOptions,
          port: number('port', options.port ?? env['PORT'] ?? '8080', 0, 65_535),
          allowedHosts: options.allowedHost,
          ...((options.host ?? env['HOST']) && { host: options.host ?? env['HOST'] })
        },
        log
      )
      await io.interrupted()
      log('info', 'stopping')
      await server.close()
    }
  } finally {
    await stopWatching()
  }
  return EXIT.clean
}

/** The tools of the documents, or of those that an index document lists. */
async function liveTools(
  sources: string[],
  options: ServeOptions,
  env: Io['env'],
  log: Log,
  createSession: CreateSession
): Promise<LiveTools> {
  const [only] = sources
  const document = sources.length === 1 ? await createSession(options).open(only!) : undefined
  const index = document && isIndex(document) ? readIndex(document) : undefined
  const named = index ? index.services.map((s) => s.openapi) : sources
  const services = named.map((source) => ({ source, session: createSession(options) }))
  return new LiveTools(services, toolSetOptions(options, env), log, index)
}

function toolSetOptions(options: ServeOptions, env: Io['env']): ToolSetOptions {
  const profiles = list(options.profiles ?? env['PROFILES'] ?? env['PROFILE'])
  const baseUrl = options.baseUrl ?? env['BASE_URL']
  const lint = choice('lint', options.lint ?? env['LINT'] ?? 'error', ['error', 'warn', 'off'])
  return {
    locale: options.locale ?? env['LOCALE'] ?? 'en',
    lint,
    fetch: upstreamFetch(env),
    structuredContent: options.structuredContent ?? /^(1|true|yes)$/i.test(env['STRUCTURED_CONTENT'] ?? ''),
    ...(profiles.length > 0 && { profiles }),
    ...(baseUrl !== undefined && baseUrl !== '' && { baseUrl })
  }
}

/** Headers of the request that brought a call, handed on to the API: those that were chosen, no others. */
function forwarded(request: Request | undefined, names: string[]): CallContext {
  const headers: Record<string, string> = {}
  for (const name of names) {
    const value = request?.headers.get(name)
    if (value !== null && value !== undefined) headers[name.toLowerCase()] = value
  }
  // Drafts of form tools belong to who made them. The credentials tell callers apart; they are not kept.
  const authorization = request?.headers.get('authorization')
  const identity = authorization ? createHash('sha256').update(authorization).digest('base64url') : undefined
  return { headers, ...(identity !== undefined && { identity }) }
}

/** Reloads when a file changes (`--watch`) and at intervals, which is what addresses need. */
async function watchSources(
  live: LiveTools,
  sources: string[],
  options: ServeOptions,
  io: Io,
  log: Log
): Promise<() => Promise<void>> {
  const interval = number('refresh interval', options.refreshInterval ?? io.env['REFRESH_INTERVAL'] ?? '0', 0, 86_400)
  const stops: (() => Promise<void> | void)[] = []
  let reloading = Promise.resolve()
  const reload = (): void => {
    reloading = reloading
      .then(() => live.reload())
      .catch((error: unknown) => log('error', error instanceof Error ? error.message : String(error)))
  }
  if (interval > 0) {
    const timer = setInterval(reload, interval * 1000)
    stops.push(() => clearInterval(timer))
  }
  if (options.watch) {
    const started = Date.now()
    await live.toolSet()
    const { watchFiles } = await import('./watch-files.js')
    const watched = watchFiles(reload)
    stops.push(() => watched.close())
    const watch = async (since: number): Promise<void> => {
      const files = live.documents.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri))
      await watched.set(files, since)
    }
    await watch(started)
    // A document may refer to other files than before.
    live.onChange(() => void watch(Date.now()))
    log('info', 'watching', { documents: sources.length })
  }
  return async () => {
    for (const stop of stops) await stop()
    await reloading
  }
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function choice<T extends string>(what: string, value: string, allowed: T[]): T {
  const found = allowed.find((a) => a === value)
  if (found === undefined) throw new UsageError(`the ${what} ${JSON.stringify(value)} is none of ${allowed.join(', ')}`)
  return found
}

function number(what: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < low || value > high) {
    throw new UsageError(`the ${what} ${JSON.stringify(text)} is no number from ${low} to ${high}`)
  }
  return value
}
