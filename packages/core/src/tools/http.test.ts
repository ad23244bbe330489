import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { decodeBody, send, type HttpOutcome, type SendOptions } from './http.js'
import type { HttpRequest } from './request.js'

const get: HttpRequest = { method: 'GET', url: 'https://shop.test/api/a?key=k3y', headers: { accept: '*/*' } }

interface Sent extends RequestInit {
  url: string
  headers: Record<string, string>
}

/** A fetch that gives the answers in turn and keeps what it was asked. */
function answering(...answers: (Response | (() => Response | Promise<Response>))[]) {
  const sent: Sent[] = []
  const stub = async (url: unknown, init: unknown): Promise<Response> => {
    sent.push({ url: String(url), ...(init as Omit<Sent, 'url'>) })
    const answer = answers[sent.length - 1] ?? new Response('one too many')
    return answer instanceof Response ? answer : await answer()
  }
  return { sent, fetch: stub as typeof fetch }
}

function sendWith(download: typeof fetch, options: Partial<SendOptions> = {}, request = get): Promise<HttpOutcome> {
  return send(request, { fetch: download, timeoutMs: 10_000, maxBytes: 1000, ...options })
}

const errorOf = (outcome: HttpOutcome): string => (outcome.ok ? `status ${outcome.status}` : outcome.error)

const textOf = (outcome: HttpOutcome): string => (outcome.ok ? decodeBody(outcome) : `error: ${outcome.error}`)

const redirect = (status: number, location: string): Response => new Response(null, { status, headers: { location } })

const never = (): Promise<Response> => new Promise(() => {})

describe('an answer', () => {
  it('of any status is an outcome', async () => {
    const headers = { 'content-type': 'Application/JSON; charset="ISO-8859-1"; v=1', etag: '"1"' }
    const outcome = await sendWith(answering(new Response('{}', { status: 503, headers })).fetch)
    expect(outcome).toMatchObject({ ok: true, status: 503, contentType: 'application/json', charset: 'ISO-8859-1' })
    expect(outcome.ok && outcome.headers.get('etag')).toBe('"1"')
  })

  it('without a type or a body is one too', async () => {
    expect(await sendWith(answering(new Response(null, { status: 204 })).fetch)).toMatchObject({
      status: 204,
      contentType: '',
      charset: undefined,
      body: new Uint8Array()
    })
  })

  it('is asked for with what the request says, redirects left to us', async () => {
    const { fetch, sent } = answering(new Response('x'))
    await sendWith(fetch, {}, { method: 'POST', url: 'https://shop.test/', headers: { a: 'b' }, body: '{}' })
    expect(sent).toMatchObject([{ method: 'POST', headers: { a: 'b' }, body: '{}', redirect: 'manual' }])
  })

  it.each([
    [[0x63, 0xe9], 'latin1', 'cé'],
    [[0xc3, 0xa9], 'utf-8', 'é'],
    [[0xc3, 0xa9], 'no-such-charset', 'é'],
    [[0xc3, 0xa9], undefined, 'é'],
    [[0xff], undefined, '\ufffd'],
    [[0xef, 0xbb, 0xbf, 0x61], undefined, 'a']
  ])('%j in %s reads %j', (bytes, charset, text) => {
    expect(decodeBody({ body: Uint8Array.from(bytes), charset })).toBe(text)
  })

  it('that comes in pieces is put together', async () => {
    const pieces = ['a', 'é', '😀'].flatMap((t) => [...new TextEncoder().encode(t)]).map((byte) => Uint8Array.of(byte))
    const body = new ReadableStream({ start: (c) => (pieces.forEach((p) => c.enqueue(p)), c.close()) })
    expect(textOf(await sendWith(answering(new Response(body)).fetch))).toBe('aé😀')
  })
})

describe('a body beyond the limit', () => {
  it('is not read to its end', async () => {
    let pulled = 0
    let cancelled = false
    const body = new ReadableStream({
      pull: (c) => (pulled++, c.enqueue(new Uint8Array(400))),
      cancel: () => void (cancelled = true)
    })
    expect(errorOf(await sendWith(answering(new Response(body)).fetch))).toMatch(/larger than 1000 bytes/)
    expect(cancelled).toBe(true)
    expect(pulled).toBeLessThan(6)
  })

  it('is not read at all where it is announced', async () => {
    let cancelled = false
    const body = new ReadableStream({ cancel: () => void (cancelled = true) })
    const response = new Response(body, { headers: { 'content-length': '1001' } })
    expect(errorOf(await sendWith(answering(response).fetch))).toMatch(/larger than 1000 bytes/)
    expect(cancelled).toBe(true)
  })

  it('is not what the length of a HEAD answer announces', async () => {
    const response = new Response(null, { headers: { 'content-length': '5000' } })
    expect(await sendWith(answering(response).fetch, {}, { ...get, method: 'HEAD' })).toMatchObject({ ok: true })
  })

  it('may fill the limit', async () => {
    expect(textOf(await sendWith(answering(new Response('x'.repeat(1000))).fetch))).toHaveLength(1000)
  })
})

