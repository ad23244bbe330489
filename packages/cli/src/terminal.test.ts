import { describe, expect, it } from 'vitest'
import type { Io } from './io.js'
import { painter, relativeTo, safeLine, safeText } from './terminal.js'

describe('text from a document', () => {
  it.each([
    ['\u001b[2J\u001b]0;title\u0007', '<U+001B>[2J<U+001B>]0;title<U+0007>'],
    ['a\u009b31mb\u007f', 'a<U+009B>31mb<U+007F>'],
    ['over\rwritten', 'over<U+000D>written'],
    ['abc\u202edcb\u2066', 'abc<U+202E>dcb<U+2066>'],
    ['zero\u200bwidth\u2063', 'zero<U+200B>width<U+2063>'],
    ['hidden\u{e0041}\u{e0042}', 'hidden<U+E0041><U+E0042>'],
    ['x\ufe0f\u{e0100}', 'x\ufe0f<U+E0100>'],
    ['lone \ud800 half', 'lone \ufffd half']
  ])('shows what would act or hide: %j', (text, shown) => {
    expect(safeText(text)).toBe(shown)
  })

  it('keeps lines, letters of all scripts, joined emoji and flags', () => {
    const text = 'één\r\n日本語 עברית 👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} می\u200cخواهم'
    expect(safeText(text)).toBe(text.replace('\r\n', '\n'))
    expect(safeLine(' a\n   b\t c ')).toBe('a b   c')
  })
})

describe('colours', () => {
  const level = (io: Partial<Io>, wanted?: boolean): number => painter({ env: {}, ...io } as Io, wanted).level
  it.each([
    [{ isTerminal: true }, undefined, 1],
    [{ isTerminal: false }, undefined, 0],
    [{ isTerminal: true, env: { NO_COLOR: '1' } }, undefined, 0],
    [{ isTerminal: true, env: { NO_COLOR: '' } }, undefined, 1],
    [{ isTerminal: true, env: { TERM: 'dumb' } }, undefined, 0],
    [{ isTerminal: false, env: { FORCE_COLOR: '1' } }, undefined, 1],
    [{ isTerminal: true, env: { FORCE_COLOR: '0' } }, undefined, 0],
    [{ isTerminal: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, undefined, 0],
    [{ isTerminal: true, env: { NO_COLOR: '1' } }, true, 1],
    [{ isTerminal: true }, false, 0]
  ])('%j with the option %j: level %d', (io, wanted, expected) => {
    expect(level(io, wanted)).toBe(expected)
  })
})

it('a path is relative where that is shorter', () => {
  expect(relativeTo('/home/ada/shop', '/home/ada/shop/docs/a.yaml')).toBe('docs/a.yaml')
  expect(relativeTo('/home/ada/shop', '/home/ada/other/a.yaml')).toBe('../other/a.yaml')
  expect(relativeTo('/home/ada/shop/deep/down', '/a.yaml')).toBe('/a.yaml')
  expect(relativeTo('/home/ada/shop', 'https://api.example/a.yaml')).toBe('https://api.example/a.yaml')
})
