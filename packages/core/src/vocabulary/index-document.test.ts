import { describe, expect, it } from 'vitest'
import { DocumentError, toJsonPath } from '../diagnostics.js'
import { createSession } from '../session.js'
import type { Host } from '../source/host.js'
import { readIndex, type ServiceIndex } from './index-document.js'

const host: Host = { readFile: () => Promise.reject(new Error('there is none')) }

async function read(text: string, uri = 'file:///api/index.yaml', allowRemoteRefs = false): Promise<ServiceIndex> {
  const session = createSession(host, { allowRemoteRefs })
  session.setBuffer(uri, text, 1)
  return readIndex(await session.open(uri), session.workspace)
}

async function refusal(...given: Parameters<typeof read>): Promise<string[]> {
  try {
    await read(...given)
    return []
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return error.diagnostics.map((d) => `${toJsonPath(d.path)}: ${d.message}`)
  }
}

const services = 'services: [{ id: shop, openapi: a.yaml }]'

describe('an index document', () => {
  it('gives absolute addresses, profiles and skills', async () => {
    const index = await read(`version: 1
services: [{ id: shop, openapi: a.yaml }, { id: stock, openapi: 'https://stock.example/openapi.json' }]
profiles: { explore: {}, edit: { includes: [explore] } }
skills: [{ name: start, description: { en: Start., fr: Commencer. }, href: start.md, profiles: [edit] }]
`)
    expect(index.services).toEqual([
      { id: 'shop', openapi: 'file:///api/a.yaml' },
      { id: 'stock', openapi: 'https://stock.example/openapi.json' }
    ])
    expect([...index.profiles.expand(['edit'])]).toEqual(['edit', 'explore'])
    expect(index.skills.map((s) => s.name)).toEqual(['start'])
    expect(index.diagnostics).toEqual([])
  })

  it('is refused with everything that is wrong in it', async () => {
    const text = `version: 2
services: [{ id: A, opnapi: x }, { id: b, openapi: 'ftp://x.example/a' }, { id: b, openapi: '' }]
profiles: { a: { includes: [b] }, b: { includes: [a, nobody] } }
skills:
  - { name: Bad Name, description: 5, profiles: x }
  - { name: one, description: One., body: 7, profiles: [nobody] }
  - { name: one, description: "${'x'.repeat(1025)}", body: Text., href: a.md }
skils: []
`
    expect(await refusal(text)).toEqual([
      '$.version: `version` must be 1, not 2',
      '$.services[0].id: `id` must be lower-case letters, digits and hyphens (^[a-z0-9-]+$), such as "shop"; it is "A"',
      '$.services[0].opnapi: unknown field "opnapi" in each entry of `services`; did you mean "openapi"?',
      '$.services[0]: each entry of `services` needs the field `openapi`',
      '$.skills[0].name: `name` must be lower-case words joined by single hyphens, at most 64 characters (^[a-z0-9]+(-[a-z0-9]+)*$), such as "getting-started"; it is "Bad Name"',
      '$.skills[0].description: `description` must be text, or a map from locales to texts such as { en: …, fr: … }, not 5',
      '$.skills[0].profiles: `profiles` must be a list of profile names, not "x"',
      '$.skills[1].body: `body` must be text, or a map from locales to texts such as { en: …, fr: … }, not 7',
      '$.skils: unknown field "skils" in the index; did you mean "skills"?',
      '$.skills[2]: a skill has `body` or `href`, not both',
      '$.skills[2].description: a skill with `body` or `href` has a `description` of at most 1024 characters; this one has 1025',
      '$.skills[2].name: the skill name "one" is given twice',
      '$.profiles.b.includes: the profile "nobody" is not declared at the root; the document declares a, b',
      '$.profiles.a.includes: profiles include each other: a → b → a',
      '$.skills[1].profiles: the profile "nobody" is not declared at the root; the document declares a, b',
      '$.services[1].openapi: `openapi` must be an http, https or file address',
      '$.services[2].id: the id "b" is given twice',
      '$.services[2].openapi: `openapi` must be an address'
    ])
  })

  it.each([
    'version: 1\nservices: []\n',
    'version: 1\nservices: x\n',
    'version: 1\n',
    `version: 1\n${services}\nskills: {}\n`
  ])('is refused: %j', async (text) => expect(await refusal(text)).toHaveLength(1))

  it('from the web leads to its own origin, and further only where that is allowed', async () => {
    const uri = 'https://index.example/index.yaml'
    const text = `version: 1
services:
  - { id: own, openapi: shop/openapi.yaml }
  - { id: other, openapi: 'https://other.example/openapi.yaml' }
  - { id: local, openapi: 'file:///etc/openapi.yaml' }
`
    expect(await refusal(text, uri)).toEqual([
      '$.services[1].openapi: `openapi` is not read: it leads to another origin (--allow-remote-refs allows that)',
      '$.services[2].openapi: `openapi` is not read: a document from the web may not read local files'
    ])
    expect(await refusal(text, uri, true)).toEqual([
      '$.services[2].openapi: `openapi` is not read: a document from the web may not read local files'
    ])
  })
})
