// The API that bookshop.yaml describes (and the two operations of hello.yaml), with its state in memory.
// Nothing but Node:  node examples/bookshop-api.mjs [port]
import { realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const GENRES = ['crime', 'history', 'poetry', 'science']
const CHANNELS = ['web', 'phone', 'agent']
const STATUSES = ['open', 'sent', 'cancelled']
const DOLLARS_PER_EURO = 1.1
const MAX_BODY = 100_000

/** A server that does not listen yet. Each has books, authors and orders of its own. */
export function createBookshopApi() {
  const shop = openShop()
  return createServer((request, response) => {
    answer(shop, request).then(
      (reply) => send(response, reply),
      (error) => send(response, problem(error))
    )
  })
}

// --- HTTP

/** What the API refuses, as RFC 9457 problem details. `errors` says what is wrong where. */
class Refusal extends Error {
  constructor(status, title, { errors, headers } = {}) {
    super(title)
    Object.assign(this, { status, errors, headers })
  }
}

function problem(error) {
  const known = error instanceof Refusal
  if (!known) console.error(error)
  const { status, message, errors, headers } = known ? error : { status: 500, message: 'The bookshop has a bug.' }
  return { status, type: 'application/problem+json', body: { status, title: message, errors }, headers }
}

function send(response, { status, type = 'application/json', body, headers }) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { ...(text !== undefined && { 'content-type': `${type}; charset=utf-8` }), ...headers })
  response.end(text)
}

const routes = [
  ['GET', '/books', listBooks],
  ['POST', '/books', createBook],
  ['GET', '/books/{id}', getBook],
  ['PUT', '/books/{id}', replaceBook],
  ['PATCH', '/books/{id}', updateBook],
  ['DELETE', '/books/{id}', deleteBook],
  ['GET', '/authors', listAuthors],
  ['GET', '/orders', listOrders],
  ['POST', '/orders', placeOrder],
  ['DELETE', '/orders/{order_id}', cancelOrder],
  ['GET', '/stock-report', stockReport],
  ['GET', '/hello/{name}', sayHello],
  ['POST', '/notes', createNote]
].map(([method, template, handle]) => ({ method, segments: template.split('/'), handle }))

async function answer(shop, request) {
  const [path, query = ''] = request.url.split(/\?(.*)/s)
  const given = path.split('/').map(decoded)
  const here = routes.filter(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((s, i) => (s.startsWith('{') ? given[i] !== '' : s === given[i]))
  )
  if (here.length === 0) throw new Refusal(404, `There is nothing at ${path}.`)
  const route = here.find(({ method }) => method === request.method)
  if (!route) {
    const allow = here.map(({ method }) => method).join(', ')
    throw new Refusal(405, `${path} takes ${allow}.`, { headers: { allow } })
  }
  const params = Object.fromEntries(
    route.segments.flatMap((segment, i) => (segment.startsWith('{') ? [[segment.slice(1, -1), given[i]]] : []))
  )
  const body = ['POST', 'PUT', 'PATCH'].includes(request.method) ? await readJson(request) : undefined
  return route.handle({ shop, params, query: new URLSearchParams(query), headers: request.headers, body })
}

function decoded(segment) {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal(400, 'The path is not correctly percent-encoded.')
  }
}

async function readJson(request) {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'Send the body as application/json.')
  }
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) throw new Refusal(413, `The body is larger than ${MAX_BODY} bytes.`)
    chunks.push(chunk)
  }
  let body
  try {
    body = JSON.parse(Buffer.concat(chunks).toString())
  } catch (error) {
    throw new Refusal(400, `The body is not JSON: ${error.message}`)
  }
  if (!isObject(body)) throw new Refusal(422, 'The body must be an object.')
  return body
}

/** The quality that an Accept header gives to a media type (RFC 9110, 12.5.1). */
function quality(accept, type) {
  let best = { precision: 0, q: 0 }
  for (const range of accept.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const precision = [undefined, '*/*', `${type.split('/')[0]}/*`, type].indexOf(name)
    const q = Number(/^q=([\d.]+)$/.exec(parameters.find((p) => p.startsWith('q=')) ?? '')?.[1] ?? 1)
    if (precision > best.precision) best = { precision, q }
  }
  return best.q
}

