import { stat } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'

/** Waits so long for further changes before it tells, in milliseconds: an editor writes in several steps. */
const QUIET_TIME = 60

/** Files that are watched together. */
export interface WatchedFiles {
  /** Watches these files from now on, and tells of what has changed since `time` (as of Date.now). */
  set(files: string[], time: number): Promise<void>
  close(): Promise<void>
}

/**
 * Tells once things are quiet after a file changed, came or went. The folders are watched, not the files: a watcher of a
 * file loses it where an editor or Git deletes it and writes it anew, and has nothing to hold where it does not exist yet.
 */
export function watchFiles(tell: () => void): WatchedFiles {
  let watcher: FSWatcher | undefined
  let known = ''
  let timer: NodeJS.Timeout | undefined
  const seen = new Map<string, number>()
  const changed = (): void => {
    clearTimeout(timer)
    timer = setTimeout(tell, QUIET_TIME)
  }
  return {
    async set(files, time) {
      const folders = [...new Set(await Promise.all(files.map((file) => existingFolder(dirname(file)))))]
      const wanted = [...folders, ...files].sort().join('\n')
      if (wanted !== known) {
        const isOnTheWay = (path: string): boolean => files.some((f) => f === path || f.startsWith(path + sep))
        const next = watch(folders, { ignoreInitial: true, ignored: (path) => !isOnTheWay(path) })
        next.on('all', changed)
        // A folder that may not be read: what can be watched still is.
        next.on('error', () => {})
        await new Promise<void>((resolve) => next.once('ready', resolve))
        await watcher?.close()
        watcher = next
        known = wanted
      }
      for (const file of files) {
        const last = await lastChange(file)
        // Told once, since a clock that goes wrong would date every look as earlier.
        if (last > time && seen.get(file) !== last) changed()
        seen.set(file, last)
      }
    },
    async close() {
      clearTimeout(timer)
      await watcher?.close()
    }
  }
}

async function existingFolder(folder: string): Promise<string> {
  const parent = dirname(folder)
  const exists = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false
  )
  return exists || parent === folder ? folder : existingFolder(parent)
}

function lastChange(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
    () => 0
  )
}
