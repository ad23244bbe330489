import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseDocument, UsageError } from '@openapi-mcp/core'
import { findConfig, loadConfig, type Config, type ConfigHost } from '../index.js'
import { configSchema, documentGlobs, matchesAny, readConfig, settingsFor } from './index.js'

async function read(text: string): Promise<{ config: object; findings: string[] }> {
  const document = await parseDocument('file:///work/openapi-mcp.yaml', text)
  const { config, diagnostics } = readConfig(document)
  return { config, findings: diagnostics.map((d) => `${d.rule} ${d.path.join('/')}: ${d.message}`) }
}

describe('a configuration', () => {
  it('may be empty', async () => {
    expect(await read('# nothing yet\n')).toEqual({ config: {}, findings: [] })
  })

  it('is checked like a document: every mistake at its place, with what is meant', async () => {
    const { config, findings } = await read(`
rules:
  x-agent-no-descripton: error
  x-agent-unused-profile: false
  x-agent-unused-tag: warn
  x-agent-token-budget: { tools: 3, tool: many }
documents: [{ files: a, overlays: [x] }, { profiles: [1] }]
clients: [claud]
maxWarnings: -1
`)
    expect(config).toEqual({})
    expect(findings).toEqual([
      'config-unknown-field rules/x-agent-no-descripton: unknown field "x-agent-no-descripton" in `rules`; did you mean "x-agent-no-description"?',
      'config-invalid-value rules/x-agent-unused-profile: `x-agent-unused-profile` must be a severity (error, warning, info, hint, off), or an object with `severity` and options, not false; a rule is turned off by `off`',
      'config-invalid-value rules/x-agent-unused-tag: `x-agent-unused-tag` must be a severity (error, warning, info, hint, off), or an object with `severity` and options, not "warn"; did you mean "warning"?',
      'config-unknown-field rules/x-agent-token-budget/tools: unknown field "tools" in `x-agent-token-budget`; did you mean "tool"?',
      'config-invalid-value rules/x-agent-token-budget/tool: `tool` must be a number of tokens, not "many"',
      'config-invalid-value documents/1/profiles/0: each entry of `profiles` must be a profile name, or a list of them, not 1',
      'config-missing-field documents/1: each entry of `documents` needs the field `files`',
      'config-invalid-value clients/0: each entry of `clients` must be a client (claude, claude-strict, claude-code, openai, openai-strict, gemini, cursor, windsurf, vscode), not "claud"; did you mean "claude"?',
      'config-invalid-value maxWarnings: `maxWarnings` must be a whole number, at least 0, not -1',
      'config-invalid-value documents/0/overlays: overlays are not applied yet; write the annotations into the document'
    ])
  })

  it('names a set of profiles, or several, but not both', async () => {
    const { findings } = await read('documents: [{ files: a, profiles: [explore, [edit]] }]')
    expect(findings).toEqual([
      'config-invalid-value documents/0/profiles: `profiles` must be a list of profile names, or a list of such lists, not a mixture of both'
    ])
  })

  it('gives a document its settings: overrides in order, options kept beside severities', () => {
    const config: Config = {
      documents: ['a.yaml', { files: ['b/**'], profiles: ['explore', 'edit'] }],
      rules: { 'x-agent-description-too-long': { max: 600 }, 'x-agent-unused-tag': 'off' },
      budgets: { tools: 10 },
      clients: ['claude'],
      ruleset: '.spectral.yaml',
      overrides: [
        { files: 'b/**', rules: { 'x-agent-description-too-long': 'error' }, clients: ['cursor'] },
        { files: ['b/c.yaml'], rules: { 'x-agent-unused-tag': 'warning' }, budgets: { tools: 20 } }
      ]
    }
    expect(documentGlobs(config)).toEqual(['a.yaml', 'b/**'])
    expect(settingsFor(config, 'a.yaml')).toEqual({
      rules: {
        'x-agent-too-many-tools': { max: 10 },
        'x-agent-description-too-long': { max: 600 },
        'x-agent-unused-tag': 'off'
      },
      clients: ['claude'],
      foreignRules: true
    })
    expect(settingsFor(config, 'b/c.yaml')).toEqual({
      rules: {
        'x-agent-too-many-tools': { max: 20 },
        'x-agent-description-too-long': { max: 600, severity: 'error' },
        'x-agent-unused-tag': { severity: 'warning' }
      },
      clients: ['cursor'],
      profileSets: [['explore', 'edit']],
      foreignRules: true
    })
  })
})

