import { safeLine } from './terminal.js'

/** What a user reads where the mistake is ours: one line, and the stack only on request. */
export function accidentText(error: unknown, env: Record<string, string | undefined>): string {
  const message = safeLine(error instanceof Error ? error.message : String(error))
  const stack = env['OPENAPI_MCP_DEBUG'] && error instanceof Error ? `${error.stack}\n` : ''
  return `openapi-mcp: this should not happen, please report it: ${message}\n${stack}`
}
