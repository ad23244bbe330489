import { isCallerHeader, UsageError, type ToolSetOptions } from '@openapi-mcp/core'
import { hostNameOf } from '@openapi-mcp/mcp-server'
import type { DocumentOptions } from './cli.js'
import { settingOf, type Io } from './io.js'
import { apiKeyOf, baseUrlOf, upstreamOptions } from './upstream.js'

export interface ServeOptions extends DocumentOptions {
  transport?: string
  host?: string
  port?: string
  baseUrl?: string
  profiles?: string
  locale?: string
  lint?: string
  structuredContent?: boolean
  watch?: boolean
  refreshInterval?: string
  forwardHeader: string[]
  allowedHost: string[]
}

/** What `serve` was told, checked. */
export interface ServeSettings {
  sources: string[]
  transport: 'stdio' | 'http'
  host: string | undefined
  port: number
  allowedHosts: string[]
  /** Names of headers of the client that go on to the API, in lower case. */
  forwardHeaders: string[]
  watch: boolean
  /** In seconds; 0 for never. */
  refreshInterval: number
  toolSet: ToolSetOptions
}

/** Flags win over the environment. Throws a UsageError for what is wrong, before anything is read. */
export function serveSettings(
  named: string[],
  options: ServeOptions,
  env: Io['env'],
  warn: (text: string) => void
): ServeSettings {
  const given = (flag: string | undefined, ...names: string[]): string | undefined =>
    flag ?? names.map((name) => settingOf(env, name)).find((value) => value !== undefined)
  const sources = named.length > 0 ? named : list(settingOf(env, 'OPENAPI_URL'))
  if (sources.length === 0) throw new UsageError('name a document to serve, or set OPENAPI_URL')
  const profiles = list(given(options.profiles, 'PROFILES', 'PROFILE'))
  const lint = choice('lint', given(options.lint, 'LINT') ?? 'error', ['error', 'warn', 'off'])
  // Vite and Vitest set BASE_URL to "/" for what they run, which means a folder of a website.
  const baseUrl = options.baseUrl ?? (env['BASE_URL'] === '/' ? undefined : settingOf(env, 'BASE_URL'))
  return {
    sources,
    transport: choice('transport', given(options.transport, 'TRANSPORT') ?? 'stdio', ['stdio', 'http']),
    host: given(options.host, 'HOST'),
    port: port(given(options.port, 'PORT') ?? '8080'),
    allowedHosts: options.allowedHost.map(hostNameOf),
    forwardHeaders: options.forwardHeader.map(forwardedHeader),
    watch: options.watch ?? false,
    refreshInterval: seconds(given(options.refreshInterval, 'REFRESH_INTERVAL') ?? '0'),
    toolSet: {
      locale: given(options.locale, 'LOCALE') ?? 'en',
      lint,
      ...upstreamOptions(apiKeyOf(env, warn)),
      structuredContent: options.structuredContent ?? yesOrNo(env, 'STRUCTURED_CONTENT'),
      ...(profiles.length > 0 && { profiles }),
      ...(baseUrl !== undefined && { baseUrl: baseUrlOf(baseUrl) })
    }
  }
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function choice<T extends string>(what: string, value: string, allowed: T[]): T {
  const found = allowed.find((a) => a === value)
  if (found === undefined) throw new UsageError(`the ${what} ${JSON.stringify(value)} is none of ${allowed.join(', ')}`)
  return found
}

function yesOrNo(env: Io['env'], name: string): boolean {
  const value = settingOf(env, name)
  if (value === undefined || /^(0|false|no)$/i.test(value)) return false
  if (/^(1|true|yes)$/i.test(value)) return true
  throw new UsageError(`${name} must be true or false, not ${JSON.stringify(value)}`)
}

function port(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`the port ${JSON.stringify(text)} is no whole number from 0 to 65535`)
}

function seconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= 86_400) return Number(text)
  throw new UsageError(`the refresh interval ${JSON.stringify(text)} is no number of seconds from 0 to 86400`)
}

function forwardedHeader(name: string): string {
  if (isCallerHeader(name)) return name.toLowerCase()
  throw new UsageError(`the header ${JSON.stringify(name)} cannot be forwarded`)
}
