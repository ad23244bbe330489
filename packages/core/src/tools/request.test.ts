import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildRequest, joinUrl, toCurl, type HttpRequest, type RequestPlan } from './request.js'
import type { ParameterLocation, ParameterTarget } from './types.js'

type Plan = Partial<RequestPlan>
type Parameter = RequestPlan['parameters'][number]

const DEFAULT_STYLES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form', querystring: 'form' }

function parameter(location: ParameterLocation, name: string, value: unknown, more: Partial<ParameterTarget> = {}) {
  const style = more.style ?? DEFAULT_STYLES[location]
  return {
    target: { name, in: location, style, explode: style === 'form', allowReserved: false, ...more },
    value
  } satisfies Parameter
}

const planOf = (plan: Plan): RequestPlan => ({
  method: 'GET',
  baseUrl: 'https://shop.test/api',
  pathTemplate: '/goods',
  parameters: [],
  accept: 'application/json',
  ...plan
})

function requestOf(plan: Plan): HttpRequest {
  const built = buildRequest(planOf(plan))
  if ('error' in built) throw new Error(built.error)
  return built.request
}

function errorOf(plan: Plan): string {
  const built = buildRequest(planOf(plan))
  return 'error' in built ? built.error : `built ${built.request.url}`
}

const queryOf = (...parameters: Parameter[]): string => requestOf({ parameters }).url.replace(/^[^?]*\??/, '')

const segmentOf = (value: unknown, more: Partial<ParameterTarget> = {}): string =>
  requestOf({ pathTemplate: '/goods/{k}', parameters: [parameter('path', 'k', value, more)] }).url.slice(
    'https://shop.test/api/goods/'.length
  )

const headersOf = (...parameters: Parameter[]): Record<string, string> => requestOf({ parameters }).headers

