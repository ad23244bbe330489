import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SourceDocument } from '@openapi-mcp/core'
import { createSession, isObject, nodeHost, type Diagnostic, type JsonPath, type Session } from '@openapi-mcp/core'
import { lintDocument } from '../lint.js'
import type { LintSettings } from '../settings.js'
import type { SpectralOptions } from './ruleset.js'

/** What Spectral tells a function, as far as it matters here. */
export interface SpectralContext {
  documentInventory: {
    document: { input?: unknown; data: unknown; source: string | null }
  }
}

interface SpectralAnalysis {
  diagnostics: Diagnostic[]
  /** Where Spectral is to look for a finding: the way from the root of its document, through references. */
  pathOf(finding: Diagnostic): (string | number)[]
}

/** One analysis for each document and each way to look at it, shared by all rules. */
const analyses = new WeakMap<object, Map<string, Promise<SpectralAnalysis>>>()

export function analysisOf(
  { documentInventory }: SpectralContext,
  options: SpectralOptions
): Promise<SpectralAnalysis> {
  const { document } = documentInventory
  const known = analyses.get(document) ?? new Map<string, Promise<SpectralAnalysis>>()
  analyses.set(document, known)
  const settings: LintSettings = {
    ...(options.clients && { clients: options.clients }),
    ...(options.options && { rules: { [options.rule]: { ...options.options } } })
  }
  const key = JSON.stringify(settings)
  const analysis = known.get(key) ?? analyse(document, settings)
  known.set(key, analysis)
  return analysis
}

async function analyse(
  document: SpectralContext['documentInventory']['document'],
  settings: LintSettings
): Promise<SpectralAnalysis> {
  const session = createSession(nodeHost())
  const uri = uriOf(document.source)
  let source: SourceDocument
  if (typeof document.input === 'string') {
    session.setBuffer(uri, document.input, 0)
    source = await session.open(uri)
  } else source = session.add(uri, document.data)
  const { diagnostics } = await lintDocument(session, source, settings)
  return { diagnostics, pathOf: (finding) => segments(wayTo(finding, uri, session)) }
}

/** Spectral names files by path, and has no name for what comes from elsewhere. */
function uriOf(source: string | null): string {
  if (source === null || source === '') return pathToFileURL(path.resolve('stdin.yaml')).href
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? source : pathToFileURL(path.resolve(source)).href
}

/** Spectral decodes what it gets as the parts of a JSON Pointer. */
function segments(way: JsonPath): (string | number)[] {
  return way.map((segment) =>
    typeof segment === 'string' ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
  )
}

/** The shortest way to a finding in another document: along the references that lead there. */
function wayTo({ uri, path: place }: Diagnostic, main: string, session: Session): JsonPath {
  if (uri === main) return place
  const seen = new Set<string>()
  const open: { way: JsonPath; uri: string; path: JsonPath }[] = [{ way: [], uri: main, path: [] }]
  for (let next = open.shift(); next; next = open.shift()) {
    const from = session.workspace.get(next.uri)
    if (!from) continue
    for (const { at, reference } of referencesBelow(from, next.path)) {
      const target = session.workspace.resolve(from, reference)
      if (!('node' in target)) continue
      const { document, path: targetPath } = target.node
      const way = [...next.way, ...at]
      if (document.uri === uri && targetPath.every((segment, i) => String(segment) === String(place[i])))
        return [...way, ...place.slice(targetPath.length)]
      const key = `${document.uri} ${targetPath.join('/')}`
      if (seen.has(key)) continue
      seen.add(key)
      open.push({ way, uri: document.uri, path: targetPath })
    }
  }
  return []
}

/** The references below a place, with the way to each from there. */
function referencesBelow(document: SourceDocument, start: JsonPath): { at: JsonPath; reference: string }[] {
  const found: { at: JsonPath; reference: string }[] = []
  const seen = new Set<unknown>()
  const walk = (value: unknown, at: JsonPath): void => {
    if (value === null || typeof value !== 'object' || seen.has(value) || at.length > 100) return
    seen.add(value)
    if (isObject(value) && typeof value['$ref'] === 'string') found.push({ at, reference: value['$ref'] })
    for (const [name, inner] of Object.entries(value)) walk(inner, [...at, Array.isArray(value) ? Number(name) : name])
  }
  const from = start.reduce<unknown>(
    (value, segment) =>
      value !== null && typeof value === 'object' ? (value as Record<string | number, unknown>)[segment] : undefined,
    document.value
  )
  walk(from, [])
  return found
}
