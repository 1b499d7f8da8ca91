import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { collectWhenQuiet } from './quiet-memory.ts'

const EVERY_MS = 50
let stop = (): void => undefined
afterEach(() => stop())

/** Garbage that has lived so long that only a full collection frees it. */
async function oldGarbage(): Promise<WeakRef<object>> {
  let kept: object[] = Array.from({ length: 200_000 }, (_, at) => ({ at, text: `row ${at}` }))
  for (let round = 0; round < 20; round++) {
    Array.from({ length: 50_000 }, (_, at) => ({ at }))
    // oxlint-disable-next-line no-await-in-loop -- a WeakRef holds its object until the event loop turns
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

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
const [PIECE, PIECES] = [60_000, 3_000]

/**
 * A hundred buffers between which nearly three thousand were freed. Returns them and the process's memory in
 * bytes before the freed ones go back.
 */
async function leaveHoles(): Promise<{ kept: Buffer[]; bytes: number }> {
  const pieces: Buffer[] = []
  for (let at = 0; at < PIECES; at++) {
    pieces.push(Buffer.allocUnsafeSlow(PIECE).fill(1))
    // oxlint-disable-next-line no-await-in-loop -- stays busy for longer than one check
    if (at % 100 === 0) await sleep(1)
  }
  return { kept: pieces.filter((_, at) => at % 30 === 0), bytes: process.memoryUsage.rss() }
}

test.runIf(header.glibcVersionRuntime !== undefined)(
  'memory freed between pieces that live on goes back to the machine',
  async () => {
    stop = collectWhenQuiet({ everyMs: EVERY_MS })
    const { kept, bytes } = await leaveHoles()
    await expect
      .poll(() => bytes - process.memoryUsage.rss(), { interval: EVERY_MS })
      .toBeGreaterThan((PIECE * PIECES) / 2)
    expect(kept).toHaveLength(PIECES / 30)
  },
)

test('without it, it stays', async () => {
  const garbage = await oldGarbage()
  await sleep(20 * EVERY_MS)
  expect(garbage.deref()).toBeDefined()
})