describe('query parameters', () => {
  const list = ['blue', 'a&b', 'x,y']
  const object = { R: 100, 'G&': 'a,b' }

  it.each<[string, unknown, Partial<ParameterTarget>, string]>([
    ['form', list, {}, 'c=blue&c=a%26b&c=x%2Cy'],
    ['form', list, { explode: false }, 'c=blue,a%26b,x%2Cy'],
    ['form', object, {}, 'R=100&G%26=a%2Cb'],
    ['form', object, { explode: false }, 'c=R,100,G%26,a%2Cb'],
    ['form', '', {}, 'c='],
    ['form', [''], {}, 'c='],
    ['spaceDelimited', list, { explode: false }, 'c=blue%20a%26b%20x%2Cy'],
    ['spaceDelimited', object, { explode: false }, 'c=R%20100%20G%26%20a%2Cb'],
    ['spaceDelimited', list, { explode: true }, 'c=blue&c=a%26b&c=x%2Cy'],
    ['pipeDelimited', list, { explode: false }, 'c=blue%7Ca%26b%7Cx%2Cy'],
    ['pipeDelimited', object, { explode: false }, 'c=R%7C100%7CG%26%7Ca%2Cb'],
    ['pipeDelimited', 'one', { explode: false }, 'c=one'],
    ['deepObject', object, { explode: true }, 'c%5BR%5D=100&c%5BG%26%5D=a%2Cb'],
    ['deepObject', { a: { b: { c: 1 } }, l: [1, 2] }, {}, 'c%5Ba%5D%5Bb%5D%5Bc%5D=1&c%5Bl%5D=1&c%5Bl%5D=2'],
    ['deepObject', { l: [{ x: 1 }] }, {}, `c%5Bl%5D=${encodeURIComponent('{"x":1}')}`]
  ])('%s of %j with %j', (style, value, more, expected) => {
    expect(queryOf(parameter('query', 'c', value, { style, ...more }))).toBe(expected)
  })

  it('write nested values as JSON text where the style cannot say them', () => {
    expect(queryOf(parameter('query', 'c', [{ a: 1 }]))).toBe(`c=${encodeURIComponent('{"a":1}')}`)
    expect(queryOf(parameter('query', 'c', { a: { b: 1 } }))).toBe(`a=${encodeURIComponent('{"b":1}')}`)
    expect(queryOf(parameter('query', 'c', { a: [[1]] }))).toBe(`a=${encodeURIComponent('[[1]]')}`)
    expect(queryOf(parameter('query', 'c', { a: ['x', 'y'] }))).toBe('a=x&a=y')
  })

  it('leave out null, undefined and empty lists, at every depth', () => {
    const empty = [null, undefined, [], {}, [null], { a: null }]
    expect(queryOf(...empty.map((v) => parameter('query', 'c', v)))).toBe('')
    expect(queryOf(...empty.map((v) => parameter('query', 'c', v, { explode: false })))).toBe('')
    expect(queryOf(parameter('query', 'c', { a: null, b: [], d: {} }, { style: 'deepObject' }))).toBe('')
    expect(queryOf(parameter('query', 'c', ['a', null, 'b'], { explode: false }))).toBe('c=a,b')
  })

  it.each([
    [true, 'true'],
    [0, '0'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [-1.5e300, `-15${'0'.repeat(299)}`],
    [1.25e-7, '0.000000125'],
    [-5e-324, `-0.${'0'.repeat(323)}5`],
    [0.1, '0.1'],
    [12345678901234567890n, '12345678901234567890']
  ])('write %s in plain digits', (value, text) => {
    expect(queryOf(parameter('query', 'c', value))).toBe(`c=${text}`)
  })

  it('with allowReserved keep what cannot break out', () => {
    const reserved = (value: unknown, more = {}): string =>
      queryOf(parameter('query', 'c', value, { allowReserved: true, ...more }))
    expect(reserved('/a:b?c=[d]@!$()*;,')).toBe('c=/a:b?c=[d]@!$()*;,')
    expect(reserved('a&b#c+d\r\n\0')).toBe('c=a%26b%23c%2Bd%0D%0A%00')
    expect(reserved('50%, %41 %zz')).toBe('c=50%25,%20%41%20%25zz')
    expect(reserved(['a,b', 'c/d'], { explode: false })).toBe('c=a%2Cb,c/d')
  })

  it('described by a media type are one text', () => {
    expect(queryOf(parameter('query', 'f', { a: [1, null] }, { contentType: 'application/json' }))).toBe(
      `f=${encodeURIComponent('{"a":[1,null]}')}`
    )
    expect(queryOf(parameter('query', 'f', 'x', { contentType: 'application/vnd.a+json; v=1' }))).toBe('f=%22x%22')
    expect(queryOf(parameter('query', 'f', 'x&y', { contentType: 'text/plain' }))).toBe('f=x%26y')
  })

  it('encode their names', () => {
    expect(queryOf(parameter('query', 'a&b=c[d]', 1))).toBe('a%26b%3Dc%5Bd%5D=1')
  })

  it('can be the whole query string', () => {
    const form = { contentType: 'application/x-www-form-urlencoded' }
    expect(queryOf(parameter('querystring', 'q', { a: 'x y', b: [1, 2], c: null }, form))).toBe('a=x%20y&b=1&b=2')
    expect(queryOf(parameter('querystring', 'q', { a: 1 }, { contentType: 'application/json' }))).toBe(
      '%7B%22a%22%3A1%7D'
    )
    expect(queryOf(parameter('querystring', 'q', '$.a&b', { contentType: 'text/plain' }))).toBe('%24.a%26b')
  })
})

describe('path parameters', () => {
  it.each<[string, boolean, unknown, string]>([
    ['simple', false, 'blue', 'blue'],
    ['simple', false, ['a', 'b/c'], 'a,b%2Fc'],
    ['simple', false, { R: 1, G: 'x,y' }, 'R,1,G,x%2Cy'],
    ['simple', true, { R: 1, G: 2 }, 'R=1,G=2'],
    ['label', false, 'blue', '.blue'],
    ['label', false, ['a', 'b'], '.a,b'],
    ['label', true, ['a', 'b'], '.a.b'],
    ['label', false, { R: 1, G: 2 }, '.R,1,G,2'],
    ['label', true, { R: 1, G: 2 }, '.R=1.G=2'],
    ['matrix', false, 'blue', ';k=blue'],
    ['matrix', false, '', ';k'],
    ['matrix', false, ['a', 'b;'], ';k=a,b%3B'],
    ['matrix', true, ['a', 'b'], ';k=a;k=b'],
    ['matrix', false, { R: 1, G: 2 }, ';k=R,1,G,2'],
    ['matrix', true, { R: 1, G: 2 }, ';R=1;G=2']
  ])('%s (explode %s) of %j', (style, explode, value, expected) => {
    expect(segmentOf(value, { style, explode })).toBe(expected)
  })

  it('stay one segment', () => {
    expect(segmentOf('a/../b?c#d;e\\f')).toBe('a%2F..%2Fb%3Fc%23d%3Be%5Cf')
    expect(segmentOf('%2e%2E')).toBe('%252e%252E')
    expect(segmentOf('...')).toBe('...')
    expect(segmentOf("!'()*")).toBe('%21%27%28%29%2A')
  })

  it('are filled in at once, so that no value is expanded again', () => {
    const parameters = [parameter('path', 'a', '{b}$&$1'), parameter('path', 'b', '{a}')]
    expect(requestOf({ pathTemplate: '/{a}/{b}', parameters }).url).toBe(
      'https://shop.test/api/%7Bb%7D%24%26%241/%7Ba%7D'
    )
  })

  it.each<[unknown, Partial<ParameterTarget>]>([
    ['', {}],
    ['.', {}],
    ['..', {}],
    [[], {}],
    [[''], {}],
    [{}, {}],
    ['.', { style: 'label' }],
    ['', { style: 'label' }],
    [['', ''], { style: 'label', explode: true }],
    [[], { style: 'matrix' }],
    [null, {}],
    [undefined, {}]
  ])('%j with %j is refused', (value, more) => {
    const error = errorOf({ pathTemplate: '/goods/{k}', parameters: [parameter('path', 'k', value, more)] })
    expect(error).toMatch(/^The path parameter "k" /)
  })

  it('are refused where several together make a dot segment, or one before a query of the template', () => {
    const parameters = [parameter('path', 'a', '.'), parameter('path', 'b', '.')]
    expect(errorOf({ pathTemplate: '/x/{a}{b}/y', parameters })).toContain('"a" must not make the dot segment ".."')
    expect(errorOf({ pathTemplate: '/x/.{a}', parameters })).toContain('"a"')
    expect(errorOf({ pathTemplate: '/x/%2E{a}', parameters })).toContain('"a"')
    expect(errorOf({ pathTemplate: '/x/{a}?v=1', parameters })).toContain('"a"')
    expect(errorOf({ pathTemplate: '/x/{a}#v', parameters })).toContain('"a"')
    expect(requestOf({ pathTemplate: '/x/{a}x', parameters }).url).toBe('https://shop.test/api/x/.x')
  })

  it('have to be there', () => {
    expect(errorOf({ pathTemplate: '/x/{id}', parameters: [parameter('query', 'id', 1)] })).toBe(
      'The path parameter "id" has no value'
    )
    expect(errorOf({ pathTemplate: '/x/{id' })).toContain('brace')
  })
})

describe('the URL', () => {
  it.each([
    ['https://a.test', '/x', 'https://a.test/x'],
    ['https://a.test/b/', '/x', 'https://a.test/b/x'],
    ['https://a.test/b//', '//x', 'https://a.test/b/x'],
    ['https://a.test/b', 'x/', 'https://a.test/b/x/'],
    ['https://a.test/b', '/', 'https://a.test/b/'],
    ['https://a.test/b?k=1#h', '/x?l=2#i', 'https://a.test/b/x?k=1&l=2'],
    ['https://a.test/b?k=1', '/x', 'https://a.test/b/x?k=1']
  ])('joins %s and %s', (base, path, expected) => {
    expect(joinUrl(base, path)).toBe(expected)
  })

  it('keeps the queries of base and template before the parameters', () => {
    const parameters = [parameter('query', 'c', 3)]
    expect(requestOf({ baseUrl: 'https://a.test/b?a=1', pathTemplate: '/x?b=2#variant', parameters }).url).toBe(
      'https://a.test/b/x?a=1&b=2&c=3'
    )
  })

  it('is ASCII, whatever the template holds', () => {
    expect(requestOf({ pathTemplate: '/café/a b\t|\\..' }).url).toBe('https://shop.test/api/caf%C3%A9/a%20b%09%7C%5C..')
  })

  it.each([
    '',
    '/api',
    'shop.test',
    'ftp://shop.test',
    'undefined',
    'https://{region}.shop.test',
    'https://shop.test/{v}'
  ])('needs a complete http(s) base, not %j', (baseUrl) => {
    expect(errorOf({ baseUrl })).toMatch(/servers.*baseUrl/)
  })

  it('takes no credentials, and does not repeat them', () => {
    const errors = ['https://me:hunter2@shop.test', 'me:hunter2@shop.test'].map((baseUrl) => errorOf({ baseUrl }))
    expect(errors.join()).toMatch(/baseUrl.*baseUrl/)
    expect(errors.join()).not.toContain('hunter2')
  })

  it('never climbs out of the base by its template', () => {
    expect(errorOf({ pathTemplate: '/../admin' })).toContain('dot segment')
    expect(errorOf({ pathTemplate: '/%2e%2E/admin' })).toContain('dot segment')
    expect(errorOf({ pathTemplate: '/..?x' })).toContain('dot segment')
    expect(requestOf({ pathTemplate: '//evil.test/x' }).url).toBe('https://shop.test/api/evil.test/x')
  })
})

describe('headers', () => {
  it('are in lower case, with the style `simple`', () => {
    expect(
      headersOf(
        parameter('header', 'X-List', ['a', 2, null]),
        parameter('header', 'X-Object', { a: 1, b: 'x' }),
        parameter('header', 'X-Exploded', { a: 1, b: 'x' }, { explode: true }),
        parameter('header', 'X-Json', { a: 1 }, { contentType: 'application/json' }),
        parameter('header', 'X-None', []),
        parameter('header', 'X-Null', null),
        parameter('header', 'X-Latin', 'café')
      )
    ).toEqual({
      accept: 'application/json',
      'x-list': 'a,2',
      'x-object': 'a,1,b,x',
      'x-exploded': 'a=1,b=x',
      'x-json': '{"a":1}',
      'x-latin': 'café'
    })
  })

  it.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\0b', 'a\u0085b', '\u007f'])('cannot be injected by %j', (value) => {
    expect(errorOf({ parameters: [parameter('header', 'X-A', value)] })).toBe(
      'The header parameter "X-A" must not hold control characters'
    )
    expect(errorOf({ headers: { 'x-b': value } })).toBe('The header "x-b" must not hold control characters')
  })

  it.each(['', 'a b', 'a:b', 'a\r\nb', 'é'])('cannot be called %j', (name) => {
    expect(errorOf({ parameters: [parameter('header', name, 'v')] })).toContain('no header can have')
    expect(errorOf({ headers: { [name]: 'v' } })).toContain('no header can have')
    expect(errorOf({ parameters: [parameter('cookie', name, 'v')] })).toContain('no cookie can have')
  })

  it('of the caller win, in any capitalisation', () => {
    const parameters = [parameter('header', 'X-Client', 'model'), parameter('header', 'X-Other', 'o')]
    const headers = { 'x-CLIENT': 'host', Accept: 'text/csv', 'Content-Type': 'text/plain' }
    expect(requestOf({ parameters, headers }).headers).toEqual({
      accept: 'text/csv',
      'x-client': 'host',
      'x-other': 'o'
    })
  })

  it('leave framing to the transport', () => {
    const parameters = [parameter('header', 'Content-Length', '5'), parameter('header', 'Host', 'evil.test')]
    expect(requestOf({ parameters, headers: { 'Transfer-Encoding': 'chunked' } }).headers).toEqual({
      accept: 'application/json'
    })
  })

  it('announce a JSON body where there is one', () => {
    const request = requestOf({
      method: 'POST',
      body: { value: { a: null } },
      headers: { 'content-type': 'text/plain' }
    })
    expect(request).toMatchObject({ body: '{"a":null}', headers: { 'content-type': 'application/json' } })
    expect(requestOf({ body: { value: undefined } }).body).toBe('null')
    expect(requestOf({})).not.toHaveProperty('body')
  })
})

