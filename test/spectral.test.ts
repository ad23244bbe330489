// The rules in Spectral: the same findings as those of lint. Needs the build.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSession, nodeHost, toPointer, type Severity } from '@openapi-mcp/core'
import { lintDocument, rules } from '@openapi-mcp/rules'
import SpectralCore from '@stoplight/spectral-core'
import Parsers from '@stoplight/spectral-parsers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import ruleset, { spectralName } from '../rules/dist/index.js'
import { documentOf, settingsOf } from '../rules/src/testing/examples.js'
import { root } from './support/serve.js'

const { Document, Spectral } = SpectralCore
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'openapi-mcp-spectral-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const SEVERITIES: Severity[] = ['error', 'warning', 'info', 'hint']

/** `file severity rule pointer` of every finding, sorted. */
async function inSpectral(file: string, text: string, own: object = ruleset): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(own as never)
  const parser = file.endsWith('.json') ? Parsers.Json : Parsers.Yaml
  const results = await spectral.run(new Document(text, parser as never, file))
  return results
    .filter(({ code }) => !['parser', 'invalid-ref'].includes(String(code)))
    .map(
      ({ source, severity, code, path: place }) =>
        `${path.relative(folder, source ?? '')} ${SEVERITIES[severity]} ${code} ${toPointer(place)}`
    )
    .sort()
}

async function inLint(file: string, settings: Parameters<typeof lintDocument>[2] = {}): Promise<string[]> {
  const session = createSession(nodeHost())
  const { diagnostics } = await lintDocument(session, pathToFileURL(file).href, settings)
  return diagnostics
    .filter(({ rule }) => rules.find(({ id }) => id === rule)?.foundBy === undefined)
    .map(
      ({ uri, severity, rule, path: place }) =>
        `${path.relative(folder, decodeURIComponent(new URL(uri).pathname))} ${severity} ${spectralName(rule, severity)} ${toPointer(place)}`
    )
    .sort()
}

async function written(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

describe('both hosts find the same', () => {
  // What Spectral's own parser refuses, it does not hand on as we read it.
  const READ_OTHERWISE = [
    'yaml-syntax',
    'json-syntax',
    'duplicate-key',
    'yaml-several-documents',
    'yaml-alias',
    'yaml-merge-key'
  ]
  const examples = rules
    .filter(({ id, foundBy }) => !READ_OTHERWISE.includes(id) && foundBy === undefined)
    .flatMap((rule) => [[rule.id, 'wrong', rule] as const, [rule.id, 'right', rule] as const])

  it.each(examples)('%s, %s', async (id, kind, rule) => {
    const { text, uri } = documentOf(rule.examples[kind])
    const file = await written(`${id}-${kind}${path.extname(uri)}`, text)
    const { clients, rules: options = {} } = settingsOf(rule)
    // A team changes options by giving the rule anew.
    const own = {
      extends: [[ruleset, 'all']],
      rules: Object.fromEntries(
        Object.entries(ruleset.rules).map(([name, spectralRule]) => {
          const { functionOptions } = spectralRule.then
          const setting = options[functionOptions.rule]
          if (setting === 'off') return [name, 'off']
          const changed = {
            ...functionOptions,
            ...(clients && { clients }),
            ...(typeof setting === 'object' && { options: setting })
          }
          return [name, { ...spectralRule, then: { ...spectralRule.then, functionOptions: changed } }]
        })
      )
    }
    expect(await inSpectral(file, text, own)).toEqual(await inLint(file, settingsOf(rule)))
  })

  it('in other files, reached through references', async () => {
    const main = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a~b%25/x:
    $ref: items.yaml#/~1item
  /plain:
    get:
      operationId: plain
      summary: Plain.
      x-agent: { nmae: x }
      parameters: [{ $ref: 'shared/parameters.yaml#/size' }]
      responses: { '200': { $ref: 'shared/parameters.yaml#/ok' } }
`
    await written(
      'many/items.yaml',
      `/item:
  get:
    operationId: item
    summary: Item.
    x-agent: { tilte: y }
    parameters: [{ $ref: 'shared/parameters.yaml#/size' }]
    responses: { '200': { description: ok } }
`
    )
    await written(
      'many/shared/parameters.yaml',
      `size: { name: size, in: query, schema: { type: integer }, x-agent: { maximun: 3 } }
ok:
  description: ok
  content: { application/json: { schema: { type: object, properties: { a: { type: string, x-agent: { exlude: true } } } } } }
`
    )
    const file = await written('many/openapi.yaml', main)
    const expected = await inLint(file)
    expect(expected.map((line) => line.split(' ')[0])).toEqual([
      'many/items.yaml',
      'many/openapi.yaml',
      'many/shared/parameters.yaml',
      'many/shared/parameters.yaml'
    ])
    expect(await inSpectral(file, main)).toEqual(expected)
  })
})

it('a document is analysed once for all rules, given as an object, too', async () => {
  const spectral = new Spectral()
  spectral.setRuleset(ruleset as never)
  const results = await spectral.run({
    openapi: '3.1.0',
    info: {},
    paths: { '/a': { get: { 'x-agent': { nmae: 1 } } } }
  })
  expect(results.map(({ code }) => code).sort()).toEqual(
    expect.arrayContaining(['x-agent-missing-operation-id', 'x-agent-unknown-field'])
  )
})

describe("Spectral's command line", () => {
  const run = (ruleset: string, file: string): Promise<{ code: number; stdout: string }> =>
    new Promise((resolve) => {
      const spectral = path.join(root, 'node_modules/@stoplight/spectral-cli/dist/index.js')
      const argv = [spectral, 'lint', file, '-r', ruleset, '-f', 'json', '--quiet']
      const env = { ...process.env, SCARF_ANALYTICS: 'false' }
      execFile(process.execPath, argv, { cwd: folder, env }, (error, stdout) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout })
      )
    })

  it.each([
    ['.spectral.yaml', 'extends: ["@openapi-mcp/rules"]\n', ['x-agent-unknown-field 0', 'x-agent-no-description 1']],
    [
      'severities.yaml',
      'extends: [["@openapi-mcp/rules", all]]\nrules: { x-agent-no-description: off, x-agent-unknown-field: warn }\n',
      ['x-agent-unknown-field 1']
    ],
    [
      'beside.yaml',
      'extends: ["spectral:oas", "@openapi-mcp/rules"]\n',
      ['x-agent-unknown-field 0', 'x-agent-no-description 1']
    ],
    [
      'module.mjs',
      'import own from "@openapi-mcp/rules"\nexport default { extends: [own] }\n',
      ['x-agent-unknown-field 0']
    ],
    ['common.js', 'module.exports = { extends: [require("@openapi-mcp/rules")] }\n', ['x-agent-unknown-field 0']]
  ])('takes %s', async (name, text, expected) => {
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules')).catch(() => {})
    const file = await written(
      'cli.yaml',
      `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { operationId: a, x-agent: { nmae: x }, responses: { '200': { description: ok } } } } }
`
    )
    const { stdout } = await run(await written(name, text), file)
    const found = (JSON.parse(stdout) as { code: string; severity: number }[]).map((r) => `${r.code} ${r.severity}`)
    expect(found).toEqual(expect.arrayContaining(expected))
    if (name === 'severities.yaml') expect(found.filter((line) => line.startsWith('x-agent'))).toEqual(expected)
  })
})
