import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInputs } from './inputs.js'

const DOCUMENT = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n'
let cwd: string

beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'openapi-mcp-inputs-'))
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(cwd, name)), { recursive: true })
    await writeFile(path.join(cwd, name), text)
  }
  await write('apis/shop.yaml', DOCUMENT)
  await write('apis/deep/bank.json', '{ "openapi": "3.0.0" }')
  await write('apis/schemas/pet.yaml', 'type: object\n')
  await write('apis/node_modules/x/api.yaml', DOCUMENT)
  await write('apis/[odd] name.yaml', DOCUMENT)
  await write('data/numbers.json', '[1]')
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

async function found(named: string[], ignore?: string[]): Promise<{ sources: string[]; problems: string[] }> {
  const { sources, problems } = await findInputs(named, { cwd, ...(ignore && { ignore }) })
  return { sources: sources.map((source) => path.relative(cwd, source).replaceAll('\\', '/')), problems }
}

it('finds the documents of a folder by their content', async () => {
  expect(await found(['apis'])).toEqual({
    sources: ['apis/[odd] name.yaml', 'apis/deep/bank.json', 'apis/shop.yaml'],
    problems: []
  })
})

it('finds what a glob matches, each document once, in order', async () => {
  expect(await found(['apis/shop.yaml', 'apis/**/*.{yaml,json}'], ['**/deep/**'])).toEqual({
    sources: ['apis/shop.yaml', 'apis/[odd] name.yaml'],
    problems: []
  })
})

it('takes a file that is named as it is, whatever it holds and however it is called', async () => {
  const named = ['apis/schemas/pet.yaml', 'apis/[odd] name.yaml', 'missing.yaml']
  expect(await found(named)).toEqual({ sources: named, problems: [] })
})

it('takes addresses as they are', async () => {
  const { sources } = await findInputs(['https://api.example/openapi.json'], { cwd })
  expect(sources).toEqual(['https://api.example/openapi.json'])
})

it('says what names nothing', async () => {
  expect(await found(['data', 'no/*.yaml', 'apis/schemas/*.yaml'])).toEqual({
    sources: [],
    problems: [
      'there is no OpenAPI document in data',
      'no file matches no/*.yaml',
      'no file that matches apis/schemas/*.yaml is an OpenAPI document'
    ]
  })
})
