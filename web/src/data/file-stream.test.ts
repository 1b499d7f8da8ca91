import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { readStream, type Step } from './file-stream.ts'

const bytes = Uint8Array.from({ length: 1_000 }, (_, at) => at % 256)
const line = (row: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(row)}\n`)
const whole = (size = bytes.length): Uint8Array => {
  const parts = [
    line({ art: 'schritt', schritt: 'lesen', fertig: 0, von: 0 }),
    line({ art: 'schritt', schritt: 'fotos', fertig: 1, von: 2 }),
    line({ art: 'datei', name: 'Bäume.pdf', typ: 'application/pdf', groesse: size, sha256: '' }),
    bytes,
  ]
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
const streamOf = (all: Uint8Array, piece: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < all.length; at += piece) controller.enqueue(all.slice(at, at + piece))
      controller.close()
    },
  })

test.each([1, 7, 64, 100_000])(
  'wherever the line cuts, the lines and the file are whole: %i',
  async (piece) => {
    const said: Step[] = []
    const { blob, name } = await readStream(streamOf(whole(), piece), (step) => said.push(step))
    expect([name, blob.type, said.map(({ schritt }) => schritt)]).toEqual([
      'Bäume.pdf',
      'application/pdf',
      ['lesen', 'fotos'],
    ])
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes)
  },
)
test('a file that is cut off is none', async () => {
  await expect(readStream(streamOf(whole(1_001), 64), () => undefined)).rejects.toMatchObject({
    code: 'unavailable',
  })
  await expect(readStream(streamOf(whole().slice(0, 40), 64), () => undefined)).rejects.toBeInstanceOf(
    ApiError,
  )
})
test('what went wrong on the way is said in the server’s words', async () =>
  expect(
    readStream(streamOf(line({ art: 'fehler', code: 'timeout', message: 'Zu lang.' }), 64), () => undefined),
  ).rejects.toMatchObject({
    message: 'Zu lang.',
  }))
