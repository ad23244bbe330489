import { createSession, nodeHost } from '@openapi-mcp/core'
import { expect, it } from 'vitest'
import { lintDocument } from '../index.js'

async function isFound(description: string): Promise<boolean> {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { operationId: 'a', 'x-agent': { description }, responses: {} } } }
  })
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
  const { diagnostics } = await lintDocument(session, 'file:///openapi.json')
  return diagnostics.some(({ rule }) => rule === 'x-agent-invisible-characters')
}

it.each([
  ['a zero width space', 'a\u200bb'],
  ['an override of direction', 'a\u202eb'],
  ['isolates', '\u2066a\u2069'],
  ['tags that spell a text', `a${String.fromCodePoint(0xe0041, 0xe0042)}`],
  ['a joiner between letters', 'a\u200db'],
  ['a byte order mark', 'a\ufeffb'],
  ['an escape', 'a\u001b[31mb'],
  ['a run of variation selectors', 'a\ufe00\ufe01\ufe02'],
  ['a mark of direction in text that has none', 'a\u200fb']
])('%s is found', async (_, text) => expect(await isFound(text)).toBe(true))

it.each([
  ['emoji with joiners and selectors', '👩‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈 👍🏽'],
  ['a flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['Persian with its joiner', 'می‌خواهم'],
  ['Hindi with its joiner', 'क्‍ष'],
  ['Hebrew with a mark', 'שלום\u200f (a)'],
  ['a selector behind a Han character', `葛${String.fromCodePoint(0xe0100)}`],
  ['line breaks and tabs', 'a\tb\r\nc'],
  ['no-break spaces', 'a\u00a0b\u202fc']
])('%s is not', async (_, text) => expect(await isFound(text)).toBe(false))
