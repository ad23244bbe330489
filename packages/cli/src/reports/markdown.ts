import { toJsonPath, type Severity } from '@openapi-mcp/core'
import type { PlacedFinding } from '../findings.js'
import { count, safeLine } from '../terminal.js'
import { slashed } from './paths.js'
import { totalsOf, type Report } from './report.js'

/** A comment on GitHub holds 65,536 characters. */
const LONGEST = 60_000
/** No message is to keep all others out. */
const LONGEST_MESSAGE = 1000
const MOST_FAILURES = 10

const MARKS: Record<Severity, string> = { error: '🔴', warning: '🟡', info: '🔵', hint: '⚪' }

/** For a comment on a pull request or the summary of a job. Hints are counted, not listed. */
export function markdown({ findings, documents, unreadable, ruleOf }: Report): string {
  const totals = totalsOf(findings)
  const checked = count(documents.length, 'document')
  const failures = [
    ...unreadable.slice(0, MOST_FAILURES).map((message) => `\n❌ ${plain(message)}\n`),
    ...(unreadable.length > MOST_FAILURES ? [`\n… and ${unreadable.length - MOST_FAILURES} more.\n`] : [])
  ].join('')
  if (findings.length === 0)
    return `### openapi-mcp lint\n\n${failures === '' ? '✅ ' : ''}No findings in ${checked}.\n${failures}`
  const words = [
    count(totals.error, 'error'),
    count(totals.warning, 'warning'),
    ...(totals.info > 0 ? [`${totals.info} info`] : []),
    ...(totals.hint > 0 ? [count(totals.hint, 'hint')] : [])
  ]
  let text = `### openapi-mcp lint\n\n${words.join(', ')} in ${checked}.\n${failures}`
  const listed = findings.filter(({ diagnostic }) => diagnostic.severity !== 'hint')
  let file: string | undefined
  for (const [index, finding] of listed.entries()) {
    const isNew = finding.file !== file
    file = finding.file
    const head = isNew ? `\n#### ${code(slashed(file))}\n\n| | Place | Finding |\n| --- | --- | --- |\n` : ''
    const row = rowOf(finding, ruleOf(finding.diagnostic.rule)?.url)
    if (text.length + head.length + row.length > LONGEST)
      return `${text}\n… and ${count(listed.length - index, 'more finding')}.\n`
    text += head + row
  }
  return text
}

function rowOf({ diagnostic, path, range }: PlacedFinding, url: string | undefined): string {
  const place = range ? `${range.start.line + 1}:${range.start.character + 1}` : ''
  const rule = url === undefined ? codeCell(diagnostic.rule) : `[${codeCell(diagnostic.rule)}](${url})`
  return `| ${MARKS[diagnostic.severity]} ${diagnostic.severity} | ${place} | ${plain(diagnostic.message)}<br>${rule} ${codeCell(toJsonPath(path))} |\n`
}

/** Text from a document as text: no markup, no mention of people, no break of the table. */
function plain(text: string): string {
  return (
    clipped(safeLine(text))
      .replace(/[\\`*_{}[\]()#+!|~$]/g, '\\$&')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // A zero-width joiner behind the sign keeps a name from being a mention, and a number from being an issue.
      .replace(/@(?=\w)|#(?=\d)/g, '$&&#8205;')
      .replace(/(https?:)\//gi, '$1&#47;')
      .replace(/(www)\./gi, '$1&#46;')
  )
}

function clipped(text: string): string {
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : text
}

/** A bar ends a cell, even in code. */
function codeCell(text: string): string {
  return code(text).replaceAll('|', '\\|')
}

/** Code: the fence is longer than any run of backticks in it. */
function code(text: string): string {
  const line = clipped(safeLine(text))
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}
