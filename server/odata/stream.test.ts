import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createWorkQueue, sharesOf } from '../work-queue.ts'
import { inQueue, streamRows, type Writer } from './stream.ts'

const WRITER: Writer = { head: '', line: ({ id }) => `${JSON.stringify(id)} `, foot: '' }

/** Three pages, then what `last` gives. */
function pages(last: () => { id: number }[]) {
  let nr = 0
  const asked: number[] = []
  const read = async (_: unknown, limit: number) => {
    asked.push(limit)
    if (++nr > 3) return { rows: last(), total: null }
    return {
      rows: Array.from({ length: limit }, (_row, i) => ({ id: nr * 100 + i })),
      total: nr === 1 ? 40 : null,
    }
  }
  return { streamed: { read, top: null, maxRows: 10 }, asked }
}

test('what fails later ends the answer with a failure, so that nobody takes a part for the whole', async () => {
  const { streamed } = pages(() => {
    throw new Error('gone')
  })
  const stream = await streamRows(streamed, WRITER)
  const read = async () => {
    for await (const _ of stream);
  }
  await expect(read()).rejects.toThrow('gone')
})

test('nothing is read ahead of who takes it', async () => {
  const { streamed, asked } = pages(() => [])
  const stream = await streamRows(streamed, WRITER)
  expect(asked).toEqual([10])
  let text = ''
  for await (const part of stream) text += String(part)
  expect(text.split(' ')).toHaveLength(31)
  expect(asked).toEqual([10, 10, 10, 10])
})

test('a file has a place in the queue of long work until it is closed, whoever closes it', async () => {
  const work = createWorkQueue(sharesOf(2, 1))
  const begin = (person: string) =>
    inQueue(work, { person }, () => streamRows(pages(() => []).streamed, WRITER))
  const isRunning = async (turn: Promise<Readable>) =>
    (await Promise.race([turn, new Promise((resolve) => setTimeout(() => resolve(null), 50))])) !== null
  const first = await begin('a')
  const own = begin('a')
  const others = begin('b')
  // One of each person, whatever else is long.
  expect([await isRunning(own), await isRunning(others)]).toEqual([false, true])
  const machine = begin('c')
  expect(await isRunning(machine)).toBe(false)
  await first.toArray()
  expect(await isRunning(machine)).toBe(true)
  ;(await others).destroy()
  expect(await isRunning(own)).toBe(true)
  for (const turn of [own, machine]) (await turn).destroy()
  await expect(inQueue(work, { person: 'd' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await (await begin('d')).toArray()
  const waiting = [await begin('e'), ...[1, 2, 3, 4].map(() => begin('e'))]
  await expect(begin('e')).rejects.toMatchObject({ code: 'too_many_requests' })
  for (const turn of waiting) (await turn).destroy()
})
