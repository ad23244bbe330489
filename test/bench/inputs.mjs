// Writes the benchmark's documents: node inputs.mjs <folder> [<existing large JSON document, .json or .json.gz>]
// A program of its own, so that the measuring process stays small. The same call writes the same bytes.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { stringify } from 'yaml'

const methods = ['get', 'put', 'post', 'delete', 'patch', 'query']

const vocabulary = `
  access account action alert allowed archive artifact asset assignee attempt author backup balance branch budget
  build calendar campaign cancelled category change channel check client closed comment commit company completed
  configuration connection consent contact content created credential currency customer dataset default delivery
  department deployment description device digest disabled discount document domain download draft email enabled
  endpoint entry environment error event expired export external feature field filter folder format gateway group
  history image import index inherited installation instance integration internal invoice issue item key label
  language latest license limit link list locale location locked login manager member merge message method metric
  migration mode module name network note notification number object operation option order organization origin owner
  package page parent partner password payment pending period permission person plan platform policy position
  preview priority private process product profile project property provider public query queue quota reaction reason
  receipt record region release remote report repository request required resource response result review role route
  rule scope search secret section segment sender server service session setting shared signature site size source
  stage state status storage subject subscription summary support table target task team template tenant ticket time
  title token total transfer trigger type update upload usage user value variable vendor version view visibility
  volume webhook window workflow workspace zone
`
  .trim()
  .split(/\s+/)

const [folder, existing] = process.argv.slice(2)
const large = existing ? annotate(read(existing)) : generate({ operations: 1200, words: 112 })

write('large.json', JSON.stringify(large, null, 2))
write('large.yaml', toYaml(large))
write('large-finding.json', JSON.stringify(withOneFinding(large), null, 2))
write('medium.yaml', toYaml(generate({ operations: 40, words: 112 })))
write('middle.yaml', toYaml(generate({ operations: 70, words: 112 })))
write('small.yaml', toYaml(generate({ operations: 2, words: 7 })))

function read(file) {
  const bytes = readFileSync(file)
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
}

function write(name, text) {
  writeFileSync(path.join(folder, name), text)
}

function toYaml(document) {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/** Opts ten operations in, spread evenly over a document that has no annotation. */
function annotate(document) {
  const candidates = operationsOf(document).filter((operation) => operation.operationId)
  for (const operation of tenOf(candidates)) operation['x-agent'] = {}
  return document
}

/** A copy with an unknown field in the last annotation, so that most of the text stands before it. */
function withOneFinding(document) {
  const copy = structuredClone(document)
  const last = operationsOf(copy).findLast((operation) => operation['x-agent'])
  last['x-agent'].nmae = 'misspelt'
  return copy
}

function operationsOf(document) {
  return Object.values(document.paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []))
}

/** Ten, spread evenly; the offset keeps a period in the list (list, create, get …) from choosing ten of a kind. */
function tenOf(list) {
  const step = Math.max(1, list.length / 10)
  const count = Math.min(10, list.length)
  return Array.from({ length: count }, (_, i) => list[Math.floor(i * step) + Math.min(i % 5, Math.floor(step) - 1)])
}

/**
 * An OpenAPI 3.1 document shaped like the large public ones: two thirds of the text are descriptions and examples,
 * operations share parameters and schemas, schemas refer to each other and in cycles.
 */
