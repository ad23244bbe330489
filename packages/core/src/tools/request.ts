import type { ParameterTarget } from './types.js'

/** What a request is made from. */
export interface RequestPlan {
  /** Upper case. */
  method: string
  /** Absolute http(s) address that the path is joined to. */
  baseUrl: string
  /** Path template of the operation, such as `/pets/{id}`. */
  pathTemplate: string
  parameters: { target: ParameterTarget; value: unknown }[]
  /** JSON body; without it none is sent. */
  body?: { value: unknown }
  accept: string
  /** Headers of the caller; they win over header parameters of the same name. */
  headers?: Record<string, string>
}

export interface HttpRequest {
  method: string
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  body?: string
}

/** Thrown inside this file only, and turned into an answer at its door. */
class Unbuildable extends Error {}

/**
 * Builds the HTTP request of a call, parameters serialized as OpenAPI 3.x describes them, or says why it cannot be built.
 * Never throws.
 */
export function buildRequest(plan: RequestPlan): { request: HttpRequest } | { error: string } {
  try {
    return { request: build(plan) }
  } catch (error) {
    return {
      error: error instanceof Unbuildable ? error.message : `The request cannot be built: ${(error as Error).message}`
    }
  }
}

function build(plan: RequestPlan): HttpRequest {
  const given = plan.parameters.filter((p) => p.value !== undefined && p.value !== null)
  const inLocation = (location: string): typeof given => given.filter((p) => p.target.in === location)
  const base = baseOf(plan.baseUrl)
  const path = expandPath(plan.pathTemplate, inLocation('path'))
  const query = [...inLocation('querystring').map(queryString), ...inLocation('query').map(queryPart)].filter(
    (part) => part !== ''
  )
  const url = joinUrl(base.href, path) + queryOf(base, query)
  // What a value does to the path is refused above; this holds even where that misses something.
  const prefix = base.pathname.replace(/\/+$/, '')
  const built = new URL(url)
  if (built.origin !== base.origin || !`${built.pathname}/`.startsWith(`${prefix}/`))
    throw new Unbuildable('The path of the request leaves the base URL')
  return {
    method: plan.method,
    url,
    headers: headersOf(plan, inLocation('header'), inLocation('cookie')),
    ...(plan.body && { body: JSON.stringify(plan.body.value ?? null) })
  }
}

function baseOf(baseUrl: string): URL {
  let url: URL | undefined
  try {
    url = new URL(baseUrl)
  } catch {
    // said below
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Unbuildable(
      `The base URL ${JSON.stringify(baseUrl)} is no http(s) address; see \`servers\` in the document or give \`baseUrl\``
    )
  }
  url.hash = ''
  return url
}

/** A base URL and a path with exactly one slash between; the path of the base is kept, its query is not. */
export function joinUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return `${base}/${path.replace(/^\/+/, '')}`
}

function queryOf(base: URL, parts: string[]): string {
  const all = [base.search.slice(1), ...parts].filter((part) => part !== '')
  return all.length > 0 ? `?${all.join('&')}` : ''
}

// --- encoding

/** Percent-encodes everything but the unreserved characters of RFC 3986. A lone surrogate becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
}

/** RFC 6570 reserved expansion, without what would start another parameter or a fragment. */
function encodeReserved(text: string): string {
  return text
    .toWellFormed()
    .split(/(%[0-9A-Fa-f]{2}|[:/?@!$'()*,;=[\]])/)
    .map((part, i) => (i % 2 === 1 ? part : encode(part)))
    .join('')
}

function encoderFor(target: ParameterTarget): (text: string) => string {
  return target.allowReserved && target.in === 'query' ? encodeReserved : encode
}

/** A scalar as the wire shows it; what is nested deeper than a style can say goes as JSON text. */
function scalar(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? plainNumber(value)
    : JSON.stringify(value)
}

function plainNumber(value: number | boolean | bigint): string {
  const text = String(value)
  if (typeof value !== 'number' || !text.includes('e') || !Number.isInteger(value)) return text
  return BigInt(value).toString()
}

function present(list: unknown[]): unknown[] {
  return list.filter((v) => v !== undefined && v !== null)
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, v]) => v !== undefined && v !== null)
}

function isJsonType(contentType: string): boolean {
  return /^(application\/json|[^;]+\+json)\s*(;|$)/i.test(contentType)
}

