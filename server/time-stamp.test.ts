// Time stamps of the books against a service of our own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UnknownSignerError } from './anchor-check.ts'
import { type StampFault, startStampServer, type StampServer } from './time-stamp.fixture.ts'
import { certificatesOf, requestTimeStamp, timeOfStamp } from './time-stamp.ts'

const HEAD = { nr: 12, kopf: 'ab'.repeat(32) }
let [server, stranger]: StampServer[] = []
beforeAll(async () => {
  server = await startStampServer()
  stranger = await startStampServer()
})
afterAll(async () => {
  await server?.close()
  await stranger?.close()
})
const trusted = (...from: readonly StampServer[]) =>
  certificatesOf(from.map(({ certificates }) => certificates).join('\n'))

test('a head is stamped, and the stamp belongs to that head alone', async () => {
  const token = await requestTimeStamp(server!.url, HEAD, trusted(server!))
  const time = await timeOfStamp(token, HEAD, trusted(server!))
  expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(60_000)
  // Without a trusted certificate the signature is checked with the one in the token.
  expect(await timeOfStamp(token, HEAD, [])).toEqual(time)
  await expect(timeOfStamp(token, { ...HEAD, nr: 13 }, [])).rejects.toThrow()
  await expect(timeOfStamp(token, { ...HEAD, kopf: 'cd'.repeat(32) }, [])).rejects.toThrow()
  const elsewhere = trusted(stranger!)
  await expect(timeOfStamp(token, HEAD, elsewhere)).rejects.toThrow(UnknownSignerError)
  await expect(timeOfStamp(token, { ...HEAD, nr: 13 }, elsewhere)).rejects.not.toThrow(UnknownSignerError)
  // Former certificates are kept beside new ones.
  expect(await timeOfStamp(token, HEAD, trusted(stranger!, server!))).toEqual(time)
})

test('a token that was changed is not one', async () => {
  const token = Buffer.from(await requestTimeStamp(server!.url, HEAD, []), 'base64')
  // A byte of the signature, which is last, and one of the time.
  const time = token.indexOf(Buffer.from(new Date().getUTCFullYear().toString()))
  for (const at of [token.length - 5, time + 3]) {
    const changed = Buffer.from(token)
    changed[at] = (changed[at] ?? 0) ^ 1
    // oxlint-disable-next-line no-await-in-loop -- two
    await expect(timeOfStamp(changed.toString('base64'), HEAD, [])).rejects.toThrow()
  }
  await expect(timeOfStamp('AAAA', HEAD, [])).rejects.toThrow()
  await expect(timeOfStamp('', HEAD, [])).rejects.toThrow()
})

test.each<StampFault>(['other head', 'refused', 'other nonce', 'no purpose', 'too large', 'http 500'])(
  'an answer is not taken: %s',
  async (fault) => {
    server!.fault = fault
    try {
      await expect(requestTimeStamp(server!.url, HEAD, [])).rejects.toThrow()
    } finally {
      server!.fault = null
    }
  },
)
