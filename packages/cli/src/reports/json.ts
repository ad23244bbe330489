import { toJsonPath, toPointer } from '@openapi-mcp/core'
import { jsonText } from '../json-text.js'
import { totalsOf, type Report } from './report.js'

const NOWHERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** The report for machines, version 1. Positions are zero-based, in UTF-16 code units. */
export function json({ findings }: Report): string {
  const totals = totalsOf(findings)
  return jsonText({
    version: 1,
    summary: { errors: totals.error, warnings: totals.warning, infos: totals.info, hints: totals.hint },
    diagnostics: findings.map(({ diagnostic, file, path, range, related }) => ({
      rule: diagnostic.rule,
      severity: diagnostic.severity,
      message: diagnostic.message,
      file,
      path: toPointer(path),
      jsonPath: toJsonPath(path),
      range: range ?? NOWHERE,
      ...(diagnostic.suggestion !== undefined && { suggestion: diagnostic.suggestion }),
      ...(related.length > 0 && {
        related: related.map((r) => ({
          file: r.file,
          path: toPointer(r.path),
          jsonPath: toJsonPath(r.path),
          message: r.message,
          range: r.range ?? NOWHERE
        }))
      })
    }))
  })
}
