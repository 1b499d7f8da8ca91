// Files that are made while they are sent hold a place in the queue of long work only for who reads them.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { streamInTurn } from './stream-in-turn.ts'
import { createWorkQueue, sharesOf, type WorkQueue } from './work-queue.ts'

const STALL_MS = 60
/** More than a stream keeps for who does not read. */
const PART = Buffer.alloc(200_000, 'x')

async function* parts(count: number, made: number[] = []): AsyncGenerator<Buffer> {
  for (let nr = 0; nr < count; nr++) {
    made.push(nr)
    yield PART
  }
}
const begin = (work: WorkQueue, person: string, count = 3) =>
  streamInTurn(work, { person }, () => Promise.resolve(parts(count)), STALL_MS)
/** Keeps its place until it is closed. */
const keep = (work: WorkQueue, person: string) =>
  streamInTurn(work, { person }, () => Promise.resolve(parts(1)), 60_000)
const isRunning = async (turn: Promise<Readable>, ms = 30): Promise<boolean> =>
  (await Promise.race([turn, sleep(ms, null)])) !== null
const lengthOf = async (stream: Readable): Promise<number> => (await stream.toArray()).join('').length

test('a file has a place until it is closed, whoever closes it', async () => {
  const work = createWorkQueue(sharesOf(2, 1))
  const first = await keep(work, 'a')
  const own = keep(work, 'a')
  const others = keep(work, 'b')
  // One of each person, whatever else is long.
  expect([await isRunning(own), await isRunning(others)]).toEqual([false, true])
  const machine = keep(work, 'c')
  expect(await isRunning(machine)).toBe(false)
  expect(await lengthOf(first)).toBe(PART.length)
  expect(await isRunning(machine)).toBe(true)
  ;(await others).destroy()
  expect(await isRunning(own)).toBe(true)
  for (const turn of [own, machine]) (await turn).destroy()
  await expect(streamInTurn(work, { person: 'd' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )
  expect(await lengthOf(await keep(work, 'd'))).toBe(PART.length)
  const waiting = [await keep(work, 'e'), ...[1, 2, 3, 4].map(() => keep(work, 'e'))]
  await expect(keep(work, 'e')).rejects.toMatchObject({ code: 'too_many_requests' })
  for (const turn of waiting) (await turn).destroy()
})

test('who does not read holds nobody up, and gets the rest when it is read', async () => {
  const work = createWorkQueue(sharesOf(1, 1))
  const slow = await begin(work, 'slow')
  await once(slow, 'readable')
  const other = begin(work, 'other')
  expect(await isRunning(other, 10 * STALL_MS)).toBe(true)
  const rest = lengthOf(slow)
  // Its next part is made when its turn comes again.
  expect(await Promise.race([rest, sleep(2 * STALL_MS, 'waits')])).toBe('waits')
  expect(await lengthOf(await other)).toBe(3 * PART.length)
  expect(await rest).toBe(3 * PART.length)
})

test('a file that is made and not read to its end holds nobody up either', async () => {
  const work = createWorkQueue(sharesOf(1, 1))
  const left = await begin(work, 'left', 1)
  await once(left, 'readable')
  expect(await isRunning(begin(work, 'other'), 10 * STALL_MS)).toBe(true)
  left.destroy()
})

test('who leaves while waiting for the turn again gives up the place', async () => {
  const work = createWorkQueue(sharesOf(1, 1))
  const made: number[] = []
  const gone = new AbortController()
  const order = { person: 'slow', signal: gone.signal }
  const slow = await streamInTurn(work, order, () => Promise.resolve(parts(3, made)), STALL_MS)
  slow.on('error', () => undefined)
  await once(slow, 'readable')
  const other = await keep(work, 'other')
  slow.resume()
  await sleep(20)
  gone.abort(new Error('gone'))
  slow.destroy()
  expect(await lengthOf(other)).toBe(PART.length)
  expect(await lengthOf(await begin(work, 'third', 1))).toBe(PART.length)
  expect(made).toEqual([0])
})