/** The whole value as one text, where the parameter is described by a media type. */
function contentText(target: ParameterTarget, value: unknown): string {
  return isJsonType(target.contentType!) || typeof value === 'object' ? JSON.stringify(value) : scalar(value)
}

// --- path

function expandPath(template: string, parameters: RequestPlan['parameters']): string {
  const byName = new Map(parameters.map((p) => [p.target.name, p]))
  // One pass, so that a value which looks like a placeholder stays a value.
  const path = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = byName.get(name)
    if (!parameter) throw new Unbuildable(`The path parameter "${name}" has no value`)
    const text = pathValue(parameter.target, parameter.value)
    if (text === '') throw new Unbuildable(`The path parameter "${name}" must not be empty`)
    return text
  })
  for (const segment of path.split('/')) {
    if (segment !== '.' && segment !== '..') continue
    const name = parameters.find((p) => pathValue(p.target, p.value).includes('.'))?.target.name
    throw new Unbuildable(
      name === undefined
        ? `The path ${template} has a dot segment`
        : `The path parameter "${name}" must not be a dot segment`
    )
  }
  return path
}

function pathValue(target: ParameterTarget, value: unknown): string {
  if (target.contentType !== undefined) return encode(contentText(target, value))
  const prefix = target.style === 'label' ? '.' : target.style === 'matrix' ? ';' : ''
  const name = encode(target.name)
  if (Array.isArray(value)) {
    const items = present(value).map((v) => encode(scalar(v)))
    if (target.style === 'matrix') {
      if (items.length === 0) return `;${name}`
      return target.explode ? items.map((i) => `;${name}=${i}`).join('') : `;${name}=${items.join(',')}`
    }
    return items.length === 0 ? '' : prefix + items.join(target.style === 'label' && target.explode ? '.' : ',')
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = entriesOf(value).map(([k, v]) => [encode(k), encode(scalar(v))] as const)
    if (target.style === 'matrix') {
      return target.explode ? pairs.map(([k, v]) => `;${k}=${v}`).join('') : `;${name}=${pairs.flat().join(',')}`
    }
    const separator = target.style === 'label' && target.explode ? '.' : ','
    const text = target.explode ? pairs.map(([k, v]) => `${k}=${v}`).join(separator) : pairs.flat().join(',')
    return text === '' ? '' : prefix + text
  }
  const text = encode(scalar(value))
  if (target.style === 'matrix') return text === '' ? `;${name}` : `;${name}=${text}`
  return text === '' ? '' : prefix + text
}

// --- query

function queryPart({ target, value }: RequestPlan['parameters'][number]): string {
  const name = encode(target.name)
  const encodeValue = encoderFor(target)
  if (target.contentType !== undefined) return `${name}=${encode(contentText(target, value))}`
  if (Array.isArray(value)) {
    const items = present(value).map((v) => encodeValue(scalar(v)))
    if (items.length === 0) return ''
    if (target.style === 'spaceDelimited') return `${name}=${items.join('%20')}`
    if (target.style === 'pipeDelimited') return `${name}=${items.join('%7C')}`
    return target.explode ? items.map((i) => `${name}=${i}`).join('&') : `${name}=${items.join(',')}`
  }
  if (typeof value === 'object' && value !== null) {
    if (target.style === 'deepObject') return deepObject(name, value, encodeValue).join('&')
    const pairs = entriesOf(value)
    if (pairs.length === 0) return ''
    if (target.style === 'form' && target.explode) return pairs.flatMap(([k, v]) => spread(k, v, encodeValue)).join('&')
    const separator = target.style === 'spaceDelimited' ? '%20' : target.style === 'pipeDelimited' ? '%7C' : ','
    return `${name}=${pairs.flatMap(([k, v]) => [encodeValue(k), encodeValue(scalar(v))]).join(separator)}`
  }
  return `${name}=${encodeValue(scalar(value))}`
}

/** One property of an object that is spread over the query. */
function spread(key: string, value: unknown, encodeValue: (text: string) => string): string[] {
  const name = encode(key)
  if (Array.isArray(value) && value.every((v) => v === null || typeof v !== 'object'))
    return present(value).map((v) => `${name}=${encodeValue(scalar(v))}`)
  return [`${name}=${encodeValue(scalar(value))}`]
}

