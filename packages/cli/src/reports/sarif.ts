import { toJsonPath, toPointer, type Severity } from '@openapi-mcp/core'
import type { ArtifactLocation, Log, PhysicalLocation, Result } from 'sarif'
import type { PlacedFinding } from '../findings.js'
import { jsonText } from '../json-text.js'
import { fingerprints, slashed } from './fingerprint.js'
import type { Report } from './report.js'

const LEVELS: Record<Severity, Result.level> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' }

/** SARIF 2.1.0, as code scanning reads it: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function sarif({ findings, suppressed, ruleOf, version }: Report): string {
  const all = [...findings, ...suppressed]
  const ids = [...new Set(all.map(({ diagnostic }) => diagnostic.rule))].sort()
  const prints = fingerprints(all)
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'openapi-mcp',
            semanticVersion: version,
            rules: ids.map((id) => {
              const rule = ruleOf(id)
              return {
                id,
                ...(rule && {
                  shortDescription: { text: rule.summary },
                  fullDescription: { text: `${rule.summary} ${rule.why}` },
                  help: { text: rule.why },
                  defaultConfiguration: { level: LEVELS[rule.severity] },
                  ...(rule.url !== undefined && { helpUri: rule.url })
                })
              }
            })
          }
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { description: { text: 'The folder in which lint was run.' } } },
        results: all.map((finding, index) => ({
          ruleId: finding.diagnostic.rule,
          ruleIndex: ids.indexOf(finding.diagnostic.rule),
          level: LEVELS[finding.diagnostic.severity],
          message: { text: finding.diagnostic.message },
          locations: [
            {
              physicalLocation: physicalLocation(finding),
              logicalLocations: [{ fullyQualifiedName: toJsonPath(finding.path), kind: 'member' }]
            }
          ],
          ...(finding.related.length > 0 && {
            relatedLocations: finding.related.map((related, id) => ({
              id,
              physicalLocation: physicalLocation(related),
              message: { text: related.message }
            }))
          }),
          partialFingerprints: { 'openapiMcp/v1': prints[index]! },
          properties: { jsonPointer: toPointer(finding.path) },
          ...(index >= findings.length && { suppressions: [{ kind: 'inSource' }] })
        }))
      }
    ]
  }
  return jsonText(log)
}

function physicalLocation({ file, range }: Pick<PlacedFinding, 'file' | 'range'>): PhysicalLocation {
  return {
    artifactLocation: artifact(file),
    ...(range && {
      region: {
        startLine: range.start.line + 1,
        startColumn: range.start.character + 1,
        endLine: range.end.line + 1,
        endColumn: range.end.character + 1
      }
    })
  }
}

/** A relative path below the folder of the run; what is elsewhere has its whole address. */
function artifact(file: string): ArtifactLocation {
  const path = slashed(file)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return { uri: encodeURI(path) }
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  if (/^([a-z]:)?\//i.test(path))
    return { uri: `file://${path.startsWith('/') ? '' : '/'}${encoded.replace('%3A', ':')}` }
  return { uri: encoded, uriBaseId: 'ROOT' }
}