describe('cookies', () => {
  it('share one header', () => {
    expect(
      headersOf(
        parameter('cookie', 'sid', 'abc+/=='),
        parameter('cookie', 'note', 'a b;c,"d"\\%é\r\n'),
        parameter('cookie', 'list', ['x', 'y']),
        parameter('cookie', 'flat', ['x', 'y,z'], { explode: false }),
        parameter('cookie', 'object', { a: 1, 'b;': 2 }),
        parameter('cookie', 'none', [])
      )['cookie']
    ).toBe('sid=abc+/==; note=a%20b%3Bc%2C%22d%22%5C%25%C3%A9%0D%0A; list=x; list=y; flat=x,y%2Cz; a=1; b%3B=2')
    expect(headersOf(parameter('cookie', 'none', []))).not.toHaveProperty('cookie')
  })

  it('of the caller are sent too, and win', () => {
    const parameters = [parameter('cookie', 'lang', 'fr'), parameter('cookie', 'sid', 'model')]
    expect(requestOf({ parameters, headers: { Cookie: 'sid=host; theme=dark' } }).headers['cookie']).toBe(
      'sid=host; theme=dark; lang=fr'
    )
  })
})

describe('what is no JSON', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  it.each([[NaN], [Infinity], [cycle], [[1n, { a: 1n }]], [() => 1], [Symbol('s')]])(
    'is refused by name: %#',
    (value) => {
      for (const location of ['path', 'query', 'header', 'cookie', 'querystring'] as const) {
        const plan = {
          pathTemplate: '/{p}',
          parameters: [parameter('path', 'p', 'x'), parameter(location, 'p', value)]
        }
        expect(errorOf(plan)).toMatch(/^The (path|query|header|cookie|querystring) parameter "p" (is no|must be)/)
      }
    }
  )

  it('is refused as a body', () => {
    expect(errorOf({ body: { value: cycle } })).toBe('The body is no JSON value')
  })
})

