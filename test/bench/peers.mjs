// npm run bench:peers: lint beside Spectral with the same rules and beside Redocly with the least rules, in one run on one machine.
// Redocly is installed into a temporary folder, which needs the registry; without it that column stays empty.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const REDOCLY = '@redocly/cli@2.77.0'
const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(here, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'openapi-mcp-bench-'))
const env = {
  ...process.env,
  SCARF_ANALYTICS: 'false',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true'
}

try {
  main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function main() {
  const file = (name) => path.join(folder, name)
  execFileSync(process.execPath, [path.join(here, 'inputs.mjs'), folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  symlinkSync(path.join(root, 'node_modules'), file('node_modules'))
  writeFileSync(file('spectral.yaml'), 'extends: ["@openapi-mcp/rules"]\n')
  writeFileSync(file('redocly.yaml'), 'extends: []\nrules:\n  operation-operationId: error\n')
  const redocly = installed()
  const programs = {
    'openapi-mcp': (name) => [path.join(root, 'packages/cli/bin/openapi-mcp.js'), 'lint', '--no-config', file(name)],
    Spectral: (name) => [
      file('node_modules/@stoplight/spectral-cli/dist/index.js'),
      'lint',
      '-r',
      file('spectral.yaml'),
      file(name)
    ],
    ...(redocly && { Redocly: (name) => [redocly, 'lint', '--config', file('redocly.yaml'), file(name)] })
  }
  console.log(`Node ${process.versions.node}, ${os.availableParallelism()} cores, median of ${rounds} rounds\n`)
  for (const name of ['small.yaml', 'middle.yaml', 'large.yaml']) {
    const samples = Object.fromEntries(Object.keys(programs).map((program) => [program, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [program, argsOf] of Object.entries(programs)) samples[program].push(measured(argsOf(name)))
    }
    const own = medians(samples['openapi-mcp'])
    console.log(`${name}, ${Math.round(statSync(file(name)).size / 1e3)} KB`)
    for (const [program, list] of Object.entries(samples)) {
      const { time, memory } = medians(list)
      const ratios =
        program === 'openapi-mcp'
          ? ''
          : `  ${(time / own.time).toFixed(1)}x time, ${(memory / own.memory).toFixed(1)}x memory`
      console.log(`  ${program.padEnd(12)} ${Math.round(time)} ms  ${Math.round(memory)} MB${ratios}`)
    }
  }
}

function installed() {
  const target = path.join(folder, 'redocly')
  const npm = spawnSync(
    'npm',
    ['install', '--prefix', target, '--no-audit', '--no-fund', '--ignore-scripts', REDOCLY],
    {
      encoding: 'utf8',
      shell: process.platform === 'win32'
    }
  )
  const program = path.join(target, 'node_modules/@redocly/cli/bin/cli.js')
  if (npm.status === 0 && existsSync(program)) return program
  console.log('Redocly cannot be installed here, and is left out.\n')
  return undefined
}

/** Time in milliseconds and largest resident size in MB of one run. */
function measured(args) {
  const report = 'process.on("exit",()=>process.stderr.write(`\\nmaxRSS ${process.resourceUsage().maxRSS}`))'
  const start = performance.now()
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(report)}`, ...args],
    {
      encoding: 'utf8',
      cwd: folder,
      env,
      maxBuffer: 1e9
    }
  )
  const time = performance.now() - start
  return { time, memory: (Number(/maxRSS (\d+)/.exec(stderr)?.[1] ?? NaN) * 1024) / 1e6 }
}

function medians(list) {
  const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
  return { time: median(list.map(({ time }) => time)), memory: median(list.map(({ memory }) => memory)) }
}
