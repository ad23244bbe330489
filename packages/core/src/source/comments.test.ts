import { expect, it } from 'vitest'
import { commentsOf } from './comments.js'

async function comments(text: string, uri = 'file:///a.yaml'): Promise<string[]> {
  const found = await commentsOf({ text, uri })
  for (const { start, end, text: own } of found) expect(text.slice(start, end)).toBe(own)
  return found.map((c) => c.text)
}

it('finds comments wherever they may stand, and nothing that only looks like one', async () => {
  const text = [
    '# first',
    'a: 1 # behind a value',
    'b: "# quoted" # behind quotes',
    "c: '# quoted'",
    'd: a#b',
    'e: |  # behind an indicator',
    '  # text',
    '',
    'f: >-',
    '  # text',
    'g: [1, # in flow',
    '  2]',
    'h: { a: 1 } # 😀 behind flow',
    '- broken: [ # behind an error',
    '# last'
  ].join('\n')
  expect(await comments(text)).toEqual([
    '# first',
    '# behind a value',
    '# behind quotes',
    '# behind an indicator',
    '# in flow',
    '# 😀 behind flow',
    '# behind an error',
    '# last'
  ])
})

it('knows the line ends of Windows', async () => {
  expect(await comments('# a\r\nb: 1 # c\r\n')).toEqual(['# a', '# c'])
})

it('JSON has none', async () => {
  expect(await comments('{ "a": "# b" }', 'file:///a.json')).toEqual([])
})
