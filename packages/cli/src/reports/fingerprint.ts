import { createHash } from 'node:crypto'
import { toPointer } from '@openapi-mcp/core'
import type { PlacedFinding } from '../findings.js'
import { slashed } from './paths.js'

/**
 * Fingerprints of findings, in their order: made of rule, document and place, so that they stay when lines move, and different from each
 * other within a report.
 */
export function fingerprints(findings: readonly PlacedFinding[]): string[] {
  const seen = new Map<string, number>()
  return findings.map(({ diagnostic, file, path }) => {
    const key = [diagnostic.rule, slashed(file), toPointer(path), toPointer(diagnostic.within ?? [])].join('\n')
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return createHash('sha256').update(`${key}\n${nth}`).digest('hex')
  })
}
