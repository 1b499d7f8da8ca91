import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { collectWhenQuiet } from './quiet-memory.ts'

const EVERY_MS = 50
let stop = (): void => undefined
afterEach(() => stop())

/** What has lived long enough that only a full collection takes it. */
async function oldGarbage(): Promise<WeakRef<object>> {
  let kept: object[] = Array.from({ length: 200_000 }, (_, at) => ({ at, text: `row ${at}` }))
  for (let round = 0; round < 20; round++) {
    Array.from({ length: 50_000 }, (_, at) => ({ at }))
    // oxlint-disable-next-line no-await-in-loop -- a WeakRef holds its object until the loop of events goes round
    await sleep(1)
  }
  const one = new WeakRef(kept[1_000]!)
  kept = []
  return one
}

test('what a busy time has left is collected when it is over', async () => {
  stop = collectWhenQuiet({ everyMs: EVERY_MS })
  const garbage = await oldGarbage()
  await expect.poll(() => garbage.deref() === undefined, { interval: EVERY_MS }).toBe(true)
})

test('without it, it stays', async () => {
  const garbage = await oldGarbage()
  await sleep(20 * EVERY_MS)
  expect(garbage.deref()).toBeDefined()
})
