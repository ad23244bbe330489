import type { HttpRequest } from './request.js'

export const DEFAULT_TIMEOUT_MS = 60_000
/** 10 MiB. */
export const DEFAULT_MAX_BYTES = 10 * 1024 * 1024
const MOST_REDIRECTS = 5
/** The longest delay that `setTimeout` knows, in ms (about 24 days). */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

export interface SendOptions {
  fetch: typeof fetch
  signal?: AbortSignal
  /** From the start to the last byte of the body. */
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
      headers: Headers
    }
  | { ok: false; error: string }

/** Thrown inside this file only: why there is no answer, in words of ours. */
class NoAnswer extends Error {}

/**
 * Sends a request and reads the whole answer. Never rejects: failures of the network, timeouts, aborts, bodies beyond the
 * limit and redirects to another origin are outcomes. No header value gets into an error text.
 */
export async function send(request: HttpRequest, options: SendOptions): Promise<HttpOutcome> {
  const { signal: caller } = options
  if (caller?.aborted) return failure('The call was aborted before the request was sent')
  // Not AbortSignal.any and .timeout: they keep a timer and a listener per call alive after its end.
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(new NoAnswer('The call was aborted'))
  const onTimeout = (): void =>
    stop.abort(new NoAnswer(`The request timed out after ${options.timeoutMs / 1000} seconds`))
  caller?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(onTimeout, Math.min(options.timeoutMs, LONGEST_TIMEOUT_MS))
  try {
    return await exchange(request, options, stop.signal)
  } catch (error) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
    if (reason instanceof NoAnswer) return failure(reason.message)
    return failure(`The request failed: ${withoutSecrets(reasonOf(reason), request)}`)
  } finally {
    clearTimeout(timer)
    caller?.removeEventListener('abort', onAbort)
  }
}

async function exchange(first: HttpRequest, options: SendOptions, signal: AbortSignal): Promise<HttpOutcome> {
  let request = first
  for (let hops = 0; ; hops++) {
    const response = await fetchOnce(request, options.fetch, signal)
    const location = redirectOf(response)
    if (location === undefined) return await answerOf(response, options.maxBytes, signal)
    discard(response)
    if (hops >= MOST_REDIRECTS) throw new NoAnswer(`The service redirects more than ${MOST_REDIRECTS} times`)
    request = redirected(request, response.status, location)
  }
}

async function fetchOnce(request: HttpRequest, download: typeof fetch, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted()
  const { method, url, headers, body } = request
  const answer = download(url, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) })
  return await untilAborted(answer, signal, discard)
}

// --- redirects

/** Where the answer sends the caller; undefined where it is the final one. */
function redirectOf(response: Response): string | undefined {
  // Browsers hide where a redirect leads from those who ask not to follow it.
  if (response.type === 'opaqueredirect') throw new NoAnswer('The service redirects, which cannot be followed here')
  if (response.status === 0) throw new NoAnswer('The request failed: the service gave no answer')
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined
  return response.headers.get('location') ?? undefined
}

/**
 * The request that follows a redirect, as the Fetch standard makes it ("HTTP-redirect fetch"). It stays on its origin: what the
 * caller sends, credentials first, was meant for that one.
 */
function redirected(request: HttpRequest, status: number, location: string): HttpRequest {
  const target = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined
  if (!target) throw new NoAnswer('The service redirects to an invalid address')
  if (target.origin !== new URL(request.url).origin) {
    const shown = target.origin === 'null' ? target.protocol : target.origin
    throw new NoAnswer(`The service redirects to another origin (${shown}), which is not followed`)
  }
  const url = target.href
  const { method } = request
  const becomesGet = status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST'
  if (!becomesGet) return { ...request, url }
  const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return { method: 'GET', url, headers: Object.fromEntries(headers) }
}

// --- the answer

async function answerOf(response: Response, maxBytes: number, signal: AbortSignal): Promise<HttpOutcome> {
  const { status, headers } = response
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';')
  const charset = parameters
    .map((p) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(p)?.[1])
    .find((c) => c !== undefined)
  const body = await readBody(response, maxBytes, signal)
  return { ok: true, status, contentType: type.trim().toLowerCase(), charset, body, headers }
}

async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array()
  const tooLarge = new NoAnswer(`The body of the response is larger than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length')) > maxBytes) {
    discard(response)
    throw tooLarge
  }
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal)
      if (done) return joined(chunks, size)
      if (!ArrayBuffer.isView(value)) throw new NoAnswer('The body of the response is no stream of bytes')
      size += value.length
      if (size > maxBytes) throw tooLarge
      chunks.push(value)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const body = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return body
}

/** The body as text, in its charset or, where there is none that is known, UTF-8. Malformed bytes become U+FFFD. */
export function decodeBody({ body, charset }: Pick<Extract<HttpOutcome, { ok: true }>, 'body' | 'charset'>): string {
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset ?? 'utf-8')
  } catch {
    decoder = new TextDecoder()
  }
  return decoder.decode(body)
}

/** Lets go of an answer that nobody will read, so that its connection is free. */
function discard(response: Response): void {
  response.body?.cancel().catch(() => {})
}

/** A fetch that ignores its signal must not outlive the call. What it still brings goes to `late`. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal, late: (value: T) => void = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error)
      work.then(late, () => {})
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// --- failures

function failure(error: string): { ok: false; error: string } {
  return { ok: false, error }
}

/** Node says `fetch failed` and puts the reason into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const cause = error.cause as { code?: unknown; message?: unknown } | null | undefined
  const detail = [cause?.code, cause?.message].find((text) => typeof text === 'string' && text !== '') as
    string | undefined
  return detail !== undefined && !error.message.includes(detail) ? `${error.message} (${detail})` : error.message
}

/** A fetch may quote what it was given: no header value, and no query, in which APIs take keys too, is repeated. */
function withoutSecrets(message: string, request: HttpRequest): string {
  const secrets = Object.entries(request.headers)
    .filter(([name]) => name !== 'accept' && name !== 'content-type')
    .flatMap(([, value]) => [value, ...value.split(/[\s,;=]+/)])
    // Shorter ones would tear holes into ordinary words.
    .filter((text) => text.length > 3)
    .sort((a, b) => b.length - a.length)
  const shown = message.replace(/\/\/[^/\s@]*@/g, '//').replace(/(https?:\/\/[^\s?#]*)[?#]\S*/g, '$1')
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), shown)
}