function deepObject(name: string, value: object, encodeValue: (text: string) => string): string[] {
  return entriesOf(value).flatMap(([key, inner]) => {
    const inside = `${name}%5B${encode(key)}%5D`
    if (Array.isArray(inner)) return present(inner).map((v) => `${inside}=${encodeValue(scalar(v))}`)
    if (typeof inner === 'object' && inner !== null) return deepObject(inside, inner, encodeValue)
    return [`${inside}=${encodeValue(scalar(inner))}`]
  })
}

/** OpenAPI 3.2 `in: querystring`: the value is the whole query. */
function queryString({ target, value }: RequestPlan['parameters'][number]): string {
  if (target.contentType !== undefined && isJsonType(target.contentType)) return encode(JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return encodeReserved(scalar(value)).replaceAll('+', '%2B')
  return entriesOf(value)
    .flatMap(([k, v]) => spread(k, v, encode))
    .join('&')
}

// --- headers

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

function headersOf(
  plan: RequestPlan,
  headers: RequestPlan['parameters'],
  cookies: RequestPlan['parameters']
): Record<string, string> {
  const result = new Map<string, string>([['accept', plan.accept]])
  const set = (name: string, value: string, what: string): void => {
    if (!TOKEN.test(name)) throw new Unbuildable(`${what} ${JSON.stringify(name)} is no valid header name`)
    result.set(name.toLowerCase(), headerText(value, `${what} "${name}"`))
  }
  for (const { target, value } of headers) set(target.name, headerValue(target, value), 'The header parameter')
  if (cookies.length > 0) result.set('cookie', cookies.flatMap(cookiePairs).join('; '))
  for (const [name, value] of Object.entries(plan.headers ?? {})) set(name, value, 'The header')
  if (plan.body) result.set('content-type', 'application/json')
  else result.delete('content-type')
  return Object.fromEntries(result)
}

/** Header text cannot bring another header with it. Letters beyond Latin-1 cannot be sent as they are. */
function headerText(value: string, what: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what must not get through
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
    throw new Unbuildable(`${what} must not hold control characters`)
  // eslint-disable-next-line no-control-regex -- everything that is not Latin-1
  return value.toWellFormed().replace(/[^\u0000-\u00ff]+/g, (run) => encodeURIComponent(run))
}

function headerValue(target: ParameterTarget, value: unknown): string {
  if (target.contentType !== undefined) return contentText(target, value)
  if (Array.isArray(value)) return present(value).map(scalar).join(',')
  if (typeof value === 'object' && value !== null) {
    const pairs = entriesOf(value)
    return target.explode
      ? pairs.map(([k, v]) => `${k}=${scalar(v)}`).join(',')
      : pairs.flatMap(([k, v]) => [k, scalar(v)]).join(',')
  }
  return scalar(value)
}

function cookiePairs({ target, value }: RequestPlan['parameters'][number]): string[] {
  if (!TOKEN.test(target.name))
    throw new Unbuildable(`The cookie parameter ${JSON.stringify(target.name)} is no valid cookie name`)
  if (target.contentType !== undefined) return [`${target.name}=${encode(contentText(target, value))}`]
  if (Array.isArray(value)) {
    const items = present(value).map((v) => encode(scalar(v)))
    return target.explode ? items.map((i) => `${target.name}=${i}`) : [`${target.name}=${items.join('%2C')}`]
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = entriesOf(value)
    if (target.explode) return pairs.map(([k, v]) => `${encode(k)}=${encode(scalar(v))}`)
    return [`${target.name}=${pairs.flatMap(([k, v]) => [encode(k), encode(scalar(v))]).join('%2C')}`]
  }
  return [`${target.name}=${encode(scalar(value))}`]
}

// --- curl

const SECRET_HEADER =
  /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-auth-token)$|token|secret|password/i

/** The request as a command for a terminal. Values of secret headers are left for the reader to fill in. */
export function toCurl(
  request: HttpRequest,
  isSecret: (name: string) => boolean = (name) => SECRET_HEADER.test(name)
): string {
  const parts = [
    'curl',
    ...(request.method === 'GET' && request.body === undefined ? [] : ['-X', quote(request.method)]),
    quote(request.url)
  ]
  for (const [name, value] of Object.entries(request.headers))
    parts.push('-H', quote(`${name}: ${isSecret(name) ? '…' : value}`))
  if (request.body !== undefined) parts.push('--data-raw', quote(request.body))
  return parts.join(' ')
}

function quote(text: string): string {
  return /^[A-Za-z0-9_./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
