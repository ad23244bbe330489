import { createSession, nodeHost } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import { checkRules, rules } from './index.js'

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

async function findingsOf(example: string): Promise<string[]> {
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(documentOf(example)) }))
  const { diagnostics } = await session.lint('file:///openapi.yaml', checkRules)
  return diagnostics.map((d) => `${d.severity} ${d.rule}`)
}

describe.each(rules)('$id', ({ id, severity, examples, summary, why }) => {
  it('finds what is wrong, and nothing else', async () => {
    expect(await findingsOf(examples.wrong)).toEqual([`${severity} ${id}`])
  })

  it('finds nothing where all is right', async () => {
    expect(await findingsOf(examples.right)).toEqual([])
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
