import { createHash } from 'node:crypto'
import { isIndex, readIndex, uriOf, type CallContext } from '@openapi-mcp/core'
import {
  jsonLog,
  LiveTools,
  serveHttp,
  serviceIds,
  serveStdio,
  type Log,
  type McpServerOptions
} from '@openapi-mcp/mcp-server'
import type { CreateSession } from './cli.js'
import { EXIT, type Io } from './io.js'
import { serveSettings, type ServeOptions, type ServeSettings } from './serve-settings.js'
import { localPath, sessionOptions, sourceIn } from './sources.js'
import { version } from './version.js'

/** `openapi-mcp serve`: an MCP server for the documents. Runs until it is stopped. */
export async function serve(
  named: string[],
  options: ServeOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const log = jsonLog((line) => io.stderr(line))
  const settings = serveSettings(named, options, io.env, (text) => log('warn', text))
  const stopped = io.interrupted()
  const startedAt = Date.now()
  const starting = startedTools(settings, io, log, () => createSession(sessionOptions(options, io)))
  const live = await Promise.race([starting, stopped])
  if (!live) {
    io.exitSoon()
    return EXIT.clean
  }
  const info = { name: 'openapi-mcp', version }
  const serverOptions: McpServerOptions = { context: (request) => forwarded(request, settings.forwardHeaders) }
  const stopWatching = await watchSources(live, settings, startedAt, log)
  try {
    if (settings.transport === 'stdio') {
      const server = await serveStdio(live, info, serverOptions, log)
      await Promise.race([server.closed, stopped])
      await server.close()
    } else {
      const { host, port, allowedHosts } = settings
      const httpOptions = { ...serverOptions, port, allowedHosts, ...(host !== undefined && { host }) }
      const server = await serveHttp(live, info, httpOptions, log)
      await stopped
      log('info', 'stopping')
      await server.close()
    }
  } finally {
    await stopWatching()
    io.exitSoon()
  }
  return EXIT.clean
}

async function startedTools(...given: Parameters<typeof liveTools>): Promise<LiveTools> {
  const live = await liveTools(...given)
  await live.start()
  return live
}

/** The tools of the documents, or of those that an index document lists. */
async function liveTools(
  { sources, toolSet }: ServeSettings,
  io: Io,
  log: Log,
  newSession: () => ReturnType<CreateSession>
): Promise<LiveTools> {
  const uris = sources.map((source) => uriOf(sourceIn(io.cwd, source)))
  const [uri] = uris
  if (uri !== undefined && uris.length === 1) {
    const session = newSession()
    const document = await session.open(uri)
    if (!isIndex(document)) return new LiveTools([{ id: serviceIds(uris)[0]!, uri, session }], toolSet, log)
    const definition = readIndex(document, session.workspace)
    const services = definition.services.map(({ id, openapi }) => ({ id, uri: openapi, session: newSession() }))
    return new LiveTools(services, { ...toolSet, index: { definition, session } }, log)
  }
  const ids = serviceIds(uris)
  const services = uris.map((address, i) => ({ id: ids[i]!, uri: address, session: newSession() }))
  return new LiveTools(services, toolSet, log)
}

/** Headers of the request that brought a call, handed on to the API: those that were chosen, no others. */
function forwarded(request: Request | undefined, names: string[]): CallContext {
  const headers: Record<string, string> = {}
  for (const name of names) {
    const value = request?.headers.get(name)
    if (value !== null && value !== undefined) headers[name] = value
  }
  // Drafts of form tools belong to who made them. The credentials tell callers apart; they are not kept.
  const authorization = request?.headers.get('authorization')
  const identity = authorization ? createHash('sha256').update(authorization).digest('base64url') : undefined
  return { headers, ...(identity !== undefined && { identity }) }
}

/** Reloads when a file changes (`--watch`) and at intervals, which is what addresses need. Gives what stops it. */
async function watchSources(
  live: LiveTools,
  settings: ServeSettings,
  startedAt: number,
  log: Log
): Promise<() => Promise<void>> {
  const stops: (() => Promise<void> | void)[] = []
  const failed = (error: unknown): void => log('error', error instanceof Error ? error.message : String(error))
  let readAt = startedAt
  const reload = (): void => {
    readAt = Date.now()
    live.reload().catch(failed)
  }
  if (settings.refreshInterval > 0) {
    const timer = setInterval(reload, settings.refreshInterval * 1000)
    stops.push(() => clearInterval(timer))
  }
  if (settings.watch) {
    const { watchFiles } = await import('./watch-files.js')
    const watched = watchFiles(reload)
    stops.push(() => watched.close())
    // A document may refer to other files than before, and a broken one may be mended in any of them.
    let watching = Promise.resolve()
    const watch = (): Promise<void> =>
      (watching = watching
        .then(() =>
          watched.set(
            live.documents.flatMap((uri) => localPath(uri) ?? []),
            readAt
          )
        )
        .catch(failed))
    live.onRead(() => void watch())
    await watch()
    log('info', 'watching', { documents: settings.sources.length })
  }
  return async () => {
    for (const stop of stops) await stop()
  }
}
