import { expect, test } from 'vitest'
import { schranke } from './schranke.ts'

/** Work that ends when it is told to. */
function arbeit() {
  let end!: (fault?: Error) => void
  const promise = new Promise<string>((resolve, reject) => {
    end = (fault) => (fault === undefined ? resolve('fertig') : reject(fault))
  })
  let begun = false
  return { work: () => ((begun = true), promise), begun: () => begun, end }
}
const still = new AbortController().signal
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('two at once, the third when one of them ends, in whatever way', async () => {
  const gate = schranke({ zugleich: 2, wartend: 5 })
  const [a, b, c, d] = [arbeit(), arbeit(), arbeit(), arbeit()]
  let waited = 0
  const all = [a, b, c, d].map(({ work }) => gate(still, () => waited++, work))
  const settled = Promise.allSettled(all)
  await turn()
  expect([a, b, c, d].map((one) => one.begun())).toEqual([true, true, false, false])
  expect(waited).toBe(2)
  b.end(new Error('broken'))
  await turn()
  expect([c.begun(), d.begun()]).toEqual([true, false])
  a.end()
  await turn()
  expect(d.begun()).toBe(true)
  c.end()
  d.end()
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
})
test('whoever goes away while waiting is not waited for', async () => {
  const gate = schranke({ zugleich: 1, wartend: 5 })
  const [a, b, c] = [arbeit(), arbeit(), arbeit()]
  const leaving = new AbortController()
  const first = gate(still, () => undefined, a.work)
  const gone = gate(leaving.signal, () => undefined, b.work)
  const last = gate(still, () => undefined, c.work)
  leaving.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  a.end()
  await first
  await turn()
  expect([b.begun(), c.begun()]).toEqual([false, true])
  c.end()
  expect(await last).toBe('fertig')
})
test('more than may wait are told so at once', async () => {
  const gate = schranke({ zugleich: 1, wartend: 1 })
  const [a, b] = [arbeit(), arbeit()]
  const both = [gate(still, () => undefined, a.work), gate(still, () => undefined, b.work)]
  await expect(gate(still, () => undefined, arbeit().work)).rejects.toMatchObject({ code: 'unavailable' })
  a.end()
  b.end()
  await Promise.all(both)
})