describe('redirects', () => {
  it('are followed on their origin', async () => {
    const { fetch, sent } = answering(
      redirect(302, '../b'),
      redirect(308, 'https://shop.test/c'),
      new Response('there')
    )
    const headers = { authorization: 'Bearer x' }
    expect(textOf(await sendWith(fetch, {}, { ...get, headers }))).toBe('there')
    expect(sent.map((s) => s.url)).toEqual([get.url, 'https://shop.test/b', 'https://shop.test/c'])
    expect(sent[2]).toMatchObject({ headers })
  })

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'DELETE', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PUT', 'PUT']
  ])('%i after %s lead to %s', async (status, method, expected) => {
    const { fetch, sent } = answering(redirect(status, '/b'), new Response(null))
    const body = method === 'HEAD' ? {} : { body: '{}' }
    await sendWith(fetch, {}, { ...get, method, headers: { 'content-type': 'application/json', a: 'b' }, ...body })
    expect(sent[1]).toMatchObject({ method: expected, headers: { a: 'b' } })
    expect('body' in sent[1]!).toBe(expected !== 'GET' && expected !== 'HEAD')
    expect('content-type' in sent[1]!.headers).toBe(expected !== 'GET')
  })

  it.each([
    ['https://evil.test/x?token=1', 'https://evil.test'],
    ['http://shop.test/x', 'http://shop.test'],
    ['https://shop.test:8443/x', 'https://shop.test:8443'],
    ['//evil.test', 'https://evil.test'],
    ['data:text/plain,x', 'data:']
  ])('to %s are refused', async (location, named) => {
    const { fetch, sent } = answering(redirect(307, location))
    expect(errorOf(await sendWith(fetch))).toBe(
      `The service redirects to another origin (${named}), which is not followed`
    )
    expect(sent).toHaveLength(1)
  })

  it('do not go on forever', async () => {
    const { fetch, sent } = answering(...Array.from({ length: 9 }, () => redirect(302, '/again')))
    expect(errorOf(await sendWith(fetch))).toBe('The service redirects more than 5 times')
    expect(sent).toHaveLength(6)
  })

  it('without a place to go are the answer', async () => {
    expect(await sendWith(answering(new Response('x', { status: 302 })).fetch)).toMatchObject({ status: 302 })
    expect(
      await sendWith(answering(new Response(null, { status: 304, headers: { location: '/b' } })).fetch)
    ).toMatchObject({
      status: 304
    })
  })

  it('to nowhere, and those that a browser hides, are failures', async () => {
    expect(errorOf(await sendWith(answering(redirect(302, 'https://[')).fetch))).toContain('invalid address')
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
    expect(errorOf(await sendWith(answering(hidden).fetch))).toContain('cannot be followed')
    expect(errorOf(await sendWith(answering(Response.error()).fetch))).toContain('failed')
  })
})

describe('a failure', () => {
  it.each([
    [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }), 'fetch failed (ECONNREFUSED)'],
    [new TypeError('fetch failed', { cause: new Error('boom') }), 'fetch failed (boom)'],
    [new TypeError('fetch failed', { cause: null }), 'fetch failed'],
    ['a text', 'unknown reason'],
    [undefined, 'unknown reason']
  ])('of the network is an outcome: %s', async (thrown, text) => {
    const rejecting = answering(() => Promise.reject(thrown)).fetch
    const throwing = (() => {
      throw thrown
    }) as unknown as typeof fetch
    for (const broken of [rejecting, throwing])
      expect(errorOf(await sendWith(broken))).toBe(`The request failed: ${text}`)
  })

  it('in the middle of the body is one too', async () => {
    const body = new ReadableStream({
      start: (c) => c.enqueue(new Uint8Array(1)),
      pull: (c) => c.error(new Error('terminated'))
    })
    expect(errorOf(await sendWith(answering(new Response(body)).fetch))).toBe('The request failed: terminated')
    const text = new ReadableStream({ start: (c) => (c.enqueue('text'), c.close()) })
    expect(errorOf(await sendWith(answering(new Response(text)).fetch))).toContain('no stream of bytes')
  })

  it('does not tell what the request held', async () => {
    const headers = { authorization: 'Bearer s3cret', cookie: 'sid=c00kie; a=b' }
    const message = `bad value "Bearer s3cret" or s3cret or c00kie at ${get.url} or https://me:pw@shop.test/`
    const outcome = await sendWith(answering(() => Promise.reject(new Error(message))).fetch, {}, { ...get, headers })
    expect(errorOf(outcome)).toBe(
      'The request failed: bad value "…" or … or … at https://shop.test/api/a or https://shop.test/'
    )
  })

  it('of an address is one too', async () => {
    expect(await sendWith(fetch, {}, { ...get, url: 'no address' })).toMatchObject({ ok: false })
  })
})

