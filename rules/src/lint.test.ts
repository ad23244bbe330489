import { createSession, nodeHost, toPointer } from '@openapi-mcp/core'
import { expect, it } from 'vitest'
import { lintDocument, type LintSettings } from './index.js'

it('profiles that agents ask for and that the document does not declare are found', async () => {
  const found = async (root: string, settings: LintSettings): Promise<string[]> => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
x-agent: ${root}
paths:
  /a: { get: { operationId: a, summary: S., x-agent: { profiles: [explore, edit] }, responses: {} } }
`
    const session = createSession(nodeHost({ readFile: () => Promise.resolve(text) }))
    const { diagnostics } = await lintDocument(session, 'file:///openapi.yaml', settings)
    return diagnostics.map((d) => `${d.severity} ${d.rule} ${toPointer(d.path)}: ${d.message}`)
  }
  const declared = '{ profiles: { explore: {}, edit: {} } }'
  expect(await found(declared, { profileSets: [['explore', 'edit']] })).toEqual([])
  const place = 'error x-agent-undeclared-profile /x-agent/profiles'
  expect(await found(declared, { profileSets: [['explore', 'edti']] })).toEqual([
    `${place}: agents ask for "edti", says the configuration, which is not declared at the root; did you mean "edit"?`
  ])
  expect(
    await found(declared, {
      profileSets: [
        ['explore', 'a'],
        ['b', 'a']
      ]
    })
  ).toEqual([`${place}: agents ask for "a", "b", says the configuration, which is not declared at the root`])
  const rules = { 'x-agent-undeclared-profile': 'off' } as const
  expect(await found(declared, { profileSets: [['edti']], rules })).toEqual([])
})
