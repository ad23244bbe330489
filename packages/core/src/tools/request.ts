import type { ParameterTarget } from './types.js'

/** A parameter of the request and the value that goes there. `fixed`: the document sets it, and nobody else may. */
export type ParameterValue = { target: ParameterTarget; value: unknown; fixed?: boolean }

/** What a request is made from. */
export interface RequestPlan {
  /** Upper case. */
  method: string
  /** Absolute http(s) address that the path is joined to. */
  baseUrl: string
  /** Path template of the operation, such as `/pets/{id}`. */
  pathTemplate: string
  parameters: ParameterValue[]
  /** Names that only their own parameter may send, as `nameKey` writes them: an object that is spread must not bring one in. */
  reserved?: ReadonlySet<string>
  /** JSON body; without it none is sent. */
  body?: { value: unknown }
  accept: string
  /** Headers of the caller; they win over header parameters of the same name. Its cookies are sent beside the parameters. */
  headers?: Record<string, string>
}

/** An HTTP request as `fetch` takes it. */
export interface HttpRequest {
  method: string
  /** Absolute, ASCII only. */
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** JSON text. */
  body?: string
}

/** Thrown inside this file only, and turned into an answer at its door. */
class Unbuildable extends Error {}

/** Thrown inside this file only: what is wrong with a value, as the end of a sentence about its parameter. */
class Unsendable extends Error {}

/**
 * Builds the HTTP request of a call, parameters serialized as OpenAPI 3.x describes them ("Parameter Object", "Style Values"), or
 * says why it cannot be built. Never throws.
 */
export function buildRequest(plan: RequestPlan): { request: HttpRequest } | { error: string } {
  try {
    return { request: build(plan) }
  } catch (error) {
    if (error instanceof Unbuildable) return { error: error.message }
    return { error: `The request cannot be built: ${error instanceof Error ? error.message : 'unknown reason'}` }
  }
}

function build(plan: RequestPlan): HttpRequest {
  const given = plan.parameters.filter((p) => isPresent(p.value))
  for (const parameter of given) aboutParameter(parameter, () => checkSpread(parameter, plan.reserved ?? new Set()))
  const inLocation = (location: ParameterTarget['in']): ParameterValue[] =>
    given.filter((p) => p.target.in === location)
  const headers = headersOf(plan, inLocation('header'), inLocation('cookie'))
  return {
    method: plan.method,
    url: urlOf(plan, inLocation('path'), [...inLocation('querystring'), ...inLocation('query')]),
    headers,
    ...(plan.body && { body: about('The body', () => jsonText(plan.body!.value ?? null)) })
  }
}

/** A name in a location, for `reserved`. */
export function nameKey(location: string, name: string): string {
  return `${location === 'querystring' ? 'query' : location} ${name}`
}

function checkSpread({ target, value }: ParameterValue, reserved: ReadonlySet<string>): void {
  for (const name of spreadNames(target, value)) {
    if (name !== target.name && reserved.has(nameKey(target.in, name)))
      throw new Unsendable(`must not hold ${JSON.stringify(name)}: that is a parameter of its own`)
  }
}

/** The names that an object is sent under, where it is not sent under the name of its parameter. */
function spreadNames({ name, in: location, style, explode, contentType }: ParameterTarget, value: unknown): string[] {
  if (!isObject(value) || Array.isArray(value)) return []
  if (location === 'querystring') return isJsonType(contentType ?? '') ? [] : Object.keys(value)
  if (contentType !== undefined || (location !== 'query' && location !== 'cookie')) return []
  if (style !== 'deepObject') return explode ? Object.keys(value) : []
  const inside = (outer: string, inner: object): string[] =>
    Object.entries(inner).flatMap(([key, deeper]: [string, unknown]) => {
      const path = `${outer}[${key}]`
      return isObject(deeper) && !Array.isArray(deeper) ? [path, ...inside(path, deeper)] : [path]
    })
  return inside(name, value)
}

