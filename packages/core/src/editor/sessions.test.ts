import { describe, expect, it } from 'vitest'
import { Sessions } from './sessions.js'

async function put(sessions: Sessions<string>, key: string): Promise<string | undefined> {
  return sessions.use(key, (slot) => {
    const before = slot.value
    slot.value ??= key
    return Promise.resolve(before)
  })
}

describe('sessions', () => {
  it('are bounded: the one that was used least recently goes', async () => {
    const sessions = new Sessions<string>({ limit: 2 })
    for (const key of ['a', 'b', 'a', 'c']) await put(sessions, key)
    expect(sessions.size).toBe(2)
    expect([await put(sessions, 'a'), await put(sessions, 'b')]).toEqual(['a', undefined])
  })

  it('expire after their last use', async () => {
    let now = 0
    const sessions = new Sessions<string>({ lifetime: 10, now: () => now })
    await put(sessions, 'a')
    now = 9
    expect(await put(sessions, 'a')).toBe('a')
    now = 20
    expect(await put(sessions, 'a')).toBeUndefined()
  })

  it('take calls of one key one after the other, whatever becomes of them', async () => {
    const sessions = new Sessions<number>()
    const add = (): Promise<void> =>
      sessions.use('a', async (slot) => {
        const before = slot.value ?? 0
        await new Promise((resolve) => setTimeout(resolve, 1))
        slot.value = before + 1
        if (before === 1) throw new Error('second')
      })
    const results = await Promise.allSettled([add(), add(), add()])
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await sessions.use('a', (slot) => Promise.resolve(slot.value))).toBe(3)
  })

  it('keep nothing of a call that leaves nothing', async () => {
    const sessions = new Sessions<string>()
    await sessions.use('a', () => Promise.resolve())
    expect(sessions.size).toBe(0)
  })
})
