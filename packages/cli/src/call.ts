import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { nearest, toCurl, UsageError, type Tool } from '@openapi-mcp/core'
import type { CreateSession, DocumentOptions } from './cli.js'
import { EXIT, type Io } from './io.js'
import { safeText } from './terminal.js'
import { apiKeyOf, upstreamFetch } from './upstream.js'

export interface CallOptions extends DocumentOptions {
  profile: string[]
  header: string[]
  baseUrl?: string
  input?: string
  dryRun?: boolean
  locale: string
  lint: 'error' | 'warn' | 'off'
}

/** `openapi-mcp call`: runs one tool. Gives the exit code: 1 where the tool answers with an error. */
export async function call(
  source: string,
  name: string,
  json: string | undefined,
  options: CallOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const args = await argumentsOf(json, options, io)
  const headers = headersOf(options.header)
  const session = createSession(options)
  const { toolSet } = await session.toolSet(source, {
    locale: options.locale,
    lint: options.lint,
    fetch: upstreamFetch(apiKeyOf(io.env, (text) => io.stderr(`openapi-mcp: ${text}\n`))),
    profiles: options.profile.length > 0 ? options.profile : (await session.info(source)).profiles.map((p) => p.name),
    ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl })
  })
  const tool = toolNamed(name, toolSet.tools)
  if (options.dryRun) {
    const built = await tool.buildRequest(args, { headers })
    if ('error' in built) {
      io.stderr(`${safeText(built.error)}\n`)
      return EXIT.findings
    }
    io.stdout(`${safeText(toCurl(built.request))}\n`)
    return EXIT.clean
  }
  const result = await tool.execute(args, { headers })
  ;(result.isError ? io.stderr : io.stdout)(`${io.isTerminal ? safeText(result.text) : result.text}\n`)
  return result.isError ? EXIT.findings : EXIT.clean
}

async function argumentsOf(json: string | undefined, options: CallOptions, io: Io): Promise<Record<string, unknown>> {
  if (json !== undefined && options.input !== undefined)
    throw new UsageError('give the arguments as text or with --input, not both')
  const text = options.input === undefined ? (json ?? '{}') : await read(options.input, io)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`the arguments are no JSON: ${(error as Error).message}`)
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new UsageError('the arguments must be a JSON object')
  return value as Record<string, unknown>
}

async function read(file: string, io: Io): Promise<string> {
  try {
    return file === '-' ? await io.stdin() : await readFile(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(`the arguments cannot be read from ${file}: ${(error as Error).message}`)
  }
}

function headersOf(lines: string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      // The line may hold a secret, so it is not shown.
      if (colon < 1) throw new UsageError('a header is written as "Name: value"')
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    })
  )
}

function toolNamed(name: string, tools: Tool[]): Tool {
  const tool = tools.find((t) => t.name === name)
  if (tool) return tool
  const names = tools.map((t) => t.name)
  const near = nearest(name, names)
  throw new UsageError(
    `there is no tool ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean "${near}"?`} ${names.length > 0 ? `The tools are ${names.join(', ')}.` : 'There are no tools in these profiles.'}`
  )
}