/** Does the work of one parameter; what is wrong there is said with its name. */
function about<T>(subject: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    // What else fails is JSON.stringify: a cycle, a bigint, a toJSON of the caller.
    throw new Unbuildable(`${subject} ${error instanceof Unsendable ? error.message : 'is no JSON value'}`)
  }
}

function aboutParameter<T>({ target }: ParameterValue, work: () => T): T {
  return about(`The ${target.in} parameter ${JSON.stringify(target.name)}`, work)
}

// --- URL

function urlOf(plan: RequestPlan, path: ParameterValue[], query: ParameterValue[]): string {
  const base = baseOf(plan.baseUrl)
  const target = splitUrl(expandPath(plan.pathTemplate, path))
  const parts = query.map((p) => aboutParameter(p, () => queryPart(p)))
  const url = new URL(joinUrl(base.href, `${target.path}?${joinQuery([target.query, ...parts])}`))
  // What a value does to the path is refused where it is expanded; this holds even where that misses something.
  const prefix = `${withoutTrailingSlashes(base.pathname)}/`
  if (url.origin !== base.origin || !url.pathname.startsWith(prefix))
    throw new Unbuildable('The path of the request leaves the base URL')
  return url.href
}

function baseOf(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  // To a URL parser braces may be in a host: a server variable without a value.
  if (!url || !/^https?:$/.test(url.protocol) || /[{}]/.test(splitUrl(baseUrl).path)) {
    const shown = JSON.stringify(String(baseUrl).replace(/[^/\s]*@/g, '…@'))
    throw new Unbuildable(
      `The base URL ${shown} is no complete http(s) address; see \`servers\` in the document or give \`baseUrl\``
    )
  }
  if (url.username !== '' || url.password !== '')
    throw new Unbuildable(
      'The base URL (`baseUrl` or `servers`) must not hold credentials; send them in the authorization header'
    )
  return url
}

/**
 * A base URL and a path with exactly one slash between. The path of the base is kept and so is its query, before that of the
 * path; fragments are not.
 */
export function joinUrl(baseUrl: string, path: string): string {
  const base = splitUrl(baseUrl)
  const own = splitUrl(path)
  const query = joinQuery([base.query, own.query])
  return `${withoutTrailingSlashes(base.path)}/${own.path.replace(/^\/+/, '')}${query === '' ? '' : `?${query}`}`
}

function joinQuery(parts: string[]): string {
  return parts.filter((part) => part !== '').join('&')
}

function splitUrl(url: string): { path: string; query: string } {
  const [withoutFragment = ''] = url.split('#', 1)
  const mark = withoutFragment.indexOf('?')
  if (mark < 0) return { path: withoutFragment, query: '' }
  return { path: withoutFragment.slice(0, mark), query: withoutFragment.slice(mark + 1) }
}

/** Not by regular expression: `/\/+$/` takes quadratic time on a text that is full of slashes. */
function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

// --- encoding

/** Percent-encodes everything but the unreserved characters of RFC 3986. A lone surrogate becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
}

/**
 * RFC 6570 reserved expansion (`allowReserved`), without what would start another parameter or a fragment, and without the
 * plus sign, which most servers read as a space. `delimiter` separates items here, so that it is encoded within one.
 */
function encodeReserved(text: string, delimiter: string): string {
  return text
    .toWellFormed()
    .split(/(%[0-9A-Fa-f]{2}|[:/?@!$'()*,;=[\]])/)
    .map((part, i) => (i % 2 === 1 && part !== delimiter ? part : encode(part)))
    .join('')
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, v]) => isPresent(v))
}

/** A scalar as the wire shows it; what is nested deeper than a style can say goes as JSON text. */
function scalar(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return decimal(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  return jsonText(value)
}

/** Digits without an exponent: `1e+21` in a URL is a text to many servers. */
function decimal(value: number): string {
  if (!Number.isFinite(value)) throw new Unsendable('must be a finite number')
  const text = String(value)
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!parts) return text
  const [, sign = '', digit = '', fraction = '', power] = parts
  const exponent = Number(power)
  // JavaScript writes an exponent from 21 on, and no number has more digits than that.
  if (exponent > 0) return sign + (digit + fraction).padEnd(exponent + 1, '0')
  return `${sign}0.${'0'.repeat(-exponent - 1)}${digit}${fraction}`
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) throw new Unsendable('is no JSON value')
  return text
}

