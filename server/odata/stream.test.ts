import { expect, test } from 'vitest'
import { streamRows, type Writer } from './stream.ts'

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
