import { toJsonPath, toPointer, type Range, type Severity } from '@openapi-mcp/core'
import type { ArtifactLocation, Log, PhysicalLocation, ReportingDescriptor, Result } from 'sarif'
import type { PlacedFinding } from '../findings.js'
import { jsonText, wellFormed } from '../json-text.js'
import { fingerprints } from './fingerprint.js'
import { isAddress, slashed } from './paths.js'
import type { Report, RuleInfo } from './report.js'

const LEVELS: Record<Severity, Result.level> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' }

/** SARIF 2.1.0, as code scanning reads it: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function sarif({ findings, suppressed, accepted, unreadable, ruleOf, version }: Report): string {
  const all = [...findings, ...suppressed, ...accepted]
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
            rules: ids.map((id) => descriptor(id, ruleOf(id)))
          }
        },
        ...(unreadable.length > 0 && {
          invocations: [
            {
              executionSuccessful: false,
              toolExecutionNotifications: unreadable.map((text) => ({ level: 'error', message: { text } }))
            }
          ]
        }),
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
          ...(index >= findings.length && {
            suppressions: [{ kind: index < findings.length + suppressed.length ? 'inSource' : 'external' }]
          })
        }))
      }
    ]
  }
  return jsonText(log, wellFormed)
}

/** Code scanning wants descriptions of every rule. */
function descriptor(id: string, rule: RuleInfo | undefined): ReportingDescriptor {
  if (!rule) return { id, shortDescription: { text: id }, fullDescription: { text: id }, help: { text: id } }
  return {
    id,
    shortDescription: { text: rule.summary },
    fullDescription: { text: `${rule.summary} ${rule.why}` },
    help: { text: rule.why },
    defaultConfiguration: { level: LEVELS[rule.severity] },
    ...(rule.url !== undefined && { helpUri: rule.url })
  }
}

/** Code scanning wants a region of every place. */
const BEGINNING: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

function physicalLocation({ file, range }: Pick<PlacedFinding, 'file' | 'range'>): PhysicalLocation {
  const { start, end } = range ?? BEGINNING
  return {
    artifactLocation: artifact(file),
    region: {
      startLine: start.line + 1,
      startColumn: start.character + 1,
      endLine: end.line + 1,
      endColumn: end.character + 1
    }
  }
}

/** A relative path below the folder of the run; what is elsewhere has its whole address. */
function artifact(file: string): ArtifactLocation {
  // What is escaped in an address already stays as it is.
  if (isAddress(file)) return { uri: URL.canParse(file) ? new URL(file).href : encodeURI(file.toWellFormed()) }
  const path = slashed(file).toWellFormed()
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  if (/^([a-z]:)?\//i.test(path))
    return { uri: `file://${path.startsWith('/') ? '' : '/'}${encoded.replace('%3A', ':')}` }
  return { uri: encoded, uriBaseId: 'ROOT' }
}
