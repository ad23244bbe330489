import { expect, it } from 'vitest'
import { tokenCounter } from './tokens.js'

it('counts any text, quickly', async () => {
  const count = await tokenCounter()
  expect(count('')).toBe(0)
  expect(count('hello world')).toBe(2)
  // A special token of a model is ordinary text.
  expect(count('a <|endoftext|> b')).toBeGreaterThan(3)
  const started = performance.now()
  for (const part of ['a', ' ', '=', '日', '{"a":']) expect(count(part.repeat(200_000))).toBeGreaterThan(100)
  expect(performance.now() - started).toBeLessThan(10_000)
})
