import { stylishFindings } from '../findings.js'
import { count } from '../terminal.js'
import { totalsOf, type Report, type ReportContext } from './report.js'

/** For people in a terminal. Hints are counted, not listed: they are for editors. */
export function stylish({ findings, documents }: Report, { paint, width }: ReportContext): string {
  const totals = totalsOf(findings)
  const checked = count(documents.length, 'document')
  if (findings.length === 0) return documents.length === 0 ? '' : `${paint.green('✔')} no findings in ${checked}\n`
  const parts = [
    totals.error > 0 ? paint.red(count(totals.error, 'error')) : '',
    totals.warning > 0 ? paint.yellow(count(totals.warning, 'warning')) : '',
    totals.info > 0 ? `${totals.info} info` : '',
    totals.hint > 0 ? `${count(totals.hint, 'hint')} (listed by --format json)` : ''
  ]
  const mark = totals.error > 0 ? paint.red('✖') : totals.warning > 0 ? paint.yellow('⚠') : paint.green('✔')
  const listed = findings.filter(({ diagnostic }) => diagnostic.severity !== 'hint')
  const list = listed.length > 0 ? `${stylishFindings(listed, paint, width)}\n\n` : ''
  return `${list}${mark} ${parts.filter(Boolean).join(', ')} in ${checked}\n`
}
