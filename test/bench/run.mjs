// npm run bench: how the built CLI compares, in one run on one machine, with what it cannot do without:
// starting Node, and JSON.parse of the same file. test/bench/README.md says how to read it.

import { execFileSync, spawnSync } from 'node:child_process'
import { measureCalls } from './calls.mjs'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const existing = process.argv[2] ?? process.env.BENCH_FILE
const here = path.dirname(fileURLToPath(import.meta.url))
const cli = path.resolve(here, '../../packages/cli/bin/openapi-mcp.js')

const folder = mkdtempSync(path.join(os.tmpdir(), 'openapi-mcp-bench-'))
try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main() {
  if (!existsSync(cli)) throw new Error('The CLI is not built: npm run build')
  execFileSync(
    process.execPath,
    [path.join(here, 'inputs.mjs'), folder, ...(existing ? [path.resolve(existing)] : [])],
    {
      stdio: ['ignore', 'inherit', 'inherit']
    }
  )
  const file = (name) => path.join(folder, name)
  const megabytes = (name) => statSync(file(name)).size / 1e6
  const size = (name) =>
    megabytes(name) >= 1 ? `${megabytes(name).toFixed(1)} MB` : `${Math.round(megabytes(name) * 1e3)} KB`
  const readAndParse = `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file('large.json'))}, 'utf8'))`

  const commands = {
    node: { args: ['-e', '0'] },
    parse: { args: ['-e', readAndParse] },
    version: { args: [cli, '--version'] },
    small: { args: [cli, 'lint', file('small.yaml')] },
    medium: { args: [cli, 'lint', file('medium.yaml')] },
    largeJson: { args: [cli, 'lint', file('large.json')] },
    largeJsonFinding: { args: [cli, 'lint', file('large-finding.json')], status: 1 },
    largeYaml: { args: [cli, 'lint', file('large.yaml')] }
  }
  const memory = Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, peakMemory(command)]))
  const time = medianTimes(commands)

  console.log(`Node ${process.versions.node}, ${os.availableParallelism()} cores, median of ${rounds} interleaved runs`)
  console.log(`Large document: ${existing ? path.basename(existing) : 'generated'}; ten operations annotated\n`)
  row('figure', 'measured', 'against', 'ratio', 'bar')
  ratio('openapi-mcp --version', time.version, 'node -e 0', time.node, 2.5)
  ratio(`lint ${size('small.yaml')} YAML`, time.small, 'node -e 0', time.node, 2.5)
  ratio(`lint ${size('large.json')} JSON`, time.largeJson, 'node, JSON.parse', time.parse, 4)
  ratio(`lint ${size('large.json')} JSON, one finding`, time.largeJsonFinding, 'node, JSON.parse', time.parse, 4)
  seconds(`lint ${size('medium.yaml')} YAML`, time.medium, 'node -e 0', time.node, 0.3)
  seconds(`lint ${size('large.yaml')} YAML`, time.largeYaml, 'node, JSON.parse', time.parse, 1.3)
  space(`peak memory, ${size('large.json')} JSON`, memory.largeJson, megabytes('large.json'))
  space(
    `peak memory, ${size('large.json')} JSON, one finding`,
    memory.largeJsonFinding,
    megabytes('large-finding.json')
  )
  space(`peak memory, ${size('large.yaml')} YAML`, memory.largeYaml, megabytes('large.yaml'), false)
  for (const { name, measured, against, ratio: value } of await measureCalls()) {
    row(name, measured, against, `${value.toFixed(2)}x`)
  }

  function ratio(figure, measured, base, baseTime, bar) {
    const value = measured / baseTime
    row(figure, ms(measured), `${base} ${ms(baseTime)}`, `${value.toFixed(2)}x`, verdict(value, bar, `${bar}x`))
  }

  function seconds(figure, measured, base, baseTime, bar) {
    const times = `${(measured / baseTime).toFixed(2)}x`
    row(figure, ms(measured), `${base} ${ms(baseTime)}`, times, verdict(measured / 1e3, bar, `${bar} s`))
  }

  function space(figure, measured, fileSize, hasBar = true) {
    const bar = 4 * fileSize + 100
    const times = `${(measured / fileSize).toFixed(2)}x`
    const judged = hasBar ? verdict(measured, bar, `4x + 100 MB = ${mb(bar)}`) : ''
    row(figure, mb(measured), `file ${mb(fileSize)}`, times, judged)
  }
}

/** The bar, and whether the value stays under it. */
function verdict(value, bar, text) {
  return `${value <= bar ? 'under' : 'OVER '} ${text}`
}

function row(...cells) {
  const widths = [40, 10, 26, 8]
  console.log(
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(' ')
      .trimEnd()
  )
}

function ms(milliseconds) {
  return `${Math.round(milliseconds)} ms`
}

function mb(megabytes) {
  return `${Math.round(megabytes)} MB`
}

/** Rounds go over all commands, so that what else the machine does falls on all of them alike. */
function medianTimes(commands) {
  const samples = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      const start = performance.now()
      run(command)
      samples[name].push(performance.now() - start)
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, median(list)]))
}

/** Peak resident memory in MB. Runs before the timed rounds, which warms the file cache too. */
function peakMemory(command) {
  const report = 'process.on("exit",()=>process.stderr.write(`\\nmaxRSS ${process.resourceUsage().maxRSS}`))'
  const { stderr } = run(command, ['--import', `data:text/javascript,${encodeURIComponent(report)}`])
  return (Number(/maxRSS (\d+)/.exec(stderr)[1]) * 1024) / 1e6
}

function run({ args, status = 0 }, nodeOptions = []) {
  const result = spawnSync(process.execPath, [...nodeOptions, ...args], { encoding: 'utf8' })
  if (result.error) throw result.error
  if (result.status !== status) {
    const shown = args.map((argument) => path.basename(argument)).join(' ')
    throw new Error(`${shown}: exit ${result.status}, expected ${status}\n${result.stdout}${result.stderr}`)
  }
  return result
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[Math.floor(middle)]
}
