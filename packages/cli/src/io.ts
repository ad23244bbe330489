/** What a command talks to: the process, or a test. */
export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  cwd: string
  env: Record<string, string | undefined>
  /** Is standard output a terminal? */
  isTerminal: boolean
  /** Is standard error one? */
  isErrorTerminal?: boolean
  /** Width of the terminal in columns. */
  columns: number | undefined
  /** All of standard input. */
  stdin(): Promise<string>
  /** Resolves when the user wants to stop (Ctrl-C, or a request to end). */
  interrupted(): Promise<void>
  /** The command is over: what is still under way, such as a download that hangs, has a moment left. */
  exitSoon(): void
}

/** A variable of the environment. An empty one counts as not set. */
export function settingOf(env: Io['env'], name: string): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/** In milliseconds. */
const LAST_MOMENT = 1_000

/** Exit codes of every command. */
export const EXIT = { clean: 0, findings: 1, usage: 2 } as const

export function processIo(): Io {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, is not worth a word; but not all was written, so it is no success.
    if (error.code !== 'EPIPE')
      process.stderr.write(`openapi-mcp: standard output cannot be written: ${error.message}\n`)
    process.exit(EXIT.usage)
  })
  // Nobody reads what is said on the side: no reason to end a server or to lose a report.
  process.stderr.on('error', () => {})
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    cwd: process.cwd(),
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    isErrorTerminal: process.stderr.isTTY === true,
    get columns() {
      return process.stdout.columns
    },
    stdin: async () => {
      let text = ''
      process.stdin.setEncoding('utf8')
      for await (const chunk of process.stdin) text += chunk as string
      return text
    },
    interrupted: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
      }),
    exitSoon: () => void setTimeout(() => process.exit(), LAST_MOMENT).unref()
  }
}
