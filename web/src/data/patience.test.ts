// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '../ui/toasts.ts'
import { ApiError, retryAfterOf, toApiError } from './api-error.ts'
import { mayRetry, retryDelayMs, tellWaiting } from './patience.ts'
import { readPatiently } from './read-patiently.ts'

const told = (status: number, seconds: string, body: unknown = {}) =>
  toApiError(status, body, { headers: new Headers({ 'retry-after': seconds }) })

test.each([
  ['3', 3_000],
  ['0', 0],
  ['Sun, 22 Nov 2026 12:00:10 GMT', 10_000],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['bald', undefined],
  [null, undefined],
])('Retry-After: %s', (header, ms) => expect(retryAfterOf(header, Date.UTC(2026, 10, 22, 12))).toBe(ms))

describe('whether a read is made once more', () => {
  test.each([
    ['429 with a time', 429, '2', [true, true, false]],
    ['503 with a time', 503, '1', [true, true, false]],
    ['504 with a time', 504, '1', [true, true, false]],
    ['asked to wait for minutes', 429, '300', [false, false, false]],
    ['503 asked to wait for minutes', 503, '300', [true, false, false]],
    ['a missing right, whatever the header', 403, '1', [false, false, false]],
    ['a fault of the server', 500, '1', [false, false, false]],
  ])('%s', async (_why, status, seconds, answers) => {
    const error = await told(status, seconds)
    expect([0, 1, 2].map((failures) => mayRetry(failures, error))).toEqual(answers)
  })
  test('without a time: once, where it may pass by itself', async () => {
    for (const [status, once] of [
      [503, true],
      [504, true],
      [502, true],
      [429, false],
      [500, false],
      [404, false],
    ] as const)
      expect([
        status,
        mayRetry(0, await toApiError(status, {})),
        mayRetry(1, await toApiError(status, {})),
      ]).toEqual([status, once, false])
  })
})

test('it waits as long as it is told, and not all at the same moment', async () => {
  const error = await told(429, '5')
  expect([retryDelayMs(error, 0), retryDelayMs(error, 1)]).toEqual([5_000, 5_800])
  expect(retryDelayMs(await toApiError(503, {}), 1)).toBe(800)
})

describe('the notice', () => {
  beforeEach(() => {
    for (const { id } of currentToasts()) dismissToast(id)
  })
  test('is one, is calm and says that it goes on by itself', async () => {
    const error = await told(429, '7')
    tellWaiting(error)
    tellWaiting(error)
    expect(currentToasts().map(({ tone, text }) => [tone, text])).toEqual([
      ['info', 'Der Server hat gerade viel zu tun. In 7 Sekunden wird es noch einmal versucht.'],
    ])
  })
  test('is none where nothing is waited for', async () => {
    tellWaiting(await toApiError(503, {}))
    tellWaiting(await told(403, '1'))
    tellWaiting(new Error('x'))
    expect(currentToasts()).toEqual([])
  })
})

describe('a read beside the query client', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  test('comes through once the server has room', async () => {
    const busy = await told(429, '2')
    let asked = 0
    const read = readPatiently(async () => {
      if (++asked < 3) throw busy
      return 'rows'
    }, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(1_900)
    expect(asked).toBe(1)
    await vi.advanceTimersByTimeAsync(4_000)
    expect([await read, asked]).toEqual(['rows', 3])
  })
  test('ends with its signal, and with the third refusal', async () => {
    const busy = await told(429, '2')
    const stop = new AbortController()
    const stopped = readPatiently(() => Promise.reject(busy), stop.signal).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(100)
    stop.abort()
    expect(await stopped).toMatchObject({ name: 'AbortError' })
    const refused = readPatiently(() => Promise.reject(busy), new AbortController().signal).catch(
      (error: unknown) => error,
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await refused).toBeInstanceOf(ApiError)
  })
})
