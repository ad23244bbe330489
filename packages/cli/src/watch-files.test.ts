import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { watchFiles, type WatchedFiles } from './watch-files.js'

let watched: WatchedFiles | undefined
afterEach(() => watched?.close())

function start(): { told: () => number; step: (what: () => void) => Promise<void>; folder: string } {
  let times = 0
  const folder = mkdtempSync(join(tmpdir(), 'openapi-mcp-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  watched = watchFiles(() => times++)
  const step = async (what: () => void): Promise<void> => {
    const before = times
    what()
    for (let i = 0; i < 400 && times === before; i++) await sleep(25)
    expect(times).toBeGreaterThan(before)
    // Let what belongs to the same step end.
    await sleep(200)
  }
  return { told: () => times, step, folder }
}

it('tells of saves of every kind: written, replaced, deleted and written anew', async () => {
  const { step, folder } = start()
  const file = join(folder, 'a.yaml')
  writeFileSync(file, '1')
  await watched!.set([file], Date.now() + 1000)
  await step(() => writeFileSync(file, '12'))
  for (const text of ['123', '1234']) {
    await step(() => {
      writeFileSync(`${file}.tmp`, text)
      renameSync(`${file}.tmp`, file)
    })
  }
  for (const text of ['12345', '123456']) {
    await step(() => rmSync(file))
    await step(() => writeFileSync(file, text))
    await step(() => writeFileSync(file, `${text}!`))
  }
})

it('waits for a file whose folder does not exist yet, and not for its neighbours', async () => {
  const { step, told, folder } = start()
  const file = join(folder, 'schemas', 'deep', 'b.yaml')
  await watched!.set([file], Date.now() + 1000)
  writeFileSync(join(folder, 'other.yaml'), '1')
  await sleep(300)
  expect(told()).toBe(0)
  await step(() => {
    mkdirSync(join(folder, 'schemas', 'deep'), { recursive: true })
    writeFileSync(file, '1')
  })
  await step(() => writeFileSync(file, '12'))
})

it('tells once of what changed before it looked', async () => {
  const { step, told, folder } = start()
  const file = join(folder, 'a.yaml')
  const time = Date.now() - 1000
  writeFileSync(file, '1')
  await step(() => void watched!.set([file], time))
  await watched!.set([file], time)
  await sleep(300)
  expect(told()).toBe(1)
})
