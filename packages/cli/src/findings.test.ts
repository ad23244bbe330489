import type { Diagnostic } from '@openapi-mcp/core'
import { Chalk } from 'chalk'
import { expect, it } from 'vitest'
import { placed, stylishFindings } from './findings.js'

const finding = (over: Partial<Diagnostic>): Diagnostic => ({
  rule: 'x-agent-unknown-field',
  severity: 'error',
  message: 'unknown field "nmae"; did you mean "name"?',
  uri: 'file:///home/api.yaml',
  path: ['paths', '/a', 'get', 'x-agent', 'nmae'],
  ...over
})
const range = { start: { line: 8, character: 4 }, end: { line: 8, character: 8 } }
const plain = new Chalk({ level: 0 })
const show = (diagnostics: Diagnostic[], width?: number): string =>
  stylishFindings(placed(diagnostics, { rangeOf: () => range }, '/home'), plain, width)

it('shows a finding with its place, path and what it has to do with, grouped by file', () => {
  const other = finding({
    rule: 'x-agent-duplicate-tool-name',
    severity: 'warning',
    uri: 'file:///home/sub/b.yaml',
    related: [1, 2, 3, 4, 5].map((i) => ({ uri: 'file:///home/api.yaml', path: [i], message: `number ${i}` }))
  })
  expect(show([finding({}), other, finding({ severity: 'hint', path: [] })])).toMatchInlineSnapshot(`
    "api.yaml
      api.yaml:9:5  error  x-agent-unknown-field  unknown field "nmae"; did you mean "name"?
        $.paths['/a'].get['x-agent'].nmae
      api.yaml:9:5  hint   x-agent-unknown-field  unknown field "nmae"; did you mean "name"?
        $

    sub/b.yaml
      sub/b.yaml:9:5  warning  x-agent-duplicate-tool-name  unknown field "nmae"; did you mean "name"?
        $.paths['/a'].get['x-agent'].nmae
        see api.yaml:9:5 number 1
        see api.yaml:9:5 number 2
        see api.yaml:9:5 number 3
        and 2 more"
  `)
})

it('puts messages below where the terminal is too narrow', () => {
  expect(show([finding({}), finding({ message: 'short' })], 70)).toMatchInlineSnapshot(`
    "api.yaml
      api.yaml:9:5  error  x-agent-unknown-field
        unknown field "nmae"; did you mean "name"?
        $.paths['/a'].get['x-agent'].nmae
      api.yaml:9:5  error  x-agent-unknown-field
        short
        $.paths['/a'].get['x-agent'].nmae"
  `)
})

it('lets no message act on the terminal or pass for another finding', () => {
  const [first, ...rest] = show([
    finding({ message: 'a\u001b[2J\nb.yaml:1:1  error  forged', uri: 'file:///home/%1b%5b2J.yaml', path: ['\u202e'] })
  ]).split('\n')
  expect([first, ...rest]).toMatchInlineSnapshot(`
    [
      "<U+001B>[2J.yaml",
      "  <U+001B>[2J.yaml:9:5  error  x-agent-unknown-field  a<U+001B>[2J b.yaml:1:1  error  forged",
      "    $['<U+202E>']",
    ]
  `)
})