describe('time', () => {
  it('runs out for a service that does not answer', async () => {
    expect(errorOf(await sendWith(answering(never).fetch, { timeoutMs: 50 }))).toBe(
      'The request timed out after 0.05 seconds'
    )
  })

  it('runs out for a body that does not end', async () => {
    let cancelled = false
    const body = new ReadableStream({ cancel: () => void (cancelled = true) })
    expect(errorOf(await sendWith(answering(new Response(body)).fetch, { timeoutMs: 50 }))).toContain('0.05 seconds')
    expect(cancelled).toBe(true)
  })

  it.each([Infinity, 2 ** 40])('may be as long as %d', async (timeoutMs) => {
    const late = (): Promise<Response> => new Promise((resolve) => setTimeout(() => resolve(new Response('x')), 20))
    expect(textOf(await sendWith(answering(late).fetch, { timeoutMs }))).toBe('x')
  })
})

describe('an abort', () => {
  it('before the call sends nothing', async () => {
    const { fetch, sent } = answering(new Response('x'))
    expect(errorOf(await sendWith(fetch, { signal: AbortSignal.abort() }))).toContain('aborted')
    expect(sent).toEqual([])
  })

  it('ends a call whose fetch does not listen, and lets go of what comes late', async () => {
    const abort = new AbortController()
    let cancelled: () => void
    const letGo = new Promise<void>((resolve) => (cancelled = resolve))
    let answer: (response: Response) => void
    const { fetch } = answering(() => new Promise<Response>((resolve) => (answer = resolve)))
    const outcome = sendWith(fetch, { signal: abort.signal })
    abort.abort(new Error('a reason of the caller'))
    expect(errorOf(await outcome)).toBe('The call was aborted')
    answer!(new Response(new ReadableStream({ cancel: () => cancelled() })))
    await letGo
  })

  it('while the body is read ends the call', async () => {
    const abort = new AbortController()
    const body = new ReadableStream({ pull: () => abort.abort() })
    expect(errorOf(await sendWith(answering(new Response(body)).fetch, { signal: abort.signal }))).toContain('aborted')
  })

  it('between redirects sends nothing more', async () => {
    const abort = new AbortController()
    const { fetch, sent } = answering(() => {
      abort.abort()
      return redirect(302, '/b')
    })
    expect(errorOf(await sendWith(fetch, { signal: abort.signal }))).toContain('aborted')
    expect(sent).toHaveLength(1)
  })

  it('from within a fetch that fails leaves no rejection behind', async () => {
    const abort = new AbortController()
    const { fetch } = answering(() => {
      abort.abort()
      return Promise.reject(new Error('late'))
    })
    expect(errorOf(await sendWith(fetch, { signal: abort.signal }))).toBe('The call was aborted')
  })
})

describe('against a server', () => {
  let server: Server | undefined

  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  async function serve(listener: RequestListener): Promise<string> {
    server = createServer(listener)
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('redirects, limits, timeouts and resets are outcomes', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: '/text' }).end()
      else if (request.url === '/away') response.writeHead(302, { location: 'http://localhost:1/' }).end()
      else if (request.url === '/large') response.end('x'.repeat(100_000))
      else if (request.url === '/reset') response.socket?.destroy()
      else if (request.url === '/slow') response.write('x')
      else response.setHeader('content-type', 'text/plain; charset=utf-8').end('here')
    })
    const ask = (path: string, timeoutMs = 5000): Promise<HttpOutcome> =>
      sendWith(fetch, { timeoutMs }, { method: 'GET', url: origin + path, headers: {} })
    expect(textOf(await ask('/redirect'))).toBe('here')
    expect(errorOf(await ask('/away'))).toContain('another origin (http://localhost:1)')
    expect(errorOf(await ask('/large'))).toContain('larger than 1000 bytes')
    expect(errorOf(await ask('/reset'))).toMatch(/^The request failed: fetch failed/)
    expect(errorOf(await ask('/slow', 200))).toContain('0.2 seconds')
  })
})
