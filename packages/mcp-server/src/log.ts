export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Structured logging. Never given header values, arguments or answers. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

/** What the log says of an error of the protocol: no excerpt of what a client sent. */
export function protocolProblem(error: Error): string {
  const isUnreadable = error instanceof SyntaxError || error.name === 'ZodError'
  return isUnreadable ? 'what the client sent is no JSON-RPC message' : error.message
}

/** One JSON object a line. On stdio it must not go to standard output, which belongs to the protocol. */
export function jsonLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  return (level, message, fields = {}) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, msg: message, ...fields })}\n`)
}
