// Writes docs/pictures/lint.svg: the report of lint as a terminal prints it. `--check` only compares. Needs the build.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const command = 'lint lint.yaml'
// As wide as a page shows it at its own size.
const terminal = 'data:text/javascript,Object.assign(process.stdout, { isTTY: true, columns: 104 })'
const program = fileURLToPath(new URL('packages/cli/bin/openapi-mcp.js', root))
const { stdout } = spawnSync(
  process.execPath,
  ['--import', terminal, program, ...command.split(' '), '--no-config', '--color'],
  { cwd: fileURLToPath(new URL('docs/pictures/', root)), encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '1' } }
)

/** What chalk writes: attributes on and off, as classes of the picture. */
const STYLES = { 1: 'b', 2: 'd', 4: 'u', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 90: 'd' }
const ENDS = { 22: ['b', 'd'], 24: ['u'], 39: ['red', 'green', 'yellow', 'blue', 'd'] }
const SEQUENCE = '\\x1b\\[[0-9;]*m'
const [CHARACTER, LINE, MARGIN] = [7.8, 18, 16]

const lines = [`$ openapi-mcp ${command}`, '', ...stdout.trimEnd().split('\n')]
const width = Math.max(...lines.map((line) => plain(line).length))
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width * CHARACTER + 2 * MARGIN)} ${lines.length * LINE + 2 * MARGIN}" role="img" aria-label="The findings of openapi-mcp lint in a terminal">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
rect { fill: #f6f8fa } .b { font-weight: 700 } .d { fill: #59636e } .u { text-decoration: underline }
.red { fill: #b3261e } .green { fill: #1a7f37 } .yellow { fill: #8a5a00 } .blue { fill: #0b57d0 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } rect { fill: #0d1117 } .d { fill: #9198a1 }
  .red { fill: #ff7b72 } .green { fill: #3fb950 } .yellow { fill: #e3b341 } .blue { fill: #79c0ff }
}
</style>
<rect width="100%" height="100%" rx="8"/>
${lines.map((line, index) => `<text x="${MARGIN}" y="${MARGIN + (index + 0.75) * LINE}">${spans(line)}</text>`).join('\n')}
</svg>
`

const file = new URL('docs/pictures/lint.svg', root)
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== svg) {
    console.error('docs/pictures/lint.svg is out of date. Run `npm run docs`.')
    process.exitCode = 1
  }
} else writeFileSync(file, svg)

function plain(line) {
  return line.replace(new RegExp(SEQUENCE, 'g'), '')
}

function spans(line) {
  const active = new Set()
  return line
    .split(new RegExp(`(${SEQUENCE})`))
    .map((part) => {
      const codes = new RegExp(`^${SEQUENCE}$`).test(part) ? part.slice(2, -1) : undefined
      if (codes === undefined) {
        const text = part.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c])
        return text === '' || active.size === 0 ? text : `<tspan class="${[...active].join(' ')}">${text}</tspan>`
      }
      for (const code of codes.split(';')) {
        if (code === '0' || code === '') active.clear()
        else if (STYLES[code]) active.add(STYLES[code])
        else for (const style of ENDS[code] ?? []) active.delete(style)
      }
      return ''
    })
    .join('')
}
