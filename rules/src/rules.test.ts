import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSession, DocumentError, nodeHost, type Session } from '@openapi-mcp/core'
import { describe, expect, it } from 'vitest'
import { findConfig, isRefused, lintDocument, rules, type LintSettings, type Rule } from './index.js'
import { documentOf, settingsOf } from './testing/examples.js'

function sessionOf(example: string): { session: Session; uri: string } {
  const { uri, text } = documentOf(example)
  return { uri, session: createSession(nodeHost({ readFile: () => Promise.resolve(text) })) }
}

/** The findings about an example that is a configuration; a comment in its first line names the file. */
async function configurationFindings(example: string): Promise<string[]> {
  const name = /^# (.*)/.exec(example)![1]!
  const { diagnostics } = await findConfig('file:///api/', {
    list: (folder) => Promise.resolve(folder === 'file:///api/' ? [name] : []),
    readText: () => Promise.resolve(example)
  })
  return diagnostics.map((d) => `${d.severity} ${d.rule}`)
}

async function findingsOf(example: string, settings: LintSettings, { foundBy }: Rule): Promise<string[]> {
  if (foundBy === 'configuration') return configurationFindings(example)
  const { session, uri } = sessionOf(example)
  const { diagnostics } = await lintDocument(session, uri, settings)
  return diagnostics.map((d) => `${d.severity} ${d.rule}`)
}

describe.each(rules)('$id', (rule) => {
  const { id, severity, examples, summary, why } = rule

  it('finds what is wrong, and nothing else', async () => {
    expect(await findingsOf(examples.wrong, settingsOf(rule), rule)).toEqual([`${severity} ${id}`])
  })

  it('finds nothing where all is right', async () => {
    expect(await findingsOf(examples.right, settingsOf(rule), rule)).toEqual([])
  })

  // A configuration is nothing that `load` reads.
  if (rule.foundBy !== 'configuration')
    it('load refuses what the core finds as an error, and nothing else', async () => {
      const { session, uri } = sessionOf(examples.wrong)
      const loaded = session.toolSet(uri).catch((error: unknown) => error)
      expect((await loaded) instanceof DocumentError).toBe(isRefused(rule))
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

/** The ids that the source text of the core gives to findings. */
function coreRuleIds(): string[] {
  const root = fileURLToPath(new URL('../../packages/core/src', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/'((?:x-agent|openapi|yaml|json)-[a-z-]+)'/g),
    ...text.matchAll(/\brule: '([a-z-]+)'/g),
    ...text.matchAll(/\breport\(\s*'([a-z-]+)'/g)
  ])
  return [...new Set(found.map(([, id]) => id!))].sort()
}

it('what the core finds has a rule, and rules without a check are found by the core', () => {
  expect(rules.filter((rule) => !rule.check && !rule.measure && !rule.foundBy).map((rule) => rule.id)).toEqual(
    coreRuleIds()
  )
})
