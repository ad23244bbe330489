export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Structured logging. Never given header values, arguments or answers. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

/** One JSON object a line. On stdio it must not go to standard output, which belongs to the protocol. */
export function jsonLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  return (level, message, fields = {}) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, msg: message, ...fields })}\n`)
}
