import type { HttpRequest } from './request.js'

export const DEFAULT_TIMEOUT_MS = 60_000
export const DEFAULT_MAX_BYTES = 10 * 1024 * 1024
const MOST_REDIRECTS = 5

export interface SendOptions {
  fetch: typeof fetch
  signal?: AbortSignal
  timeoutMs: number
  /** Largest body that is read, in bytes. */
  maxBytes: number
}

/** An answer of any status, or why there is none. */
export type HttpOutcome =
  | {
      ok: true
      status: number
      /** Media type in lower case, without parameters; empty where the answer names none. */
      contentType: string
      charset: string | undefined
      body: Uint8Array
    }
  | { ok: false; error: string }

/**
 * Sends a request and reads the whole answer. Never rejects: failures of the network, timeouts, aborts, bodies beyond the
 * limit and redirects to another origin are outcomes. No header value gets into an error text.
 */
export async function send(request: HttpRequest, options: SendOptions): Promise<HttpOutcome> {
  if (options.signal?.aborted) return failure('The call was aborted before the request was sent')
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    return await exchange(request, options, signal)
  } catch (error) {
    if (options.signal?.aborted) return failure('The call was aborted')
    if (timeout.aborted) return failure(`The request took longer than ${options.timeoutMs / 1000} seconds`)
    return failure(`Request failed: ${reasonOf(error)}`)
  }
}

async function exchange(first: HttpRequest, options: SendOptions, signal: AbortSignal): Promise<HttpOutcome> {
  let request = first
  for (let hops = 0; ; hops++) {
    const { method, url, headers, body } = request
    const response = await untilAborted(
      options.fetch(url, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) }),
      signal
    )
    if (response.type === 'opaqueredirect') return failure('The service redirects, which is not followed here')
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null
    if (location === null) return await answerOf(response, options.maxBytes, signal)
    void response.body?.cancel().catch(() => {})
    const next = redirected(request, response.status, location)
    if ('error' in next) return failure(next.error)
    if (hops >= MOST_REDIRECTS) return failure(`The service redirects more than ${MOST_REDIRECTS} times`)
    request = next.request
  }
}

/** Redirects stay on their origin: what the caller sends, credentials first, was meant for that one. */
function redirected(
  request: HttpRequest,
  status: number,
  location: string
): { request: HttpRequest } | { error: string } {
  let url: URL
  try {
    url = new URL(location, request.url)
  } catch {
    return { error: 'The service redirects to an address that is none' }
  }
  if (url.origin !== new URL(request.url).origin)
    return { error: `The service redirects to another origin (${url.origin}), which is not followed` }
  const keepsMethod = status === 307 || status === 308 || ['GET', 'HEAD'].includes(request.method)
  if (keepsMethod) return { request: { ...request, url: url.href } }
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'content-type'))
  return { request: { method: 'GET', url: url.href, headers } }
}

async function answerOf(response: Response, maxBytes: number, signal: AbortSignal): Promise<HttpOutcome> {
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').split(';')
  const charset = parameters
    .map((p) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(p)?.[1])
    .find((c) => c !== undefined)
  const announced = Number(response.headers.get('content-length') ?? 0)
  const tooLarge = failure(`The response is larger than the limit of ${maxBytes.toLocaleString('en')} bytes`)
  if (announced > maxBytes) {
    void response.body?.cancel().catch(() => {})
    return tooLarge
  }
  const body = await readBody(response, maxBytes, signal)
  if (!body) return tooLarge
  return { ok: true, status: response.status, contentType: type.trim().toLowerCase(), charset, body }
}

async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
  if (!response.body) return new Uint8Array()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal)
      if (done) break
      size += value.length
      if (size > maxBytes) return undefined
      chunks.push(value)
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
  const body = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return body
}

/** A fetch that ignores its signal must not outlive the call. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The body as text, in its charset or UTF-8. */
export function decodeBody({ body, charset }: Extract<HttpOutcome, { ok: true }>): string {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset ?? 'utf-8')
  } catch {
    decoder = new TextDecoder()
  }
  return decoder.decode(body)
}

function failure(error: string): { ok: false; error: string } {
  return { ok: false, error }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const cause = error.cause as { code?: string; message?: string } | undefined
  const detail = cause?.code ?? cause?.message
  return detail && !error.message.includes(detail) ? `${error.message} (${detail})` : error.message
}