describe('curl', () => {
  it('shows the request without its secrets', () => {
    expect(
      toCurl({
        method: 'POST',
        url: "https://shop.test/a?b=1&c='[x]",
        headers: {
          accept: '*/*',
          authorization: 'Bearer s3cret',
          'x-api-key': 's3cret',
          'x-empty': '',
          'x-author': 'me'
        },
        body: `{"a":"it's $HOME"}`
      })
    ).toBe(
      `curl -X POST --globoff 'https://shop.test/a?b=1&c='\\''[x]' -H 'accept: */*' -H 'authorization: …' -H 'x-api-key: …' -H 'x-empty;' -H 'x-author: me' --data-raw '{"a":"it'\\''s $HOME"}'`
    )
    expect(toCurl({ method: 'GET', url: 'https://shop.test/a', headers: {} })).toBe('curl https://shop.test/a')
    expect(toCurl({ method: 'HEAD', url: 'https://shop.test/a', headers: {} })).toBe('curl --head https://shop.test/a')
  })

  it('hides what the caller names', () => {
    const headers = { 'x-tenant': 'blue', authorization: 'shown' }
    expect(toCurl({ method: 'GET', url: 'https://shop.test/a', headers }, (name) => name === 'x-tenant')).toBe(
      `curl https://shop.test/a -H 'x-tenant: …' -H 'authorization: shown'`
    )
  })

  it('is read back by a shell as it was meant', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((t) => !t.includes('\0'))
    fc.assert(
      fc.property(text, text, (header, body) => {
        const command = toCurl({ method: 'PUT', url: 'https://shop.test/?a=$(b)', headers: { h: `x${header}` }, body })
        const { stdout } = spawnSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")], { encoding: 'utf8' })
        expect(stdout.split('\0').slice(0, -1)).toEqual(
          ['-X', 'PUT', 'https://shop.test/?a=$(b)', '-H', `h: x${header}`, '--data-raw', body].map((t) =>
            t.toWellFormed()
          )
        )
      }),
      { numRuns: 30 }
    )
  })
})

