import { createSession, nodeHost } from '@openapi-mcp/core'
import { expect, it } from 'vitest'
import { lintDocument } from '../index.js'

async function messages(description: string): Promise<string[]> {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { operationId: 'a', 'x-agent': { description }, responses: {} } } }
  })
  const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
  const { diagnostics } = await lintDocument(session, 'file:///openapi.json')
  return diagnostics.filter(({ rule }) => rule === 'x-agent-credential').map(({ message }) => message)
}

const long = (prefix: string, length: number): string =>
  prefix + 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8'.repeat(5).slice(0, length)

it.each([
  long('ghp_', 36),
  `AKIA${'ABCDEFGH12345678'}`,
  long('sk-ant-', 40),
  long('AIza', 35),
  `eyJ${long('', 20)}.eyJ${long('', 20)}.${long('', 20)}`,
  '-----BEGIN RSA PRIVATE KEY-----',
  `Bearer ${long('', 30)}`,
  'postgres://admin:hunter22@db.internal/x'
])('finds %s, and does not repeat it', async (secret) => {
  const found = await messages(`Use ${secret} here.`)
  expect(found).toHaveLength(1)
  expect(found[0]).not.toContain(secret)
})

it.each([
  'Send your token as Bearer <token>.',
  'The key starts with sk-, such as sk-your-key-goes-here-0000.',
  'AKIAIOSFODNN7EXAMPLE is what AWS writes.',
  'Ids look like 3f2504e0-4f89-41d3-9a0c-0305e82c3301.',
  'See https://user:password@host.example for the form.',
  'Commit da39a3ee5e6b4b0d3255bfef95601890afd80709 was the last one.',
  'Ask mailto:me@shop.example at 10:30@noon.'
])('not: %s', async (text) => expect(await messages(text)).toEqual([]))
