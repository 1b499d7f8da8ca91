import { once } from 'node:events'
import { expect, test } from 'vitest'
import { streamRows, Streams, type Writer } from './stream.ts'

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

test('four files at once, whoever ends them', async () => {
  const streams = new Streams()
  const begin = (person: string) => streams.begin(person, () => streamRows(pages(() => []).streamed, WRITER))
  const open = [await begin('a'), await begin('a'), await begin('a'), await begin('a')]
  await expect(begin('a')).rejects.toMatchObject({ code: 'too_many_requests' })
  await (await begin('b')).toArray()
  await open[0]!.toArray()
  open[1]!.destroy()
  await once(open[1]!, 'close')
  await begin('a')
  await begin('a')
  await expect(begin('a')).rejects.toMatchObject({ code: 'too_many_requests' })
  await expect(streams.begin('c', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  for (let nr = 0; nr < 4; nr++) await begin('c')
})
