import { findingKey, type Diagnostic, type Session, type SourceDocument, atLeast } from '@openapi-mcp/core'
import type { LoadedConfig } from './config/load.js'
import { pathFrom } from './config/paths.js'
import { lintDocument, type LintResult } from './lint.js'
import { withSettings, type LintSettings } from './settings.js'
import { partedBy, type LintRun, type SuppressionList } from './suppressions/lists.js'

/** The settings that a configuration has for a document; for none in particular where it is left out. */
export async function settingsOf({ config, folder, document }: LoadedConfig, uri?: string): Promise<LintSettings> {
  if (!document) return {}
  // The definition takes time to build, and most folders have no configuration.
  const { settingsFor } = await import('./config/config.js')
  return settingsFor(config, uri === undefined ? undefined : pathFrom(folder, uri))
}

/**
 * What `openapi-mcp lint` says of a document alone: the settings of its configuration, its comments, the ignore file and the baseline applied.
 * Findings about these files are among the diagnostics, under the addresses of the files. A configuration with mistakes counts as empty; its
 * own findings are `loaded.diagnostics`. Throws a UsageError where the document cannot be read.
 */
export async function lintConfigured(
  session: Session,
  source: string | SourceDocument,
  { loaded, lists }: { loaded: LoadedConfig; lists: readonly SuppressionList[] }
): Promise<LintResult> {
  const uri = typeof source === 'string' ? session.uriOf(source) : source.uri
  const settings = await settingsOf(loaded, uri)
  const result = await lintDocument(session, source, settings)
  if (lists.length === 0) return result
  for (const { document } of lists) session.workspace.add(document)
  const { documents } = result
  const { kept, suppressed, own } = partedBy(lists, result.diagnostics, (d) => d, [{ documents, settings }])
  return {
    diagnostics: session.sorted([...kept, ...withSettings(own, await settingsOf(loaded))]),
    suppressed: [...result.suppressed, ...suppressed],
    documents
  }
}

/**
 * The findings of several documents as one list: each once, with the severest severity that it has in one of them. A comment of a file that
 * several of them share is unused where none of them has a use for it.
 */
export function combined<T>(
  results: readonly { findings: readonly T[]; documents: LintRun['documents'] }[],
  diagnosticOf: (finding: T) => Diagnostic
): T[] {
  const all = new Map<string, T>()
  const unused = new Map<string, { uri: string; count: number }>()
  for (const finding of results.flatMap(({ findings }) => findings)) {
    const diagnostic = diagnosticOf(finding)
    const key = findingKey(diagnostic)
    const known = all.get(key)
    if (!known || !atLeast(diagnosticOf(known).severity, diagnostic.severity)) all.set(key, finding)
    if (diagnostic.rule !== 'unused-suppression') continue
    const count = (unused.get(key)?.count ?? 0) + 1
    unused.set(key, { uri: diagnostic.uri, count })
  }
  for (const [key, { uri, count }] of unused) {
    if (results.filter(({ documents }) => documents.includes(uri)).length > count) all.delete(key)
  }
  return [...all.values()]
}