it('the published schema says what the check says', async () => {
  const isValid = new Ajv({ strict: false }).compile(configSchema())
  const texts: [text: string, isRight: boolean][] = [
    ['{}', true],
    ['documents: [a.yaml, { files: [b, c], profiles: [x, y] }, { files: d, profiles: [[x], [y, z]] }]', true],
    ['documents: [{ files: a, profiles: [1] }]', false],
    ['documents: [{ files: a, overlays: [b] }]', false],
    ['budgets: { tools: 1.5 }', false],
    ['documents: [{ profiles: [x] }]', false],
    ['documents: a.yaml', false],
    ['rules: { x-agent-unused-tag: off, x-agent-token-budget: { severity: error, tool: 3 } }', true],
    ['rules: { x-agent-unused-tag: false }', false],
    ['rules: { x-agent-unused-tag: { severity: warn } }', false],
    ['rules: { x-agent-token-budget: { tool: 0 } }', false],
    ['rules: { x-agent-token-budget: { tool: 1.5 } }', false],
    ['rules: { config-unknown-field: off }', false],
    ['rules: { config-misnamed: off }', true],
    ['overrides: [{ files: a, rules: { x-agent-unused-tag: off }, clients: [cursor], budgets: { tools: 3 } }]', true],
    ['overrides: [{ files: a, rules: { x-agent-unused-tga: off } }]', false],
    ['overrides: [{ rules: {} }]', false],
    ['overrides: [{ files: a, failOn: info }]', false],
    ['budgets: { tools: -1 }', false],
    ['{ failOn: never, maxWarnings: 0, ruleset: a, baseline: b, ignoreFile: c, ignore: [d] }', true],
    ['failOn: hint', false],
    ['maxWarnings: -1', false],
    ['$schema: ./schema.json', true]
  ]
  for (const [text, isRight] of texts) {
    const document = await parseDocument('file:///work/openapi-mcp.yaml', text)
    expect([text, readConfig(document).diagnostics.length === 0, isValid(document.value)]).toEqual([
      text,
      isRight,
      isRight
    ])
  }
})

describe('a glob', () => {
  it.each([
    ['apis/**/*.yaml', 'apis/v1/shop.yaml', true],
    ['./apis/*.yaml', 'apis/shop.yaml', true],
    ['apis/', 'apis/v1/shop.yaml', true],
    ['apis', 'apis/v1/shop.yaml', true],
    ['apis', 'apis.yaml', false],
    ['**', 'a/.hidden/b.yaml', true],
    ['**', '../elsewhere/b.yaml', false],
    ['../elsewhere/**', '../elsewhere/b.yaml', true],
    ['https://api.example/**', 'https://api.example/v1/a.yaml', true],
    ['**', undefined, false]
  ])('%s matches %s: %s', (glob, file, matches) => {
    expect(matchesAny([glob], file)).toBe(matches)
  })
})

