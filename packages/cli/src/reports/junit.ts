import { toJsonPath } from '@openapi-mcp/core'
import { groupedByFile, placeText, type PlacedFinding } from '../findings.js'
import { slashed } from './paths.js'
import type { Report } from './report.js'
import { escaped } from './xml.js'

interface TestCase {
  name: string
  line?: number | undefined
  /** `error` is what could not be checked, as in other tests. */
  outcome?: { element: 'failure' | 'error' | 'system-out'; type?: string; message?: string; text: string }
}

/**
 * JUnit XML, as Jenkins, GitLab and Azure read it: a suite for each document and a case for each finding. Errors and warnings are failures; what
 * is less passes, and says so on its output. A document without findings is one case that passes.
 */
export function junit({ findings, documents, unreadable }: Report): string {
  const groups = groupedByFile(findings, documents)
  const suites = [...groups].map(([file, group]) => ({ name: slashed(file), cases: casesOf(group) }))
  if (unreadable.length > 0) suites.push({ name: 'cannot be read', cases: unreadable.map(errorCase) })
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="openapi-mcp lint" ${numbersOf(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escaped(name)}" ${numbersOf(cases)} skipped="0">`,
      ...cases.map((testCase) => elementOf(name, testCase)),
      '  </testsuite>'
    ]),
    '</testsuites>',
    ''
  ].join('\n')
}

function casesOf(findings: PlacedFinding[]): TestCase[] {
  if (findings.length === 0) return [{ name: 'no findings' }]
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const { diagnostic, path, range } = finding
    const { rule, severity, message } = diagnostic
    // GitLab takes cases of one name for one.
    const name = `${rule} ${toJsonPath(path)}`
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    const isFailure = severity === 'error' || severity === 'warning'
    return {
      name: nth === 1 ? name : `${name} (${nth})`,
      line: range && range.start.line + 1,
      outcome: {
        element: isFailure ? 'failure' : 'system-out',
        ...(isFailure && { type: severity, message }),
        text: `${placeText(finding)} ${severity} ${message}\n${toJsonPath(path)}`
      }
    }
  })
}

function errorCase(message: string): TestCase {
  return { name: message, outcome: { element: 'error', type: 'error', message, text: message } }
}

function numbersOf(cases: TestCase[]): string {
  const number = (element: string): number => cases.filter(({ outcome }) => outcome?.element === element).length
  return `tests="${cases.length}" failures="${number('failure')}" errors="${number('error')}"`
}

function elementOf(suite: string, { name, line, outcome }: TestCase): string {
  const isDocument = outcome?.element !== 'error'
  const head = `    <testcase ${attributes({ classname: suite, name, file: isDocument ? suite : undefined, line })}`
  if (!outcome) return `${head}/>`
  const { element, text, type, message } = outcome
  const start = [element, attributes({ type, message })].filter(Boolean).join(' ')
  return `${head}>\n      <${start}>${escaped(text)}</${element}>\n    </testcase>`
}

function attributes(values: Record<string, string | number | undefined>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${escaped(String(value))}"`]))
    .join(' ')
}
