import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Implementation,
  type ServerContext
} from '@modelcontextprotocol/server'
import type { CallContext, Tool, ToolSet } from '@openapi-mcp/core'
import { skillsExtension } from './skills.js'

export interface McpServerOptions {
  /** How long clients may keep lists, in milliseconds. Default 300,000. */
  ttlMs?: number
  /** What a call adds to its upstream request, from the HTTP request that brought it; none on stdio. */
  context?(request: Request | undefined): CallContext
}

const DEFAULT_TTL = 300_000

/**
 * An MCP server for a tool set: tools, instructions, and skills as resources and through the skills extension. Give a function
 * where the set may be replaced while the server runs. Speaks protocol 2026-07-28 and the ones of 2025.
 */
export function createMcpServer(
  source: ToolSet | (() => ToolSet),
  info: Implementation = { name: 'openapi-mcp', version: '0.1.0' },
  options: McpServerOptions = {}
): McpServer {
  const toolSet = typeof source === 'function' ? source : () => source
  const ttlMs = options.ttlMs ?? DEFAULT_TTL
  const hint = { ttlMs, cacheScope: 'private' } as const
  const { instructions } = toolSet()
  const mcp = new McpServer(info, {
    capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
    cacheHints: { 'tools/list': hint, 'resources/list': hint, 'resources/read': hint, 'server/discover': hint },
    ...(instructions !== '' && { instructions })
  })
  mcp.server.setRequestHandler('tools/list', () => ({ tools: toolSet().tools.map(listed) }))
  mcp.server.setRequestHandler('tools/call', async (request, ctx) => {
    const { name, arguments: args = {} } = request.params
    const tool = toolSet().tools.find((t) => t.name === name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}`)
    const result = await withProgress(ctx, () => tool.execute(args, contextOf(ctx, options)))
    const answer: CallToolResult = {
      content: [{ type: 'text', text: result.text }],
      ...(result.structuredContent !== undefined && {
        structuredContent: result.structuredContent as Record<string, unknown>
      }),
      ...(result.isError && { isError: true })
    }
    return mcp.server.projectCallToolResult(answer, tool.outputSchema)
  })
  skillsExtension(toolSet, ttlMs).attach(mcp)
  return mcp
}

/** A tool as clients list it. */
function listed({ name, title, description, inputSchema, outputSchema, annotations, examples }: Tool) {
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: inputSchema as { type: 'object' },
    ...(outputSchema && { outputSchema: outputSchema as { type: 'object' } }),
    annotations: { ...annotations, ...(title !== undefined && { title }) },
    ...(examples && { _meta: { 'anthropic/inputExamples': examples } })
  }
}

function contextOf(ctx: ServerContext, options: McpServerOptions): CallContext {
  return { ...options.context?.(ctx.http?.req), signal: ctx.mcpReq.signal }
}

/** A client that asked for progress hears that the call is under way: an API gives no more than that. */
async function withProgress<T>(ctx: ServerContext, work: () => Promise<T>): Promise<T> {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  const notify = (progress: number): Promise<void> =>
    ctx.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, total: 1 } })
      .catch(() => {})
  await notify(0)
  const result = await work()
  await notify(1)
  return result
}