function generate({ operations, words }) {
  const random = randomNumbers(20261201)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const sentence = (length) => {
    const text = Array.from({ length: Math.ceil(length) }, () => pick(vocabulary)).join(' ')
    return text[0].toUpperCase() + text.slice(1) + '.'
  }
  const prose = (length) => {
    const sentences = []
    for (let rest = length; rest > 0; rest -= 12) sentences.push(sentence(Math.min(rest, 12)))
    return sentences.join(' ')
  }
  const markdown = (length) =>
    `${prose(length / 2)}\n\n> [!NOTE]\n> ${prose(length / 4)}\n\n- \`${pick(vocabulary)}\`: ${prose(length / 4)}\n`

  const resources = Array.from({ length: Math.max(1, Math.ceil(operations / 5)) }, (_, i) => {
    const noun = `${pick(vocabulary)}-${pick(vocabulary)}-${i}`
    return { noun, id: noun.replaceAll('-', '_'), schema: noun.replaceAll(/(^|-)(.)/g, (_, __, c) => c.toUpperCase()) }
  })
  const ref = (kind, name) => ({ $ref: `#/components/${kind}/${name}` })
  const json = (schema, example) => ({
    'application/json': example ? { schema, examples: { default: example } } : { schema }
  })

  const document = {
    openapi: '3.1.0',
    info: { title: 'Benchmark', version: '1', description: markdown(words) },
    servers: [{ url: 'https://api.example.com' }],
    'x-agent': { namePrefix: 'bench_', profiles: { explore: { title: 'Explore' }, edit: { includes: ['explore'] } } },
    tags: [],
    paths: {},
    components: {
      parameters: {
        per_page: {
          name: 'per_page',
          in: 'query',
          description: prose(words / 8),
          schema: { type: 'integer', maximum: 100, default: 30 }
        },
        page: { name: 'page', in: 'query', description: prose(words / 8), schema: { type: 'integer', default: 1 } }
      },
      schemas: {},
      examples: {}
    }
  }

  resources.forEach(({ noun, id, schema }, index) => {
    document.tags.push({ name: noun, description: prose(words / 4) })

    const scalar = () => {
      const type = pick(['string', 'string', 'string', 'integer', 'boolean', ['string', 'null']])
      return { type, ...(random() < 0.5 ? { description: prose(words / 8) } : {}), examples: [exampleOf(type, pick)] }
    }
    const fieldsOf = (count, make) =>
      Object.fromEntries(Array.from({ length: Math.ceil(count) }, (_, i) => [`${pick(vocabulary)}_${i}`, make(i)]))
    const fields = fieldsOf(words / 2.6, (i) =>
      i % 4 === 3 ? { type: 'object', properties: fieldsOf(4, scalar) } : scalar()
    )
    const valueOf = ({ properties, examples }) => {
      if (!properties) return examples[0]
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, valueOf(property)]))
    }
    document.components.schemas[schema] = {
      title: sentence(2),
      description: prose(words / 2),
      type: 'object',
      required: ['id', ...Object.keys(fields).slice(0, 4)],
      properties: {
        id: { type: 'string', description: prose(words / 8) },
        ...fields,
        // The next resource, and the last one again the first: one long cycle.
        related: ref('schemas', resources[(index + 1) % resources.length].schema)
      }
    }
    document.components.schemas[`${schema}Input`] = {
      type: 'object',
      required: Object.keys(fields).slice(0, 2),
      properties: fields
    }
    document.components.examples[id] = {
      value: { id: String(index), ...valueOf({ properties: fields }) }
    }

    const one = json(ref('schemas', schema), ref('examples', id))
    const operation = (verb, rest) => ({
      operationId: `${verb}_${id}`,
      tags: [noun],
      summary: sentence(5),
      description: markdown(words),
      externalDocs: { url: `https://docs.example.com/${noun}#${verb}` },
      ...rest
    })
    document.paths[`/${noun}`] = {
      get: operation('list', {
        parameters: [
          { name: 'q', in: 'query', description: prose(words / 4), schema: { type: 'string' } },
          {
            name: 'sort',
            in: 'query',
            description: prose(words / 4),
            schema: { type: 'string', enum: ['created', 'id'] }
          },
          ref('parameters', 'per_page'),
          ref('parameters', 'page')
        ],
        responses: {
          200: {
            description: sentence(3),
            content: json({
              type: 'object',
              properties: { total: { type: 'integer' }, items: { type: 'array', items: ref('schemas', schema) } }
            })
          }
        }
      }),
      post: operation('create', {
        requestBody: { required: true, content: json(ref('schemas', `${schema}Input`), ref('examples', id)) },
        responses: { 201: { description: sentence(3), content: one } }
      })
    }
    if (operations < 5) return
    document.paths[`/${noun}/{id}`] = {
      parameters: [
        { name: 'id', in: 'path', required: true, description: prose(words / 8), schema: { type: 'string' } }
      ],
      get: operation('get', { responses: { 200: { description: sentence(3), content: one } } }),
      patch: operation('update', {
        requestBody: { required: true, content: json(ref('schemas', `${schema}Input`)) },
        responses: { 200: { description: sentence(3), content: one } }
      }),
      delete: operation('delete', { responses: { 204: { description: sentence(3) } } })
    }
  })

  for (const operation of tenOf(operationsOf(document))) {
    if (operation.operationId.startsWith('list_')) {
      operation['x-agent'] = {
        description: sentence(10),
        params: { q: { name: 'query', description: sentence(8) }, per_page: { default: 10, maximum: 50 } },
        response: { rows: '/items', concise: ['id'], detailed: true }
      }
    } else if (operation.requestBody) operation['x-agent'] = { profiles: ['edit'], body: 'compact' }
    else operation['x-agent'] = { description: { en: sentence(10), fr: sentence(10) } }
  }
  return document
}

function exampleOf(type, pick) {
  if (type === 'integer') return 42
  if (type === 'boolean') return true
  return `${pick(vocabulary)} ${pick(vocabulary)} ${pick(vocabulary)}`
}

/** The mulberry32 generator: small, and the same on every machine. */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
}
