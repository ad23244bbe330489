import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { displayUri, UsageError } from '@openapi-mcp/core'
import { applyFixes, type FixedText } from '@openapi-mcp/rules'
import type { ChalkInstance } from 'chalk'
import type { CreateSession } from '../cli.js'
import { placed } from '../findings.js'
import { relativeTo } from '../terminal.js'
import type { LintJob, LintOutcome } from './job.js'

/** What mending a document came to. */
export interface FixOutcome extends LintOutcome {
  texts: FixedText[]
  /** Number of findings that are mended. */
  fixed: number
}

/** Mends what can be mended in a document and in the files that it refers to. Nothing is written. */
export async function fixJob(job: LintJob, cwd: string, createSession: CreateSession): Promise<FixOutcome> {
  const { source, text, settings } = job
  const session = createSession(job.session)
  const file = relativeTo(cwd, displayUri(source))
  try {
    if (text !== undefined) session.setBuffer(session.uriOf(source), text, 0)
    const { diagnostics, suppressed, documents, texts, applied } = await applyFixes(session, source, settings)
    return {
      source,
      file,
      findings: placed(diagnostics, session, cwd),
      suppressed: placed(suppressed, session, cwd),
      documents,
      texts,
      fixed: applied.length
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { source, file, findings: [], suppressed: [], documents: [], texts: [], fixed: 0, unreadable: error.message }
  }
}

/** Writes a mended text, with the byte order mark that the file had. Throws a UsageError. */
export async function writeFixed({ uri, after }: FixedText): Promise<void> {
  const file = fileURLToPath(uri)
  try {
    await writeFile(file, (await markOf(file)) + after)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

async function markOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0)
    if (bytesRead >= 2 && ((buffer[0] === 0xff && buffer[1] === 0xfe) || (buffer[0] === 0xfe && buffer[1] === 0xff)))
      throw new Error('it is written in UTF-16, which is read only')
    return buffer.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? '\ufeff' : ''
  } finally {
    await handle.close()
  }
}

/** The change of a text, as `git apply` takes it. */
export async function diffOf({ uri, before, after }: FixedText, cwd: string, paint: ChalkInstance): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const name = path.relative(cwd, fileURLToPath(uri)).replaceAll('\\', '/')
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, { context: 3 })
  const lines = patch.split('\n').filter((line) => !/^=+$/.test(line))
  return lines
    .map((line) => {
      if (line.startsWith('+++') || line.startsWith('---')) return paint.bold(line)
      return line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line
    })
    .join('\n')
}
