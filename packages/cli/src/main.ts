import { version } from './version.js'

// The version is asked for by scripts, often: it must not wait for anything.
const [first, ...rest] = process.argv.slice(2)
if (rest.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.on('error', () => process.exit(2)).write(`${version}\n`)
} else {
  const [{ run }, { processIo }, { accidentText }] = await Promise.all([
    import('./cli.js'),
    import('./io.js'),
    import('./accident.js')
  ])
  // Also raised for a promise that nobody waits for.
  process.on('uncaughtException', (error) => {
    process.stderr.write(accidentText(error, process.env))
    process.exit(2)
  })
  process.exitCode = await run(process.argv.slice(2), processIo())
}
