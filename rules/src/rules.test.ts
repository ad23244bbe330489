import { createSession, nodeHost } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import { lintDocument, rules, type LintSettings, type Rule } from './index.js'

/** An example as a document: itself, or the operation of a document that is otherwise free of findings. */
function documentOf(example: string): string {
  if (example.startsWith('openapi:')) return example
  const lines = example.split('\n').map((line) => `      ${line}`)
  return `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {} } }
paths:
  /items:
    get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
${example.includes('summary:') ? '' : '      summary: Read one item.\n'}${lines.join('\n')}
`
}

async function findingsOf(example: string, settings: LintSettings): Promise<string[]> {
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(documentOf(example)) }))
  const { diagnostics } = await lintDocument(session, 'file:///openapi.yaml', settings)
  return diagnostics.map((d) => `${d.severity} ${d.rule}`)
}

/** The settings of an example, as a user would write them. */
function settingsOf({ id, examples: { settings = {} } }: Rule): LintSettings {
  const { clients, options, off = [] } = settings
  return {
    ...(clients && { clients }),
    rules: {
      ...Object.fromEntries(off.map((rule) => [rule, 'off' as const])),
      ...(options && { [id]: { ...options } })
    }
  }
}

describe.each(rules)('$id', (rule) => {
  const { id, severity, examples, summary, why } = rule

  it('finds what is wrong, and nothing else', async () => {
    expect(await findingsOf(examples.wrong, settingsOf(rule))).toEqual([`${severity} ${id}`])
  })

  it('finds nothing where all is right', async () => {
    expect(await findingsOf(examples.right, settingsOf(rule))).toEqual([])
  })

  it('says what holds and why, in sentences', () => {
    expect(summary).toMatch(/\.$/)
    expect(why).toMatch(/\.$/)
  })
})

it('the rules are in the order of their ids, each once', () => {
  const ids = rules.map((r) => r.id)
  expect(ids).toEqual([...new Set(ids)].sort())
})
