import { atLeast, displayUri, toJsonPath } from './diagnostics.js'
import type { Host } from './source/host.js'
import type { SourceDocument } from './source/document.js'
import { createSession, type SessionOptions, type ToolSetOptions } from './session.js'
import type { ToolSet } from './tools/types.js'

/** Options of `load` (x-agent vocabulary, "Loading"). */
export interface LoadOptions extends ToolSetOptions {
  /** Reads local files. Node's `load` brings one. */
  host?: Host
  /** The address of a document that is given as an object, for its relative references, links and servers. */
  documentUrl?: string
  /** Follow references to other origins and out of the root folder. */
  allowRemoteRefs?: boolean
  /** Folder (URI) below which a local document may reference files. Default: its own folder. */
  root?: string
}

const INLINE_URI = 'inline:document'

/**
 * Loads an annotated document: file path, URL or parsed document. Throws a DocumentError that lists every offence where the
 * document is refused, and a UsageError where it cannot be read or a profile is not declared.
 */
export async function loadWith(
  source: string | URL | object,
  options: LoadOptions,
  environment: { host: Host } & SessionOptions
): Promise<ToolSet> {
  const { host: given, documentUrl, allowRemoteRefs, root, ...toolSetOptions } = options
  const base = given ?? environment.host
  const host: Host = options.fetch ? { ...base, fetch: options.fetch } : base
  const session = createSession(host, {
    ...(environment.uriOf && { uriOf: environment.uriOf }),
    ...(allowRemoteRefs !== undefined && { allowRemoteRefs }),
    ...(root !== undefined && { root: environment.uriOf ? environment.uriOf(root) : root })
  })
  let document: string | SourceDocument
  if (source instanceof URL) document = source.href
  else if (typeof source === 'string') document = source
  else document = session.add(documentUrl ?? INLINE_URI, source)
  const { toolSet } = await session.toolSet(document, toolSetOptions)
  if (options.lint === 'warn') {
    for (const finding of toolSet.diagnostics)
      if (atLeast(finding.severity, 'warning'))
        host.log?.(
          'warn',
          `${displayUri(finding.uri)} ${toJsonPath(finding.path)}: ${finding.message} [${finding.rule}]`
        )
  }
  return toolSet
}
