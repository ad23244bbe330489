import type { Diagnostic } from '../diagnostics.js'
import type { SourceDocument } from '../source/document.js'
import { isObject } from '../source/workspace.js'

export type OpenApiVersion = '3.0' | '3.1' | '3.2'

/** The OpenAPI version of a document, or the findings that say why it is none that is read here. */
export function openApiVersion(document: SourceDocument): { version?: OpenApiVersion; diagnostics: Diagnostic[] } {
  const { value, uri } = document
  const finding = (
    rule: string,
    message: string,
    path: string[],
    severity: 'error' | 'warning' = 'error'
  ): Diagnostic => ({
    rule,
    severity,
    message,
    uri,
    path
  })
  if (!isObject(value)) {
    return { diagnostics: [finding('openapi-document', `this is not an OpenAPI document: ${describeRoot(value)}`, [])] }
  }
  if ('swagger' in value && !('openapi' in value)) {
    const version = shown(value['swagger'])
    return {
      diagnostics: [
        finding('openapi-version', `OpenAPI (Swagger) ${version} documents are not read; convert it to OpenAPI 3.x`, [
          'swagger'
        ])
      ]
    }
  }
  const written = value['openapi']
  if (written === undefined) {
    return {
      diagnostics: [finding('openapi-document', 'this is not an OpenAPI document: it has no `openapi` field', [])]
    }
  }
  const text = typeof written === 'number' ? (Number.isInteger(written) ? `${written}.0` : String(written)) : written
  const match = typeof text === 'string' ? /^(3\.[012])(\.\d+(-.+)?)?$/.exec(text.trim()) : null
  if (!match) {
    return {
      diagnostics: [
        finding('openapi-version', `OpenAPI ${shown(written)} is not read; 3.0, 3.1 and 3.2 are`, ['openapi'])
      ]
    }
  }
  const version = match[1] as OpenApiVersion
  if (typeof written === 'string') return { version, diagnostics: [] }
  const message = `the version must be a quoted string such as "${version}.0"; it is read as ${version}`
  return { version, diagnostics: [finding('openapi-version', message, ['openapi'], 'warning')] }
}

function shown(version: unknown): string {
  if (version === null || typeof version !== 'object') return String(version)
  return Array.isArray(version) ? '(a list)' : '(an object)'
}

function describeRoot(value: unknown): string {
  if (value === undefined || value === null) return 'it is empty'
  if (Array.isArray(value)) return 'its root is a list'
  return `its root is ${typeof value === 'string' ? 'text' : `a ${typeof value}`}`
}
