import { toJsonPath, type Severity } from '@openapi-mcp/core'
import { groupedByFile, placeText, type PlacedFinding } from '../findings.js'
import { count } from '../terminal.js'
import { totalsOf, type Report } from './report.js'
import { escaped } from './xml.js'

const SEVERITIES: Severity[] = ['error', 'warning', 'info', 'hint']

/** One page that needs nothing else: no script, no font, no address that is loaded. */
export function html(report: Report): string {
  const { findings, documents, unreadable } = report
  const totals = totalsOf(findings)
  const present = SEVERITIES.filter((severity) => totals[severity] > 0)
  const byFile = groupedByFile(findings)
  const clean = documents.filter((file) => !byFile.has(file))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>openapi-mcp lint</title>
<style>${STYLE}${present.map((severity) => `\nbody:has(#show-${severity}:not(:checked)) tr.${severity} { display: none }`).join('')}
</style>
</head>
<body>
<main>
<h1>openapi-mcp lint</h1>
<p>${findings.length === 0 ? 'No findings' : present.map((severity) => (severity === 'info' ? `${totals.info} info` : count(totals[severity], severity))).join(', ')} in ${count(documents.length, 'document')}.</p>
${list('Cannot be read', unreadable)}${present.length > 1 ? `<fieldset><legend>Show</legend>${present.map(toggle).join('')}</fieldset>\n` : ''}${[...byFile].map(([file, group]) => section(file, group, report)).join('')}${list('Without findings', clean)}</main>
</body>
</html>
`
}

function list(title: string, items: string[]): string {
  if (items.length === 0) return ''
  return `<h2>${title}</h2>\n<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>\n`
}

function toggle(severity: Severity): string {
  return `<label><input type="checkbox" id="show-${severity}" checked> ${severity}</label> `
}

function section(file: string, findings: PlacedFinding[], { ruleOf }: Report): string {
  const rows = findings.map(({ diagnostic, path, range, related }) => {
    const rule = ruleOf(diagnostic.rule)
    const id = escaped(diagnostic.rule)
    const name = rule?.url === undefined ? id : `<a href="${escaped(rule.url)}">${id}</a>`
    const place = range ? `${range.start.line + 1}:${range.start.character + 1}` : ''
    const notes = related.map((r) => `<div class="note">see ${escaped(`${placeText(r)} ${r.message}`)}</div>`)
    return `<tr class="${diagnostic.severity}"><td>${place}</td><td><span class="badge">${diagnostic.severity}</span></td><td>${escaped(diagnostic.message)}<div class="note"><code>${escaped(toJsonPath(path))}</code></div>${notes.join('')}</td><td>${name}${rule ? `<div class="note">${withCode(`${rule.summary} ${rule.why}`)}</div>` : ''}</td></tr>`
  })
  return `<h2>${escaped(file)}</h2>
<table>
<thead><tr><th scope="col">Place</th><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Rule</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
`
}

/** Our own words may hold code spans. */
function withCode(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #59636e; --error: #b3261e; --warning: #8a5a00; --info: #0b57d0; --hint: #59636e }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #9198a1; --error: #ff8a80; --warning: #f2c14e; --info: #8ab4f8; --hint: #9198a1 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 75rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.5rem }
h2 { font-size: 1.1rem; margin-top: 2rem; overflow-wrap: anywhere }
fieldset { border: 1px solid var(--line); border-radius: 6px; display: inline-block }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid var(--line); overflow-wrap: anywhere }
th:first-child, td:first-child { white-space: nowrap }
.badge { font-weight: 600 }
tr.error .badge { color: var(--error) }
tr.warning .badge { color: var(--warning) }
tr.info .badge { color: var(--info) }
tr.hint .badge { color: var(--hint) }
.note { color: var(--soft); font-size: .875rem }
code { font: .875em ui-monospace, monospace }`
