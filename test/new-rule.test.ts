import { categories } from '@openapi-mcp/rules'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'new-rule-'))
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  cpSync(join(root, 'rules/src'), join(folder, 'rules/src'), { recursive: true })
  symlinkSync(join(root, 'rules/dist'), join(folder, 'rules/dist'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function newRule(...args: string[]): string {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/new-rule.mjs'), ...args])
  return status === 0 ? 'written' : stderr.toString().split('\n')[0]!
}

it('a new rule is one command: a file in its category, and in the registry', () => {
  expect(newRule('x-agent-brand-new', '--category', 'drift')).toBe('written')
  const file = readFileSync(join(folder, 'rules/src/rules/x-agent-brand-new.ts'), 'utf8')
  expect(file).toContain("  id: 'x-agent-brand-new',\n  category: 'drift',\n")
  expect(readFileSync(join(folder, 'rules/src/registry.ts'), 'utf8')).toContain('  xAgentBrandNew,\n')
})

it.each([
  ['There is a rule x-agent-credential already.', 'x-agent-credential', '--category', 'safety'],
  [`The category is one of ${Object.keys(categories).join(', ')}.`, 'x-agent-other'],
  [
    'A rule is named by words in lower case with hyphens between them, such as x-agent-unused-profile.',
    '../x',
    '--category',
    'drift'
  ]
])('%s', (message, ...args) => {
  expect(newRule(...args)).toBe(message)
})
