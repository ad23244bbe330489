import { UsageError, type Session } from '@openapi-mcp/core'
import type { ChalkInstance } from 'chalk'
import { EXIT, type Io } from './io.js'
import type { Drawing } from './preview.js'
import { localPath } from './sources.js'
import { count, safeText } from './terminal.js'
import { watchFiles } from './watch-files.js'

const CLEAR = '\u001b[2J\u001b[3J\u001b[H'

/** Draws, and draws again whenever a file changes that the last picture depended on. Ends when the user interrupts. */
export async function watchPreview(
  io: Io,
  session: Pick<Session, 'invalidate'>,
  paint: ChalkInstance,
  draw: () => Promise<Drawing>
): Promise<number> {
  let wake = (): void => {}
  let good = ''
  let paths: string[] = []
  const files = watchFiles(() => wake())
  const stopped = io.interrupted().then(() => 'stopped' as const)
  try {
    for (;;) {
      const changed = new Promise<'changed'>((resolve) => (wake = () => resolve('changed')))
      const time = Date.now()
      const drawn = draw().catch((error: unknown): Drawing => {
        // A file that is gone for a moment, or a profile that was renamed: say so and wait for the next save.
        if (!(error instanceof UsageError) || paths.length === 0) throw error
        return { code: EXIT.usage, stdout: '', stderr: `openapi-mcp: ${safeText(error.message)}\n`, documents: [] }
      })
      const drawing = await Promise.race([drawn, stopped])
      if (drawing === 'stopped') return EXIT.clean
      if (drawing.stdout !== '') good = drawing.stdout
      if (io.isTerminal) {
        // All at once, so that nothing flickers; what is wrong now goes below the last good picture.
        const separator =
          drawing.stdout === '' && good !== '' ? `\n${paint.dim('── as of the last good save ──')}\n\n` : ''
        io.stdout(CLEAR + good + separator)
      } else if (drawing.stdout !== '') io.stdout(drawing.stdout)
      if (drawing.stderr !== '') io.stderr(drawing.stderr)

      const local = drawing.documents.flatMap((uri) => localPath(uri) ?? [])
      // What could not be read now was read before: keep an eye on that.
      paths = [...new Set(drawing.code === EXIT.usage ? [...paths, ...local] : local)]
      if (paths.length === 0) throw new UsageError('there is no local file to watch')
      await files.set(paths, time)
      io.stderr(paint.dim(`\nWatching ${count(paths.length, 'file')} for changes; Ctrl-C ends.`) + '\n')
      if ((await Promise.race([changed, stopped])) === 'stopped') return EXIT.clean
      session.invalidate()
    }
  } finally {
    await files.close()
  }
}
