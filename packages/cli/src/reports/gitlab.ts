import type { Severity } from '@openapi-mcp/core'
import { jsonText, wellFormed } from '../json-text.js'
import { fingerprints } from './fingerprint.js'
import { slashed } from './paths.js'
import type { Report } from './report.js'

const SEVERITIES: Record<Severity, string> = { error: 'major', warning: 'minor', info: 'info', hint: 'info' }

/** GitLab Code Quality: a list of issues, after Code Climate's. Hints are for editors. */
export function gitlab({ findings }: Report): string {
  const listed = findings.filter(({ diagnostic }) => diagnostic.severity !== 'hint')
  const prints = fingerprints(listed)
  return jsonText(
    listed.map(({ diagnostic, file, range }, index) => ({
      description: diagnostic.message,
      check_name: diagnostic.rule,
      fingerprint: prints[index],
      severity: SEVERITIES[diagnostic.severity],
      location: {
        path: slashed(file),
        lines: { begin: (range?.start.line ?? 0) + 1, end: (range?.end.line ?? 0) + 1 }
      }
    })),
    wellFormed
  )
}
