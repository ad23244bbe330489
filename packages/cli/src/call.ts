import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isCallerHeader, isSecretHeader, toCurl, UsageError } from '@openapi-mcp/core'
import type { CreateSession, DocumentOptions } from './cli.js'
import { EXIT, type Io } from './io.js'
import { sessionOptions, sourceIn } from './sources.js'
import { safeText } from './terminal.js'
import { findTool, unknownToolText } from './tool-names.js'
import { apiKeyOf, baseUrlOf, upstreamOptions, type ApiKey } from './upstream.js'

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
  const note = (text: string): void => io.stderr(`openapi-mcp: ${safeText(text)}\n`)
  const headers = headersOf(options.header, note)
  const key = apiKeyOf(io.env, note)
  const session = createSession(sessionOptions(options, io))
  const document = await session.open(sourceIn(io.cwd, source))
  const { profiles, namePrefix } = await session.info(document)
  const { toolSet } = await session.toolSet(document, {
    locale: options.locale,
    lint: options.lint,
    ...upstreamOptions(key),
    profiles: options.profile.length > 0 ? options.profile : profiles.map((p) => p.name),
    ...(options.baseUrl !== undefined && { baseUrl: baseUrlOf(options.baseUrl) })
  })
  const tool = findTool(name, toolSet.tools, namePrefix)
  if (!tool) throw new UsageError(unknownToolText(name, toolSet.tools, namePrefix))
  if (options.dryRun) {
    const built = await tool.buildRequest(args, { headers: { ...keyHeader(key), ...headers } })
    if ('error' in built) {
      io.stderr(`${safeText(built.error)}\n`)
      return EXIT.findings
    }
    const given = new Set([...Object.keys(headers), ...(key ? [key.name] : [])].map((n) => n.toLowerCase()))
    const isHidden = (header: string): boolean =>
      isSecretHeader(header) || (given.has(header) && !HARMLESS_HEADERS.has(header))
    io.stdout(`${safeText(toCurl(built.request, isHidden))}\n`)
    if (Object.keys(built.request.headers).some(isHidden)) note('values of headers that may be secret are shown as …')
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
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
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

/** Headers whose value a dry run may show, whoever gave it. */
const HARMLESS_HEADERS = new Set('accept accept-language cache-control if-none-match prefer user-agent'.split(' '))

function headersOf(lines: string[], note: (text: string) => void): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([^:]*[^:\s])\s*:(.*)$/s.exec(line) ?? []
    // The line may hold a secret, so it is not shown.
    if (name === undefined || value === undefined || !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw new UsageError('a header is written as "Name: value"')
    if (isCallerHeader(name)) headers[name.toLowerCase()] = value.trim()
    else note(`the header ${name} is not sent as given: the request makes its own`)
  }
  return headers
}

function keyHeader(key: ApiKey | undefined): Record<string, string> {
  return key ? { [key.name.toLowerCase()]: key.value } : {}
}
