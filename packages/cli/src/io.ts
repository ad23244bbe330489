/** What a command talks to: the process, or a test. */
export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  cwd: string
  env: Record<string, string | undefined>
  /** Is standard output a terminal? */
  isTerminal: boolean
  /** Width of the terminal in columns. */
  columns: number | undefined
  /** Resolves when the user wants to stop (Ctrl-C). */
  interrupted(): Promise<void>
}

/** Exit codes of every command. */
export const EXIT = { clean: 0, findings: 1, usage: 2 } as const

export function processIo(): Io {
  // A reader that has seen enough, such as `head`, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`openapi-mcp: standard output cannot be written: ${error.message}\n`)
    process.exit(EXIT.usage)
  })
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    cwd: process.cwd(),
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns,
    interrupted: () => new Promise((resolve) => process.once('SIGINT', () => resolve()))
  }
}
