import { UsageError, type ToolSetOptions } from '@openapi-mcp/core'
import { settingOf, type Io } from './io.js'

/** A header with credentials. */
export interface ApiKey {
  name: string
  value: string
}

/** The API key of the environment (API_KEY_HEADER, API_KEY). One half of it alone does not pass silently. */
export function apiKeyOf(env: Io['env'], warn: (text: string) => void): ApiKey | undefined {
  const [name, value] = [settingOf(env, 'API_KEY_HEADER'), settingOf(env, 'API_KEY')]
  if (name === undefined) {
    // Others may use the variable, too, so it is no mistake.
    if (value !== undefined) warn('API_KEY is not used: API_KEY_HEADER does not say in which header to send it')
    return undefined
  }
  if (value === undefined) throw new UsageError('API_KEY_HEADER is set, but API_KEY is not')
  try {
    new Headers({ [name]: value })
  } catch {
    throw new UsageError('API_KEY_HEADER and API_KEY are no valid header')
  }
  return { name, value }
}

/**
 * The fetch for tool calls: with the API key on every request to the API. The key is added here and nowhere else, so that it is in no
 * request that is shown, logged or described in an error.
 */
function upstreamFetch(key: ApiKey | undefined): typeof fetch {
  if (!key) return (...args) => globalThis.fetch(...args)
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (!headers.has(key.name)) headers.set(key.name, key.value)
    return globalThis.fetch(input, { ...init, headers })
  }
}

/** How tools reach the API with the key: what sends it, and what is kept out of every text because it is secret. */
export function upstreamOptions(key: ApiKey | undefined): Pick<ToolSetOptions, 'fetch' | 'secrets'> {
  // A service may repeat the key with or without what stands before it, such as `Bearer`.
  const secrets = key && [key.value, key.value.replace(/^[A-Za-z-]+\s+/, '')]
  return { fetch: upstreamFetch(key), ...(secrets && { secrets }) }
}

/** An address of the API as it was given. Throws a UsageError for what is none. */
export function baseUrlOf(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageError(`the base URL ${JSON.stringify(text)} is no absolute http or https address`)
  return text
}
