import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import {
  DocumentError,
  nodeHost,
  UsageError,
  createSession as createNodeSession,
  type Session,
  type SessionOptions
} from '@openapi-mcp/core'
import { accidentText } from './accident.js'
import { EXIT, type Io } from './io.js'
import { FORMATS } from './reports/report.js'
import { CLIENT_IDS } from '@openapi-mcp/rules/clients'
import { safeText } from './terminal.js'
import { version } from './version.js'

export type CreateSession = (options: SessionOptions) => Session

/** Options that every command that reads documents has. */
export interface DocumentOptions {
  allowRemoteRefs?: boolean
  root?: string
  color?: boolean
}

/** Runs the command line and gives the exit code. No exception gets out. */
export async function run(
  argv: string[],
  io: Io,
  createSession: CreateSession = (options) => createNodeSession(nodeHost(), options)
): Promise<number> {
  let code: number = EXIT.clean
  const program = new Command('openapi-mcp')
    .description('Check and preview the tools that an annotated OpenAPI document gives to AI agents.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .showHelpAfterError('(openapi-mcp --help lists the commands)')
    .enablePositionalOptions()
    .option('--color', 'colours even without a terminal')
    .option('--no-color', 'no colours')
    .hook('preAction', (_, command) => {
      // Before the command it is as good as behind it, where it is more exact.
      const { color } = program.opts<DocumentOptions>()
      if (color !== undefined && command.getOptionValue('color') === undefined) command.setOptionValue('color', color)
    })

  withDocumentOptions(program.command('lint'))
    .description('check documents: every mistake in their annotations, with its place')
    .argument(
      '[file-or-url...]',
      'documents, folders or globs; - for standard input; default: those of the configuration'
    )
    .addOption(
      new Option('-f, --format <format>', 'form of the report; may be repeated, each with a file')
        .choices(FORMATS)
        .argParser(repeatChoice(FORMATS))
        .default([], 'stylish')
    )
    .addOption(
      new Option('-o, --output <file>', 'write the report to a file; the nth file belongs to the nth format')
        .argParser(repeat)
        .default([], 'standard output')
    )
    .option('-q, --quiet', 'report only errors')
    .addOption(
      new Option('--fail-on <severity>', 'least severity that fails (default: error)').choices([
        'error',
        'warning',
        'info',
        'never'
      ])
    )
    .option('--max-warnings <number>', 'fail with more warnings than that', wholeNumber)
    .addOption(
      new Option('--client <client>', 'client that the tools are meant for; may be repeated')
        .choices(CLIENT_IDS)
        .argParser(repeatChoice(CLIENT_IDS))
        .default([], 'claude, openai')
    )
    .option('-c, --config <file>', 'configuration (default: the nearest openapi-mcp.yaml upwards)')
    .option('--no-config', 'no configuration')
    .option('--ignore-file <file>', 'findings that are accepted, by document, rule and JSON Pointer')
    .option('--baseline <file>', 'findings that were there when the check began')
    .option('--update-baseline', 'write all findings into the baseline')
    .option('--fix', 'mend what can be mended, in place')
    .option('--fix-dry-run', 'show what would be mended, as a diff')
    .option('--ruleset <file>', "the team's own Spectral ruleset, run in the same report")
    .option('--stdin-filename <file>', 'name of the document on standard input, for references and messages')
    .action(async (sources: string[], options) => {
      const { lint } = await import('./lint.js')
      code = await lint(sources, options, io, createSession)
    })

  withDocumentOptions(program.command('preview'))
    .description('show what an agent gets from a document')
    .argument('[file-or-url]', 'OpenAPI document; default: openapi.yaml, openapi.yml or openapi.json in this folder')
    .option('-p, --profile <name>', 'profile to show; repeat it or separate names by commas', collect, [])
    .option('-l, --locale <locale>', 'language of the texts', 'en')
    .option('-t, --tool <name>', 'show one tool whole, with its input schema')
    .addOption(
      new Option('-f, --format <format>', 'form of the preview').choices(['text', 'json', 'markdown']).default('text')
    )
    .option('-w, --watch', 'draw again when a file that was read changes')
    .option('--name-prefix <prefix>', "replace the document's prefix of tool names")
    .addOption(
      new Option('--lint <mode>', 'what findings in descriptions do').choices(['error', 'warn', 'off']).default('error')
    )
    .action(async (source: string | undefined, options) => {
      const { preview } = await import('./preview.js')
      code = await preview(source, options, io, createSession)
    })

  withDocumentOptions(program.command('call'))
    .description('run one tool and show its answer')
    .argument('<file-or-url>', 'OpenAPI document')
    .argument('<tool>', 'name of the tool')
    .argument('[json]', 'arguments as a JSON object')
    .option('-p, --profile <name>', 'profiles whose tools to know; default: all', collect, [])
    .option('-H, --header <line>', 'header of the request, "Name: value"; may be repeated', repeat, [])
    .option('--base-url <url>', 'address of the API; default: the servers of the document')
    .option('--input <file>', 'read the arguments from a file, or from standard input with -')
    .option('--dry-run', 'show the request as a curl command instead of sending it')
    .option('-l, --locale <locale>', 'language of the texts', 'en')
    .addOption(
      new Option('--lint <mode>', 'what findings in descriptions do').choices(['error', 'warn', 'off']).default('error')
    )
    .action(async (source: string, tool: string, json: string | undefined, options) => {
      const { call } = await import('./call.js')
      code = await call(source, tool, json, options, io, createSession)
    })

  withDocumentOptions(program.command('serve'))
    .description('serve the tools to MCP clients')
    .argument('[file-or-url...]', 'OpenAPI documents; default: OPENAPI_URL')
    .option('--transport <transport>', 'stdio or http (TRANSPORT)')
    .option('--host <host>', 'address to listen on; default: 127.0.0.1 (HOST)')
    .option('--port <port>', 'port to listen on; default: 8080 (PORT)')
    .option('--base-url <url>', 'address of the API; default: the servers of the document (BASE_URL)')
    .option('--profiles <names>', 'profiles to serve, separated by commas (PROFILES)')
    .option('--locale <locale>', 'language of the texts (LOCALE)')
    .option('--lint <mode>', 'error, warn or off (LINT)')
    .option('--structured-content', 'also answer with structured content (STRUCTURED_CONTENT)')
    .option('--watch', 'reload when a file changes')
    .option('--refresh-interval <seconds>', 'reload at intervals (REFRESH_INTERVAL)')
    .option('--forward-header <name>', 'hand this header of the client on to the API; may be repeated', repeat, [])
    .option('--allowed-host <host>', 'host name under which the server may be asked; may be repeated', repeat, [])
    .action(async (sources: string[], options) => {
      const { serve } = await import('./serve.js')
      code = await serve(sources, options, io, createSession)
    })

  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    return report(error, io)
  }
}

function withDocumentOptions(command: Command): Command {
  return command
    .option('--allow-remote-refs', 'follow references to other origins and out of the root folder')
    .option('--root <folder>', 'folder below which files may be referenced (default: that of the document)')
    .option('--color', 'colours even without a terminal')
    .option('--no-color', 'no colours')
}

function collect(value: string, before: string[]): string[] {
  const names = value.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('A profile name is empty.')
  return [...before, ...names]
}

/** Repeated choices; commander checks a single one only. */
function repeatChoice<T extends string>(choices: readonly T[]): (value: string, before: T[]) => T[] {
  return (value, before) => {
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
    return [...before, chosen]
  }
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

function repeat(value: string, before: string[]): string[] {
  return [...before, value]
}

function report(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage
  if (error instanceof DocumentError) {
    io.stderr(`${safeText(error.message)}\n`)
    return EXIT.findings
  }
  if (error instanceof UsageError) {
    io.stderr(`openapi-mcp: ${safeText(error.message)}\n`)
    return EXIT.usage
  }
  io.stderr(accidentText(error, io.env))
  return EXIT.usage
}