// --- properties

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'./%2eE\\{}$&?#;,=+|[]"\'\r\n\t\0 é\ud83d\ude00€') }),
  // code units of their own, lone surrogates among them
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
)

/** Percent-decoding that accepts RFC 3986 only: unreserved characters, the given others and valid UTF-8. */
function strictDecode(text: string, others = ''): string {
  for (const c of text.replace(/%[0-9A-F]{2}/g, ''))
    if (!/[A-Za-z0-9\-._~]/.test(c) && !others.includes(c)) throw new Error(`${c} is not encoded in ${text}`)
  return decodeURIComponent(text)
}

const strictQuery = (url: string, others = ''): [string, string][] => {
  const [, query = '', ...rest] = url.split('?')
  if (rest.length > 0 && !others.includes('?')) throw new Error('a second query')
  return [query, ...rest]
    .join('?')
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return [strictDecode(name), strictDecode(value, others)]
    })
}

describe('any text', () => {
  const wellFormed = (text: string): string => text.toWellFormed()

  it('round-trips as a path value, or is refused', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const parameters = [parameter('path', 'a', a), parameter('path', 'b', b)]
        const built = buildRequest(planOf({ pathTemplate: '/x/{a}/y/{b}', parameters }))
        const refused = [a, b].some((t) => ['', '.', '..'].includes(t))
        expect('error' in built).toBe(refused)
        if ('error' in built) return
        expect(new URL(built.request.url).href).toBe(built.request.url)
        const segments = built.request.url.slice('https://shop.test/'.length).split('/')
        expect(segments.map((s) => strictDecode(s))).toEqual(['api', 'x', wellFormed(a), 'y', wellFormed(b)])
      }),
      { numRuns: 500 }
    )
  })

  it('round-trips in a query: name, value, items, keys', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.array(anyText, { minLength: 1 }), (name, value, items) => {
        const { url } = requestOf({
          parameters: [
            parameter('query', name, value),
            parameter('query', 'many', items),
            parameter('query', 'flat', items, { explode: false }),
            parameter('query', 'deep', { [name]: value }, { style: 'deepObject' }),
            parameter('query', 'spread', { [name]: value })
          ]
        })
        expect(new URL(url).href).toBe(url)
        const pairs = url
          .split('?')[1]!
          .split('&')
          .map((p) => p.split('='))
        const [flat] = pairs.filter(([n]) => n === 'flat').slice(-1)
        expect(flat![1]!.split(',').map((item) => strictDecode(item))).toEqual(items.map(wellFormed))
        expect(strictQuery(url, ',').map(([n, v]) => (n === 'flat' ? [n] : [n, v]))).toEqual([
          [wellFormed(name), wellFormed(value)],
          ...items.map((item) => ['many', wellFormed(item)]),
          ['flat'],
          [`deep[${wellFormed(name)}]`, wellFormed(value)],
          [wellFormed(name), wellFormed(value)]
        ])
      }),
      { numRuns: 500 }
    )
  })

  it('stays one value with allowReserved', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const { url } = requestOf({
          parameters: [parameter('query', 'a', value, { allowReserved: true }), parameter('query', 'b', 1)]
        })
        expect(url).not.toContain('#')
        const [a, b] = strictPairs(url)
        expect([a![0], b]).toEqual(['a', ['b', '1']])
        // triplets are kept, so that a text without them comes back
        if (!/%[0-9a-f]{2}/i.test(value)) expect(a![1]).toBe(wellFormed(value))
      }),
      { numRuns: 500 }
    )
    function strictPairs(url: string): [string, string][] {
      return url
        .slice(url.indexOf('?') + 1)
        .split('&')
        .map((pair) => {
          const [name = '', raw = ''] = pair.split(/=(.*)/s)
          expect(raw).toMatch(/^(%[0-9A-Fa-f]{2}|[A-Za-z0-9\-._~:/?@!$'()*,;=[\]])*$/)
          let text = raw
          try {
            text = decodeURIComponent(raw)
          } catch {
            // triplets of the caller that are no UTF-8
          }
          return [name, text]
        })
    }
  })

  it('round-trips as a header value, or is refused', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const built = buildRequest(planOf({ parameters: [parameter('header', 'x-a', value)] }))
        // eslint-disable-next-line no-control-regex -- the characters that are refused
        expect('error' in built).toBe(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(value))
        if ('error' in built) return
        const sent = built.request.headers['x-a']!
        expect(() => new Headers(built.request.headers)).not.toThrow()
        const latin = [...value].every((c) => c.codePointAt(0)! < 256)
        expect(
          latin ? sent : strictDecode(sent, [...Array(95).keys()].map((i) => String.fromCharCode(32 + i)).join(''))
        ).toBe(wellFormed(value))
      }),
      { numRuns: 500 }
    )
  })

  it('round-trips as a cookie value', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const { cookie } = headersOf(parameter('cookie', 'a', a), parameter('cookie', 'b', b)) as { cookie: string }
        expect(cookie).toMatch(/^a=[!#-+\--:<-[\]-~]*; b=[!#-+\--:<-[\]-~]*$/)
        const pairs = cookie.split('; ').map((pair) => pair.split(/=(.*)/s).slice(0, 2))
        expect(pairs.map(([n, v]) => [n, decodeURIComponent(v!)])).toEqual([
          ['a', wellFormed(a)],
          ['b', wellFormed(b)]
        ])
      }),
      { numRuns: 500 }
    )
  })
})