describe('finding it', () => {
  const host = (files: Record<string, string>, modules: Record<string, unknown> = {}): ConfigHost => ({
    list: (folder) =>
      Promise.resolve(
        [...Object.keys(files), ...Object.keys(modules)]
          .filter((uri) => new URL('.', uri).href === folder)
          .map((uri) => uri.split('/').at(-1)!)
      ),
    readText: (uri) => Promise.resolve(files[uri]!),
    importModule: (uri) => Promise.resolve({ default: modules[uri] })
  })
  const foundFrom = async (files: Record<string, string>, modules?: Record<string, unknown>): Promise<unknown[]> => {
    const { document, config, folder } = await findConfig('file:///work/a/b/', host(files, modules))
    return [document?.uri, config, folder]
  }

  it('goes upwards, takes the first one, and a package.json only with its key', async () => {
    expect(
      await foundFrom({
        'file:///work/a/b/package.json': '{ "name": "x" }',
        'file:///work/a/package.json': '{ "openapi-mcp": { "failOn": "warning" } }',
        'file:///work/openapi-mcp.yaml': 'failOn: info'
      })
    ).toEqual(['file:///work/a/package.json', { failOn: 'warning' }, 'file:///work/a/'])
    expect(await foundFrom({ 'file:///work/openapi-mcp.json': '{ "failOn": "info" }' })).toEqual([
      'file:///work/openapi-mcp.json',
      { failOn: 'info' },
      'file:///work/'
    ])
    expect(await foundFrom({})).toEqual([undefined, {}, 'file:///work/a/b/'])
  })

  it('tells of a name that is nearly right, and of a package.json that cannot be read', async () => {
    const found = async (files: Record<string, string>): Promise<string[]> => {
      const { diagnostics } = await findConfig('file:///work/a/b/', host(files))
      return diagnostics.map((d) => `${d.uri} ${d.severity} ${d.rule}: ${d.message}`)
    }
    expect(
      await found({
        'file:///work/a/b/openapi_mcp.yaml': '',
        'file:///work/a/b/openapi-mcp-baseline.json': '',
        'file:///work/a/.openapi-mcprc': '',
        'file:///work/openapi-mcp': ''
      })
    ).toEqual([
      'file:///work/a/b/openapi_mcp.yaml warning config-misnamed: a configuration is not called "openapi_mcp.yaml", so it is not read; did you mean "openapi-mcp.yaml"?',
      'file:///work/a/.openapi-mcprc warning config-misnamed: a configuration is not called ".openapi-mcprc", so it is not read; did you mean "openapi-mcp.yaml"?'
    ])
    const broken = '{ "openapi-mcp": { "failOn": } }'
    expect(await found({ 'file:///work/a/package.json': broken })).toEqual([
      expect.stringMatching('^file:///work/a/package.json error json-syntax: ')
    ])
    expect(await found({ 'file:///work/a/package.json': '{ "name": }' })).toEqual([])
  })

  it('runs code where that is allowed, and says so where it is not', async () => {
    const uri = 'file:///work/a/b/openapi-mcp.ts'
    expect(await foundFrom({}, { [uri]: () => ({ failOn: 'never' }) })).toEqual([
      uri,
      { failOn: 'never' },
      'file:///work/a/b/'
    ])
    const { importModule: _, ...untrusted } = host({}, { [uri]: {} })
    await expect(loadConfig(uri, untrusted)).rejects.toThrow(UsageError)
    await expect(loadConfig(uri, host({}, { [uri]: undefined }))).rejects.toThrow('has no default export')
  })

  it('takes what code gives as data: fields without a value are left out, all else that is no data is refused', async () => {
    const uri = 'file:///work/openapi-mcp.js'
    const read = async (value: unknown): Promise<unknown> => {
      const { config, diagnostics } = await loadConfig(uri, host({}, { [uri]: value }))
      return diagnostics.length > 0 ? diagnostics.map((d) => d.rule) : config
    }
    expect(await read({ baseline: undefined, failOn: 'info' })).toEqual({ failOn: 'info' })
    expect(await read(null)).toEqual({})
    expect(await read('x')).toEqual(['config-invalid-value'])
    const cycle: { rules?: object } = {}
    cycle.rules = cycle
    await expect(read(cycle)).rejects.toThrow(UsageError)
    await expect(read({ rules: () => ({}) })).rejects.toThrow('the field "rules" is a function, not data')
    await expect(read(() => undefined)).rejects.toThrow('/work/openapi-mcp.js gives no configuration')
    await expect(read(() => Promise.reject(new Error('boom')))).rejects.toThrow(
      new UsageError('/work/openapi-mcp.js cannot be run: boom')
    )
  })
})
