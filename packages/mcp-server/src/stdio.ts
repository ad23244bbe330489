import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import type { Implementation, McpServer } from '@modelcontextprotocol/server'
import type { LiveTools } from './live-tools.js'
import { protocolProblem, type Log } from './log.js'
import { createMcpServer, type McpServerOptions } from './server.js'

/** Serves over standard input and output until the client closes them or `close` is called. */
export async function serveStdio(
  live: LiveTools,
  info: Implementation,
  options: McpServerOptions,
  log: Log
): Promise<{ close(): Promise<void>; closed: Promise<void> }> {
  let current = await live.toolSet()
  const open = new Set<McpServer>()
  live.onChange(() => {
    void live.toolSet().then((next) => {
      current = next
      for (const server of open) {
        if (!server.isConnected()) continue
        server.sendToolListChanged()
        server.sendResourceListChanged()
      }
    })
  })
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  const handle = serve(
    () => {
      const server = createMcpServer(() => current, info, options)
      open.add(server)
      return server
    },
    { onerror: (error) => log('warn', protocolProblem(error)) }
  )
  log('info', 'serving on stdio', { tools: current.tools.length, profiles: current.profiles })
  return { close: () => handle.close(), closed }
}
