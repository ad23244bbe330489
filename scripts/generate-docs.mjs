// Writes docs/vocabulary.md and docs/schemas/ from the definitions of the vocabulary, and docs/rules/ from the rules. `--check`
// only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { definitions, placeOf, vocabularySchema } from '../packages/core/dist/node/index.js'
import { configSchema, configurationPage } from './configuration-page.mjs'
import { rulePages } from './rule-pages.mjs'

const root = new URL('../', import.meta.url)
const prettierOptions = JSON.parse(readFileSync(new URL('.prettierrc.json', root), 'utf8'))
const scopes = Object.keys(definitions)

const files = new Map()
const pages = new Map([
  ['docs/vocabulary.md', vocabularyPage()],
  ['docs/configuration.md', configurationPage()],
  ...rulePages()
])
for (const [name, text] of pages) files.set(name, await format(text, { ...prettierOptions, parser: 'markdown' }))
for (const scope of scopes) {
  const text = JSON.stringify(vocabularySchema(scope))
  files.set(`docs/schemas/x-agent-${scope}.schema.json`, await format(text, { ...prettierOptions, parser: 'json' }))
}

files.set(
  'docs/schemas/openapi-mcp-config.schema.json',
  await format(JSON.stringify(configSchema()), { ...prettierOptions, parser: 'json' })
)

const isCheck = process.argv.includes('--check')
const stale = []
for (const folder of ['docs/schemas/', 'docs/rules/']) {
  const url = new URL(folder, root)
  mkdirSync(url, { recursive: true })
  for (const name of readdirSync(url)) {
    if (files.has(folder + name)) continue
    stale.push(folder + name)
    if (!isCheck) rmSync(new URL(name, url))
  }
}
for (const [name, text] of files) {
  const url = new URL(name, root)
  if (read(url) === text) continue
  stale.push(name)
  if (!isCheck) writeFileSync(url, text)
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run docs\`.`)
  process.exitCode = 1
}

function read(url) {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return undefined
  }
}

function vocabularyPage() {
  const parts = [
    '# The `x-agent` vocabulary, field by field',
    'Generated from `packages/core/src/vocabulary/definitions.ts` by `npm run docs`. The JSON Schema of each scope is in [schemas](./schemas).',
    'Texts for agents are localized: plain text, or a map from locales to texts such as `{ en: …, fr: … }`. The requested locale is taken, else the first one.'
  ]
  for (const scope of scopes) {
    const place = placeOf(scope)
    parts.push(`## \`x-agent\` at ${place}`, ...tables(definitions[scope], ''))
    if (scope === 'operation') {
      parts.push(
        'Several tools of one operation are written as a list of such objects (views), each with a `name` of its own.'
      )
    }
  }
  return parts.join('\n\n')
}

/** The table of an object, and those of the objects in it. */
function tables(schema, prefix) {
  const rows = ['| Field | Value | Meaning |', '| --- | --- | --- |']
  const inner = []
  for (const [name, field] of Object.entries(schema.properties)) {
    const required = schema.required?.includes(name) ? ' (required)' : ''
    const pattern = field.pattern ? ` matching \`${field.pattern.replaceAll('|', '\\|')}\`` : ''
    rows.push(
      `| \`${prefix}${name}\`${required} | ${field.expects ?? 'any value'}${pattern} | ${field.description ?? ''} |`
    )
    for (const [suffix, object] of objectsIn(field)) inner.push(...tables(object, `${prefix}${name}${suffix}.`))
  }
  return [rows.join('\n'), ...inner]
}

function objectsIn(field) {
  if (field.type === 'object' && field.properties) return [['', field]]
  if (field.type === 'object' && field.patternProperties)
    return objectsIn(Object.values(field.patternProperties)[0]).map(([s, o]) => [`.*${s}`, o])
  if (field.type === 'array') return objectsIn(field.items).map(([s, o]) => [`[]${s}`, o])
  if (field.anyOf) return field.anyOf.flatMap(objectsIn)
  return []
}
