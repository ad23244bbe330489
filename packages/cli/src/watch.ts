import { fileURLToPath } from 'node:url'
import { UsageError, type Session } from '@openapi-mcp/core'
import { watch } from 'chokidar'
import { EXIT, type Io } from './io.js'
import { safeText } from './terminal.js'

/** Waits so long for further changes before it draws again, in milliseconds: an editor writes in several steps. */
const QUIET_TIME = 60

/** Draws, and draws again whenever a file changes that the last picture depended on. Ends when the user interrupts. */
export async function watchPreview(
  io: Io,
  session: Session,
  draw: () => Promise<{ documents: string[] }>
): Promise<number> {
  const watched = new Set<string>()
  const watcher = watch([], { ignoreInitial: true })
  const ready = new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  let timer: NodeJS.Timeout | undefined
  let drawing: Promise<void> = Promise.resolve()

  const redraw = async (): Promise<void> => {
    if (io.isTerminal) io.stdout('\u001b[2J\u001b[3J\u001b[H')
    let documents: string[] = []
    try {
      documents = (await draw()).documents
    } catch (error) {
      // A file that is gone for a moment, or a profile that was renamed: say so and wait for the next save.
      if (!(error instanceof UsageError)) throw error
      io.stderr(`openapi-mcp: ${safeText(error.message)}\n`)
    }
    const added = documents.filter((uri) => uri.startsWith('file:') && !watched.has(uri))
    for (const uri of added) {
      watched.add(uri)
      watcher.add(fileURLToPath(uri))
    }
    // A save right after the first picture must not be missed.
    if (added.length > 0) await ready
    io.stderr('\nWatching for changes; Ctrl-C ends.\n')
  }
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      session.invalidate()
      drawing = drawing.then(redraw)
    }, QUIET_TIME)
  })
  try {
    await redraw()
    if (watched.size === 0) throw new UsageError('there is no local file to watch')
    await io.interrupted()
  } finally {
    clearTimeout(timer)
    await drawing
    await watcher.close()
  }
  return EXIT.clean
}