describe('no input', () => {
  const target = fc.record({
    name: anyText,
    in: fc.constantFrom<ParameterLocation>('path', 'query', 'header', 'cookie', 'querystring'),
    style: fc.constantFrom('form', 'simple', 'label', 'matrix', 'deepObject', 'spaceDelimited', 'pipeDelimited', 'odd'),
    explode: fc.boolean(),
    allowReserved: fc.boolean()
  })
  const withContent = fc
    .tuple(target, fc.option(fc.constantFrom('application/json', 'text/plain', ''), { nil: undefined }))
    .map(([t, contentType]) => (contentType === undefined ? t : { ...t, contentType }))
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true })

  it('makes it throw, leave the base or write an object as such', () => {
    fc.assert(
      fc.property(
        fc.record({
          method: fc.constantFrom('GET', 'POST'),
          baseUrl: fc.oneof(fc.constant('https://shop.test/api/'), fc.webUrl(), anyText),
          pathTemplate: fc.oneof(anyText, fc.constantFrom('/a/{a}', '/{a}{b}/c', '/{a}?x={b}#c')),
          parameters: fc.array(
            fc.record({
              target: fc.oneof(
                withContent,
                target.map((t) => ({ ...t, name: 'a' }))
              ),
              value: anything
            })
          ),
          accept: fc.constant('*/*')
        }),
        fc.option(anything, { nil: undefined }),
        fc.dictionary(anyText, anyText, { maxKeys: 2 }),
        (plan, body, headers) => {
          const built = buildRequest({ ...plan, headers, ...(body !== undefined && { body: { value: body } }) })
          if ('error' in built) {
            expect(built.error).not.toBe('')
            expect(built.error).not.toMatch(/^The request cannot be built/)
            return
          }
          expect(built.request.url).toMatch(/^https?:\/\//)
          expect(built.request.url).not.toMatch(/%5Bobject%20Object%5D|#|\s/)
          expect(Object.values(built.request.headers).join()).not.toMatch(/[\r\n\0]/)
          expect(() => new Headers(built.request.headers)).not.toThrow()
        }
      ),
      { numRuns: 1000 }
    )
  })
})