function isJsonType(contentType: string): boolean {
  return /^(application\/json|[^;]+\+json)\s*(;|$)/i.test(contentType)
}

/** The whole value as one text, where the parameter is described by a media type. */
function contentText(contentType: string, value: unknown): string {
  return isJsonType(contentType) ? jsonText(value) : scalar(value)
}

/**
 * Items of an array, or names and values of an object in turn (joined by `=` where it is exploded): what the styles put their
 * separators between. Undefined for a scalar.
 */
function itemsOf(value: unknown, explode: boolean, encodeText: (text: string) => string): string[] | undefined {
  if (Array.isArray(value)) return value.filter(isPresent).map((v) => encodeText(scalar(v)))
  if (!isObject(value)) return undefined
  const pairs = entriesOf(value).map(([k, v]) => [encodeText(k), encodeText(scalar(v))])
  return explode ? pairs.map((pair) => pair.join('=')) : pairs.flat()
}

// --- path

const PLACEHOLDER = /\{([^{}]*)\}/g

function expandPath(template: string, parameters: ParameterValue[]): string {
  const byName = new Map(parameters.map((p) => [p.target.name, p]))
  return template
    .split('/')
    .map((segment) => expandSegment(segment, byName))
    .join('/')
}

function expandSegment(segment: string, parameters: ReadonlyMap<string, ParameterValue>): string {
  // Text and names in turn. Everything is filled in at once, so that a value which looks like a placeholder stays a value.
  const parts = segment.split(PLACEHOLDER)
  const text = parts.map((part, i) => (i % 2 === 1 ? placeholderValue(part, parameters) : literal(part))).join('')
  // URL parsers read an encoded dot as a dot, so that such a segment climbs however it is written.
  if (/^(\.|%2e){1,2}(?=[?#]|$)/i.test(text)) {
    const subject = parts.length > 1 ? `The path parameter ${JSON.stringify(parts[1])}` : 'The path of the operation'
    throw new Unbuildable(`${subject} must not make the dot segment ${JSON.stringify(text)}`)
  }
  return text
}

function placeholderValue(name: string, parameters: ReadonlyMap<string, ParameterValue>): string {
  const parameter = parameters.get(name)
  if (!parameter) throw new Unbuildable(`The path parameter ${JSON.stringify(name)} has no value`)
  return aboutParameter(parameter, () => {
    const text = pathText(parameter)
    if (text === '') throw new Unsendable('must not be empty')
    return text
  })
}

/** Text of the template as a URL can hold it. */
function literal(text: string): string {
  if (/[{}]/.test(text)) throw new Unbuildable(`The path of the operation has a brace without its pair: ${text}`)
  return text.toWellFormed().replace(/[^!-~]|[\\"<>^`|]/gu, encodeURIComponent)
}

function pathText({ target, value }: ParameterValue): string {
  if (target.contentType !== undefined) return encode(contentText(target.contentType, value))
  const items = itemsOf(value, target.explode, encode)
  if (target.style === 'matrix') return matrix(target, value, items)
  const separator = target.style === 'label' && target.explode ? '.' : ','
  const text = items ? items.join(separator) : encode(scalar(value))
  return target.style === 'label' && (items ? items.length > 0 : text !== '') ? `.${text}` : text
}

function matrix(target: ParameterTarget, value: unknown, items: string[] | undefined): string {
  const name = encode(target.name)
  const pair = (text: string): string => (text === '' ? `;${name}` : `;${name}=${text}`)
  if (!items) return pair(encode(scalar(value)))
  if (items.length === 0) return ''
  if (!target.explode) return pair(items.join(','))
  return Array.isArray(value) ? items.map(pair).join('') : items.map((item) => `;${item}`).join('')
}

// --- query

function queryPart(parameter: ParameterValue): string {
  const { target, value } = parameter
  if (target.in === 'querystring') return wholeQuery(parameter)
  const name = encode(target.name)
  if (target.contentType !== undefined) return `${name}=${encode(contentText(target.contentType, value))}`
  const encodeText = (text: string, delimiter = ''): string =>
    target.allowReserved ? encodeReserved(text, delimiter) : encode(text)
  if (target.style === 'deepObject' && isObject(value) && !Array.isArray(value))
    return deepObject(name, value, encodeText).join('&')
  if (isObject(value) && target.explode) return exploded(name, value, encodeText).join('&')
  const items = itemsOf(value, false, (text) => encodeText(text, ','))
  if (!items) return `${name}=${encodeText(scalar(value))}`
  return items.length === 0 ? '' : `${name}=${items.join(SEPARATORS[target.style] ?? ',')}`
}

/** A space and a pipe cannot stand in a URL as they are (OpenAPI 3.1.1, "Style Examples"). */
const SEPARATORS: Record<string, string> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/** Every item under the name of the parameter, or every property under its own. */
function exploded(name: string, value: object, encodeText: (text: string) => string): string[] {
  if (!Array.isArray(value)) return entriesOf(value).flatMap(([key, inner]) => property(encode(key), inner, encodeText))
  return value.filter(isPresent).map((item) => `${name}=${encodeText(scalar(item))}`)
}

/** A property in a query. An array of scalars repeats the name; OpenAPI says nothing about deeper values. */
function property(name: string, value: unknown, encodeText: (text: string) => string): string[] {
  if (Array.isArray(value) && !value.some(isObject)) return exploded(name, value, encodeText)
  return [`${name}=${encodeText(scalar(value))}`]
}

function deepObject(name: string, value: object, encodeText: (text: string) => string): string[] {
  return entriesOf(value).flatMap(([key, inner]) => {
    const inside = `${name}%5B${encode(key)}%5D`
    if (Array.isArray(inner)) return exploded(inside, inner, encodeText)
    if (isObject(inner)) return deepObject(inside, inner, encodeText)
    return [`${inside}=${encodeText(scalar(inner))}`]
  })
}

/** OpenAPI 3.2 `in: querystring`: the value is the whole query. */
function wholeQuery({ target, value }: ParameterValue): string {
  if (!isObject(value) || isJsonType(target.contentType ?? ''))
    return encode(contentText(target.contentType ?? '', value))
  return entriesOf(value)
    .flatMap(([key, inner]) => property(encode(key), inner, encode))
    .join('&')
}

// --- headers

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Headers about the connection and the length of the message belong to whoever sends it; from outside they could smuggle. */
const TRANSPORT_HEADERS = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' ')
)

/** May callers add a header of this name? Those about the connection and the body are made by whoever sends the request. */
export function isCallerHeader(name: string): boolean {
  return TOKEN.test(name) && !TRANSPORT_HEADERS.has(name.toLowerCase()) && name.toLowerCase() !== 'content-type'
}

function headersOf(plan: RequestPlan, headers: ParameterValue[], cookies: ParameterValue[]): Record<string, string> {
  const result = new Map<string, string>([['accept', plan.accept]])
  const set = (name: string, value: string): void => {
    if (!TOKEN.test(name)) throw new Unsendable('has a name that no header can have')
    if (!TRANSPORT_HEADERS.has(name.toLowerCase())) result.set(name.toLowerCase(), headerText(value))
  }
  for (const parameter of headers)
    aboutParameter(parameter, () => {
      const text = headerParameter(parameter)
      if (text !== undefined) set(parameter.target.name, text)
    })
  for (const [name, value] of Object.entries(plan.headers ?? {}))
    if (isPresent(value)) about(`The header ${JSON.stringify(name)}`, () => set(name, String(value)))
  const own = cookies.flatMap((parameter) => aboutParameter(parameter, () => cookiePairs(parameter)))
  const fixed = cookies.filter((parameter) => parameter.fixed).map(({ target }) => target.name)
  const cookie = joinCookies(result.get('cookie'), own, fixed)
  if (cookie !== '') result.set('cookie', cookie)
  if (plan.body) result.set('content-type', 'application/json')
  else result.delete('content-type')
  return Object.fromEntries(result)
}

/**
 * Header text cannot bring another header with it. Where a character is beyond Latin-1, which `fetch` refuses, the whole value
 * is percent-encoded UTF-8.
 */
function headerText(value: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what must not get through
  if (/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(value)) throw new Unsendable('must not hold control characters')
  // eslint-disable-next-line no-control-regex -- the range of Latin-1
  if (/^[\u0000-\u00ff]*$/.test(value)) return value
  return value.toWellFormed().replace(/[^ -~]|%/gu, encodeURIComponent)
}

/** Style `simple`. Undefined for an empty list, which is not sent. */
function headerParameter({ target, value }: ParameterValue): string | undefined {
  if (target.contentType !== undefined) return contentText(target.contentType, value)
  const items = itemsOf(value, target.explode, (text) => text)
  if (!items) return scalar(value)
  return items.length === 0 ? undefined : items.join(',')
}

function cookiePairs({ target, value }: ParameterValue): string[] {
  const { name, contentType, explode } = target
  if (!TOKEN.test(name)) throw new Unsendable('has a name that no cookie can have')
  if (contentType !== undefined) return [`${name}=${encodeCookie(contentText(contentType, value))}`]
  if (explode && Array.isArray(value)) return itemsOf(value, true, encodeCookie)!.map((item) => `${name}=${item}`)
  // Names from within a value have to be encoded for good: `=` would end them.
  if (explode && isObject(value)) return entriesOf(value).map(([k, v]) => `${encode(k)}=${encodeCookie(scalar(v))}`)
  const items = itemsOf(value, false, encodeCookie)
  if (!items) return [`${name}=${encodeCookie(scalar(value))}`]
  return items.length === 0 ? [] : [`${name}=${items.join(',')}`]
}

/**
 * Percent-encodes what is no cookie-octet (RFC 6265, section 4.1.1), and the percent sign. Not more: tokens hold `=`, `+` and `/`, and
 * many servers take a cookie as it comes.
 */
function encodeCookie(text: string): string {
  return text.toWellFormed().replace(/[^!#-+\--:<-[\]-~]|%/gu, encodeURIComponent)
}

/** A cookie of the caller wins over that of an argument, and gives way to one that is fixed. */
function joinCookies(caller: string | undefined, own: string[], fixed: string[]): string {
  if (caller === undefined || caller.trim() === '') return own.join('; ')
  const nameOf = (pair: string): string => pair.split('=', 1)[0]!.trim()
  const pairs = caller.split(';').map((pair) => pair.trim())
  const kept = pairs.filter((pair) => pair !== '' && !fixed.includes(nameOf(pair)))
  const taken = new Set(kept.map(nameOf))
  return [...kept, ...own.filter((pair) => !taken.has(nameOf(pair)))].join('; ')
}

// --- curl

const SECRET_HEADER =
  /auth(?!or(?!ization))|cookie|token|secret|password|credential|session|signature|(^|[-_])key$|apikey|-iap/i

/** Does a header of this name hold credentials, as far as its name tells? */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name)
}

/** The request as a command for a POSIX shell. Values of secret headers are left for the reader to fill in. */
export function toCurl(request: HttpRequest, isSecret: (name: string) => boolean = isSecretHeader): string {
  const parts = ['curl', ...curlMethod(request)]
  // Brackets and braces in a URL are patterns to curl.
  if (/[[\]{}]/.test(request.url)) parts.push('--globoff')
  parts.push(quote(request.url))
  for (const [name, value] of Object.entries(request.headers))
    // A colon without a value would remove the header.
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${isSecret(name) ? '…' : value}`))
  if (request.body !== undefined) parts.push('--data-raw', quote(request.body))
  return parts.join(' ')
}

function curlMethod({ method, body }: HttpRequest): string[] {
  if (method === 'GET' && body === undefined) return []
  // With -X HEAD curl waits for a body.
  return method === 'HEAD' ? ['--head'] : ['-X', quote(method)]
}

function quote(text: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
