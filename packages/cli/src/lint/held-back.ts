import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { decodeText, parseDocument, toPointer, UsageError, type Diagnostic, type Session } from '@openapi-mcp/core'
import { baselineText, severityOf, SuppressionList, withSettings, type LintSettings } from '@openapi-mcp/rules'
import { placed, type PlacedFinding } from '../findings.js'
import { pathFrom } from './config-file.js'

/** A file of findings that are held back. */
interface ListFile {
  file: string
  /** Where the list stands in it. */
  key?: string
}

export interface HeldBackOptions {
  cwd: string
  /** Absolute paths. */
  ignoreFile: string | undefined
  baseline: string | undefined
  session: Session
  settings: LintSettings
  /** URIs of the documents that were checked. */
  checked: readonly string[]
}

export interface HeldBack {
  kept: PlacedFinding[]
  suppressed: PlacedFinding[]
}

/** The findings without those that the ignore file and the baseline hold back, and with what is wrong with these files. */
export async function heldBack(findings: PlacedFinding[], options: HeldBackOptions): Promise<HeldBack> {
  const { ignoreFile, baseline, session, settings, cwd } = options
  const files: ListFile[] = [
    ...(ignoreFile !== undefined ? [{ file: ignoreFile }] : []),
    ...(baseline !== undefined && existsSync(baseline) ? [{ file: baseline, key: 'findings' }] : [])
  ]
  let kept = findings
  const suppressed: PlacedFinding[] = []
  const own: Diagnostic[] = []
  for (const { file, key } of files) {
    const uri = pathToFileURL(file).href
    const document = await parseDocument(uri, await textOf(file))
    session.workspace.add(document)
    const list = new SuppressionList(document, key)
    const folder = new URL('.', uri).href
    kept = kept.filter((finding) => {
      const { diagnostic } = finding
      if (!list.suppresses(pathFrom(folder, diagnostic.uri), diagnostic)) return true
      suppressed.push(finding)
      return false
    })
    const checked = new Set(options.checked.map((checkedUri) => pathFrom(folder, checkedUri)))
    own.push(
      ...list.problems,
      ...list.unused(
        (name) => checked.has(name),
        (rule) => severityOf(rule, settings) !== 'off'
      )
    )
  }
  return { kept: [...kept, ...placed(withSettings(own, settings), session, cwd)], suppressed }
}

async function textOf(file: string): Promise<string> {
  try {
    return decodeText(await readFile(file))
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Writes the baseline: the findings of this run, and what it has of documents that were not checked but still exist. Gives the number of findings
 * of this run.
 */
export async function writeBaseline(
  file: string,
  findings: readonly PlacedFinding[],
  checked: readonly string[]
): Promise<number> {
  const folder = new URL('.', pathToFileURL(file)).href
  const names = new Set(checked.map((uri) => pathFrom(folder, uri)))
  const before = existsSync(file)
    ? new SuppressionList(await parseDocument(pathToFileURL(file).href, await textOf(file)), 'findings')
    : undefined
  const isElsewhere = (name: string): boolean =>
    !names.has(name) && (/^https?:/.test(name) || existsSync(path.resolve(path.dirname(file), name)))
  const entries = findings.map(({ diagnostic: { rule, uri, path: place } }) => ({
    file: pathFrom(folder, uri) ?? uri,
    rule,
    pointer: toPointer(place)
  }))
  try {
    await writeFile(file, baselineText([...(before?.entriesOf(isElsewhere) ?? []), ...entries]))
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
  return entries.length
}
