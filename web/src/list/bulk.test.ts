import { expect, test } from 'vitest'
import { runBulk } from './bulk.ts'
import { choosable, MOST_TICKED } from './BulkBar.tsx'

const never = new AbortController().signal
const ignore = () => undefined

test('what fails is answered with its fault, in the order of the rows, and stops nothing', async () => {
  const fault = new Error('gesperrt')
  const result = await runBulk(
    [1, 2, 3, 4, 5, 6],
    async (row) => {
      if (row % 2 === 0) throw fault
    },
    never,
    ignore,
  )
  expect(result).toEqual({ done: [1, 3, 5], failures: [2, 4, 6].map((row) => ({ row, error: fault })) })
})

test('never more than four at a time', async () => {
  let running = 0
  let most = 0
  await runBulk(
    Array.from({ length: 20 }, (_, nr) => nr),
    async () => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
    },
    never,
    ignore,
  )
  expect(most).toBe(4)
})

test('stopped, the rest stays undone and is no failure', async () => {
  const stop = new AbortController()
  const steps: number[] = []
  const result = await runBulk(
    Array.from({ length: 20 }, (_, nr) => nr),
    async (row) => {
      if (row === 3) stop.abort()
    },
    stop.signal,
    (done) => steps.push(done),
  )
  expect(result.failures).toEqual([])
  expect(result.done.length).toBeLessThan(20)
  expect(steps.at(-1)).toBe(result.done.length)
})

test.each([
  [3, false, 1, 3],
  [3, false, 3, null],
  [null, false, 1, null],
  [12_000, false, 1, MOST_TICKED],
  [null, true, 1, MOST_TICKED],
  [null, true, MOST_TICKED, null],
] as const)(
  'of %s rows (more than the server counts: %s) with %s chosen, %s can be chosen',
  (total, isBeyond, n, most) => expect(choosable({ total, isBeyond }, n)).toBe(most),
)