// --- checks: each collects what is wrong, so that one answer tells all of it

class Errors {
  #list = []

  add(where, detail) {
    this.#list.push({ where, detail })
  }

  throwAny(status, title) {
    if (this.#list.length > 0) throw new Refusal(status, title, { errors: this.#list })
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function oneOf(values) {
  return `must be one of ${values.join(', ')}`
}

/** Reads query parameters: `parse` gives the value, or undefined with a complaint. */
function readQuery(query, readers) {
  const errors = new Errors()
  const values = {}
  for (const [name, { read, otherwise }] of Object.entries(readers)) {
    const text = query.get(name)
    values[name] = text === null ? otherwise : read(text, (detail) => errors.add(`query parameter ${name}`, detail))
  }
  errors.throwAny(400, 'The query is not valid.')
  return values
}

const text = { read: (given) => given }
const choice = (values, otherwise) => ({
  otherwise,
  read: (given, refuse) => (values.includes(given) ? given : refuse(oneOf(values)))
})
const choices = (values) => ({
  read: (given, refuse) => {
    const list = given.split(',').filter((value) => value !== '')
    return list.every((value) => values.includes(value)) ? list : refuse(`each ${oneOf(values)}`)
  }
})
const whole = (least, most, otherwise) => ({
  otherwise,
  read: (given, refuse) => {
    const number = Number(given)
    const fine = /^\d+$/.test(given) && number >= least && number <= most
    return fine ? number : refuse(`must be a whole number from ${least} to ${most}`)
  }
})
const paging = { per_page: whole(1, 500, 50), page: whole(1, 1_000_000, 1) }

function pageOf(list, { per_page: size, page }) {
  return list.slice((page - 1) * size, page * size)
}

/** Checks the fields of a book that the body names. `required`: those that must be there. */
function checkBook(shop, body, required) {
  const errors = new Errors()
  const checks = {
    title: (v) => (typeof v === 'string' && v.length > 0) || 'must be a text',
    author_id: (v) => shop.authors.has(v) || 'must be the id of an author; GET /authors lists them',
    genre: (v) => GENRES.includes(v) || oneOf(GENRES),
    price: (v) => (typeof v === 'number' && v >= 0) || 'must be a number, at least 0',
    on_sale: (v) => typeof v === 'boolean' || 'must be true or false'
  }
  for (const [name, check] of Object.entries(checks)) {
    const verdict = Object.hasOwn(body, name) ? check(body[name]) : !required.includes(name) || 'is required'
    if (verdict !== true) errors.add(`/${name}`, verdict)
  }
  return errors
}

function found(map, id, what, list) {
  const value = map.get(id)
  if (!value) throw new Refusal(404, `There is no ${what} ${JSON.stringify(id)}; GET ${list} lists them.`)
  return value
}

// --- books

const BOOK_FIELDS = [
  'id',
  'title',
  'author',
  'author_id',
  'genre',
  'price',
  'stock',
  'on_sale',
  'added_at',
  'purchase_price'
]
const SORTS = {
  title: (a, b) => a.title.localeCompare(b.title, 'en'),
  price: (a, b) => a.price - b.price,
  stock: (a, b) => a.stock - b.stock,
  added: (a, b) => b.added_at.localeCompare(a.added_at)
}

function shown(shop, book, fields = BOOK_FIELDS) {
  const all = { ...book, author: shop.authors.get(book.author_id).name }
  return Object.fromEntries(fields.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}

function listBooks({ shop, query }) {
  const asked = readQuery(query, {
    q: text,
    genre: choices(GENRES),
    sort: choice(Object.keys(SORTS), 'added'),
    currency: choice(['EUR', 'USD'], 'USD'),
    debug: choice(['true', 'false'], 'false'),
    select: choices(BOOK_FIELDS),
    ...paging
  })
  const words = folded(asked.q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const rate = asked.currency === 'USD' ? DOLLARS_PER_EURO : 1
  const matches = [...shop.books.values()]
    .filter((book) => book.on_sale)
    .filter((book) => !asked.genre?.length || asked.genre.includes(book.genre))
    .filter((book) => {
      const haystack = folded(`${book.title} ${shop.authors.get(book.author_id).name}`)
      return words.every((word) => haystack.includes(word))
    })
    .sort(SORTS[asked.sort])
  const items = pageOf(matches, asked)
  const rest = matches.length - asked.page * asked.per_page
  const hints = []
  if (matches.length === 0) hints.push('No book on sale has all these words. Try fewer, or an author alone.')
  else if (items.length === 0) hints.push(`There are only ${Math.ceil(matches.length / asked.per_page)} pages.`)
  else if (rest > 0) hints.push(`${rest} more from page ${asked.page + 1} on.`)
  const body = {
    total: matches.length,
    items: items.map((book) => shown(shop, { ...book, price: cents(book.price * rate) }, asked.select)),
    meta: { hints, ...(asked.debug === 'true' && { debug: { words, sort: asked.sort } }) }
  }
  return { status: 200, body }
}

/** Case and accents do not count in a search. */
function folded(words) {
  return words
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
}

function cents(amount) {
  return Math.round(amount * 100) / 100
}

function createBook({ shop, body }) {
  checkBook(shop, body, ['title', 'author_id', 'price']).throwAny(422, 'The book is not valid.')
  const { title, author_id, genre, price } = body
  const id = shop.nextId('b')
  const added_at = new Date().toISOString()
  const book = { id, title, author_id, genre, price, stock: 0, on_sale: true, added_at, purchase_price: 0 }
  shop.books.set(id, book)
  return { status: 201, body: shown(shop, book), headers: { location: `/books/${id}` } }
}

function getBook({ shop, params, headers }) {
  const book = shown(shop, found(shop.books, params.id, 'book', '/books'))
  const accept = headers.accept ?? '*/*'
  const vary = { vary: 'accept' }
  if (quality(accept, 'text/markdown') <= quality(accept, 'application/json'))
    return { status: 200, body: book, headers: vary }
  const stock = book.stock > 0 ? `${book.stock} in stock` : 'ordered from the publisher'
  const lines = [
    `# ${book.title}`,
    `by ${book.author} (author ${book.author_id})${book.genre ? `, ${book.genre}` : ''}`,
    `**€ ${book.price.toFixed(2)}**, ${book.on_sale ? stock : 'not on sale'}. Book id: ${book.id}`
  ]
  return { status: 200, type: 'text/markdown', body: `${lines.join('\n\n')}\n`, headers: vary }
}

function replaceBook({ shop, params, body }) {
  const book = found(shop.books, params.id, 'book', '/books')
  const errors = checkBook(shop, body, ['title', 'author_id', 'price'])
  if (body.id !== params.id) errors.add('/id', `must be ${JSON.stringify(params.id)}, as in the path`)
  errors.throwAny(422, 'The book is not valid.')
  const { title, author_id, genre, price } = body
  Object.assign(book, { title, author_id, genre, price })
  return { status: 200, body: shown(shop, book) }
}

function updateBook({ shop, params, body }) {
  const book = found(shop.books, params.id, 'book', '/books')
  const errors = checkBook(shop, body, [])
  const changeable = ['title', 'price', 'on_sale']
  for (const name of Object.keys(body)) if (!changeable.includes(name)) errors.add(`/${name}`, 'cannot be changed')
  if (Object.keys(body).length === 0) errors.add('', `needs at least one of ${changeable.join(', ')}`)
  errors.throwAny(422, 'The change is not valid.')
  Object.assign(book, body)
  return { status: 200, body: shown(shop, book) }
}

function deleteBook({ shop, params }) {
  found(shop.books, params.id, 'book', '/books')
  shop.books.delete(params.id)
  return { status: 204 }
}

function listAuthors({ shop, query }) {
  const asked = readQuery(query, paging)
  const authors = [...shop.authors].map(([id, { name }]) => {
    const books = [...shop.books.values()].filter((book) => book.author_id === id).length
    return { id, name, books }
  })
  return { status: 200, body: pageOf(authors, asked) }
}

// --- orders

function checkChannel(headers) {
  const channel = headers['x-channel']
  if (channel === undefined || CHANNELS.includes(channel)) return channel
  throw new Refusal(400, 'The headers are not valid.', { errors: [{ where: 'X-Channel', detail: oneOf(CHANNELS) }] })
}

function listOrders({ shop, query, headers }) {
  checkChannel(headers)
  const asked = readQuery(query, { status: choice(STATUSES), ...paging })
  const orders = [...shop.orders.values()].filter((order) => !asked.status || order.status === asked.status)
  return { status: 200, body: { items: pageOf(orders, asked) } }
}

function placeOrder({ shop, headers, body }) {
  const channel = checkChannel(headers) ?? 'web'
  const { customer, lines, gift = false, message = null } = body
  const errors = new Errors()
  for (const name of Object.keys(body))
    if (!['customer', 'lines', 'gift', 'message'].includes(name)) errors.add(`/${name}`, 'is unknown')
  const { name, email } = isObject(customer) ? customer : {}
  if (typeof name !== 'string' || name === '') errors.add('/customer/name', 'is required')
  if (typeof email !== 'string' || !/^\S+@\S+$/.test(email)) errors.add('/customer/email', 'must be an e-mail address')
  if (!Array.isArray(lines) || lines.length === 0) errors.add('/lines', 'must be a list of at least one book')
  else for (const [index, line] of lines.entries()) checkLine(shop, line, `/lines/${index}`, errors)
  if (typeof gift !== 'boolean') errors.add('/gift', 'must be true or false')
  if (message !== null && (typeof message !== 'string' || message.length > 200))
    errors.add('/message', 'must be a text of at most 200 characters, or null')
  errors.throwAny(422, 'The order is not valid.')

  const wanted = new Map()
  for (const line of lines) wanted.set(line.book_id, (wanted.get(line.book_id) ?? 0) + line.quantity)
  for (const [id, quantity] of wanted) {
    const { title, stock } = shop.books.get(id)
    if (quantity > stock) errors.add(id, `${title}: ${stock} in stock, ${quantity} wanted`)
  }
  errors.throwAny(409, 'Not all books are in stock.')
  for (const [id, quantity] of wanted) shop.books.get(id).stock -= quantity

  const total = cents(lines.reduce((sum, line) => sum + shop.books.get(line.book_id).price * line.quantity, 0))
  const order = {
    id: shop.nextId('o'),
    status: 'open',
    channel,
    total,
    customer: { name, email },
    lines: lines.map(({ book_id, quantity }) => ({ book_id, quantity }))
  }
  shop.orders.set(order.id, order)
  return { status: 201, body: order, headers: { location: `/orders/${order.id}` } }
}

function checkLine(shop, line, where, errors) {
  const { book_id, quantity } = isObject(line) ? line : {}
  const book = shop.books.get(book_id)
  if (!book) errors.add(`${where}/book_id`, 'must be the id of a book; GET /books lists them')
  else if (!book.on_sale) errors.add(`${where}/book_id`, `${book.title} is not on sale`)
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 20)
    errors.add(`${where}/quantity`, 'must be a whole number from 1 to 20')
}

function cancelOrder({ shop, params, headers }) {
  checkChannel(headers)
  const order = found(shop.orders, params.order_id, 'order', '/orders')
  if (order.status === 'sent') throw new Refusal(409, `The order ${order.id} was sent and cannot be cancelled.`)
  if (order.status === 'open') {
    order.status = 'cancelled'
    for (const { book_id, quantity } of order.lines) {
      const book = shop.books.get(book_id)
      if (book) book.stock += quantity
    }
  }
  return { status: 204 }
}

// --- for people, and hello.yaml

function stockReport({ shop }) {
  const rows = [...shop.books.values()].map(({ id, stock, purchase_price: cost }) => [id, stock, cents(stock * cost)])
  const body = [['book', 'stock', 'value'], ...rows].map((row) => row.join(',')).join('\r\n')
  return { status: 200, type: 'text/csv', body: `${body}\r\n` }
}

function sayHello({ params, query }) {
  const words = { en: 'Hello', fr: 'Bonjour', de: 'Hallo' }
  const { language } = readQuery(query, { language: choice(Object.keys(words), 'en') })
  return { status: 200, body: { greeting: `${words[language]}, ${params.name}!` } }
}

function createNote({ shop, body }) {
  const errors = new Errors()
  if (typeof body.text !== 'string' || body.text.length > 500)
    errors.add('/text', 'must be a text of at most 500 characters')
  errors.throwAny(422, 'The note is not valid.')
  shop.notes.push(body.text)
  return { status: 201 }
}

// --- what stands on the shelves

function openShop() {
  const authors = new Map(
    [
      'Ursula K. Le Guin',
      'Agatha Christie',
      'Dorothy L. Sayers',
      'Wisława Szymborska',
      'Mary Beard',
      'Marc Bloch',
      'Carl Sagan',
      'Rachel Carson'
    ].map((name, index) => [`a${index + 1}`, { name }])
  )
  const books = new Map(
    [
      ['So Far So Good', 'a1', 'poetry', 14.5, 7],
      ['Finding My Elegy', 'a1', 'poetry', 16, 0],
      ['The Murder of Roger Ackroyd', 'a2', 'crime', 9.9, 12],
      ['Murder on the Orient Express', 'a2', 'crime', 9.9, 3],
      ['Gaudy Night', 'a3', 'crime', 11.5, 4],
      ['The Nine Tailors', 'a3', 'crime', 10.5, 1],
      ['View with a Grain of Sand', 'a4', 'poetry', 15, 5],
      ['SPQR', 'a5', 'history', 18.9, 9],
      ['Women & Power', 'a5', 'history', 8, 20],
      ['The Historian’s Craft', 'a6', 'history', 13.2, 2],
      ['Cosmos', 'a7', 'science', 17, 6],
      ['The Demon-Haunted World', 'a7', 'science', 16.5, 8],
      ['Silent Spring', 'a8', 'science', 12, 0]
    ].map(([title, author_id, genre, price, stock], index) => {
      const id = `b${index + 1}`
      const added_at = new Date(Date.UTC(2026, 0, index + 1)).toISOString()
      const purchase_price = cents(price * 0.6)
      return [id, { id, title, author_id, genre, price, stock, on_sale: true, added_at, purchase_price }]
    })
  )
  const customer = (name) => ({ name, email: `${name.toLowerCase()}@example.com` })
  const orders = new Map(
    [
      ['open', 'web', 29, 'Grace', [{ book_id: 'b1', quantity: 2 }]],
      ['sent', 'phone', 17, 'Alan', [{ book_id: 'b11', quantity: 1 }]],
      ['cancelled', 'agent', 8, 'Edsger', [{ book_id: 'b9', quantity: 1 }]]
    ].map(([status, channel, total, name, lines], index) => {
      const id = `o${index + 1}`
      return [id, { id, status, channel, total, customer: customer(name), lines }]
    })
  )
  const last = { b: books.size, o: orders.size }
  // Ids are never used twice, also not after a deletion.
  return { authors, books, orders, notes: [], nextId: (kind) => `${kind}${++last[kind]}` }
}

// --- run as a program

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const given = process.argv[2] ?? process.env.PORT ?? '4010'
  const server = createBookshopApi()
  server.on('error', (error) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${given} is taken; give another one.` : error.message)
    process.exitCode = 1
  })
  if (/^\d{1,5}$/.test(given) && Number(given) < 65_536) {
    server.listen(Number(given), '127.0.0.1', () => {
      console.log(`Bookshop API on http://127.0.0.1:${server.address().port}`)
    })
  } else {
    console.error(`${JSON.stringify(given)} is no port; give a number below 65536.`)
    process.exitCode = 2
  }
}
