import { version } from './version.js'

// The version is asked for by scripts, often: it must not wait for anything.
const [first, ...rest] = process.argv.slice(2)
if (rest.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${version}\n`)
else {
  const [{ run }, { processIo }] = await Promise.all([import('./cli.js'), import('./io.js')])
  process.exitCode = await run(process.argv.slice(2), processIo())
}
