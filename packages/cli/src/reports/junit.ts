import { toJsonPath } from '@openapi-mcp/core'
import type { PlacedFinding } from '../findings.js'
import { slashed } from './fingerprint.js'
import type { Report } from './report.js'
import { escaped } from './xml.js'

/**
 * JUnit XML, as Jenkins, GitLab and Azure read it: a suite for each document and a case for each finding. Errors and warnings are failures; what
 * is less passes, and says so on its output. A document without findings is one case that passes.
 */
export function junit({ findings, documents }: Report): string {
  const byFile = new Map<string, PlacedFinding[]>(documents.map((file) => [file, []]))
  for (const finding of findings) {
    const group = byFile.get(finding.file)
    if (group) group.push(finding)
    else byFile.set(finding.file, [finding])
  }
  const failures = findings.filter(isFailure).length
  const tests = [...byFile.values()].reduce((sum, group) => sum + Math.max(1, group.length), 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="openapi-mcp lint" tests="${tests}" failures="${failures}" errors="0">`,
    ...[...byFile].flatMap(([file, group]) => suite(slashed(file), group)),
    '</testsuites>',
    ''
  ].join('\n')
}

function isFailure({ diagnostic: { severity } }: PlacedFinding): boolean {
  return severity === 'error' || severity === 'warning'
}

function suite(file: string, findings: PlacedFinding[]): string[] {
  const name = escaped(file)
  const failures = findings.filter(isFailure).length
  const cases =
    findings.length > 0
      ? findings.flatMap((finding) => testCase(name, finding))
      : [`    <testcase classname="${name}" name="no findings" file="${name}"/>`]
  return [
    `  <testsuite name="${name}" tests="${Math.max(1, findings.length)}" failures="${failures}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>'
  ]
}

function testCase(file: string, finding: PlacedFinding): string[] {
  const { diagnostic, path, range } = finding
  const place = range ? `:${range.start.line + 1}:${range.start.character + 1}` : ''
  const line = range ? ` line="${range.start.line + 1}"` : ''
  const head = `    <testcase classname="${file}" name="${escaped(`${diagnostic.rule} ${toJsonPath(path)}`)}" file="${file}"${line}>`
  const text = `${file}${place} ${escaped(`${diagnostic.severity} ${diagnostic.message}`)}`
  if (!isFailure(finding)) return [head, `      <system-out>${text}</system-out>`, '    </testcase>']
  return [
    head,
    `      <failure type="${diagnostic.severity}" message="${escaped(diagnostic.message)}">${text}</failure>`,
    '    </testcase>'
  ]
}
