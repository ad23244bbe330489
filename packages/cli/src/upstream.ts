import { UsageError } from '@openapi-mcp/core'
import type { Io } from './io.js'

/**
 * The fetch for tool calls: with the API key of the environment (API_KEY_HEADER, API_KEY) on every request to the API. The key is
 * added here and nowhere else, so that it is in no request that is shown, logged or described in an error.
 */
export function upstreamFetch(env: Io['env']): typeof fetch {
  const { API_KEY_HEADER: name, API_KEY: value } = env
  if (name === undefined || name === '' || value === undefined) return (...args) => globalThis.fetch(...args)
  try {
    new Headers({ [name]: value })
  } catch {
    throw new UsageError('API_KEY_HEADER and API_KEY are no valid header')
  }
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (!headers.has(name)) headers.set(name, value)
    return globalThis.fetch(input, { ...init, headers })
  }
}
