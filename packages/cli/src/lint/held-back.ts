import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { UsageError, type Session } from '@openapi-mcp/core'
import { loadLists, partedBy, updatedBaseline, type ListFiles, type LintRun, type Parted } from '@openapi-mcp/rules'
import { nodeConfigHost } from '@openapi-mcp/rules/config/node'
import type { PlacedFinding } from '../findings.js'

/** The findings without those that the ignore file and the baseline hold back, and what is wrong with these files. */
export async function heldBack(
  findings: PlacedFinding[],
  files: ListFiles,
  { runs, session }: { runs: readonly LintRun[]; session: Session }
): Promise<Parted<PlacedFinding>> {
  const lists = await loadLists(files, nodeConfigHost)
  for (const { document } of lists) session.workspace.add(document)
  return partedBy(lists, findings, ({ diagnostic }) => diagnostic, runs)
}

/** Writes the baseline: the findings of this run, and what it has of documents that were not checked but still exist. */
export async function writeBaseline(
  uri: string,
  findings: readonly PlacedFinding[],
  runs: readonly LintRun[]
): Promise<void> {
  const [before] = await loadLists({ baseline: uri }, nodeConfigHost)
  const diagnostics = findings.map(({ diagnostic }) => diagnostic)
  const file = fileURLToPath(uri)
  try {
    await writeFile(file, updatedBaseline(uri, diagnostics, runs, before))
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}
