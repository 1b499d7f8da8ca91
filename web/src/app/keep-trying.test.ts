// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../data/api-error.ts'
import { currentTrouble, keepTrying, LOOK_MS, PAUSES_MS, tryAgain } from './keep-trying.ts'
import { type Passing, PassingFault, passingOf, passingOfProvider } from './passing.ts'

const AWAY = new PassingFault({ kind: 'unreachable', detail: 'x' })

/** Fails this many times, then succeeds. */
function failing(times: number, fault: unknown = AWAY) {
  const step = { tries: 0, heal: () => (times = 0), attempt: async () => '' as string }
  step.attempt = async () => {
    step.tries++
    if (step.tries <= times) throw fault
    return 'there'
  }
  return step
}

describe('a step of the start', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  test('that works says nothing', async () => {
    expect(await keepTrying('a', failing(0).attempt)).toBe('there')
    expect(currentTrouble()).toBeNull()
  })
  test('is tried again by itself, with growing pauses, and says so meanwhile', async () => {
    const step = failing(3)
    const done = keepTrying('a', step.attempt)
    for (const [at, pause] of PAUSES_MS.entries()) {
      await vi.advanceTimersByTimeAsync(pause - 1)
      expect([step.tries, currentTrouble()?.state]).toEqual([at + 1, 'again'])
      await vi.advanceTimersByTimeAsync(1)
    }
    expect([await done, currentTrouble()]).toEqual(['there', null])
  })
  test('then waits for the person, whose press begins a new round', async () => {
    const step = failing(99)
    const done = keepTrying('a', step.attempt)
    await vi.advanceTimersByTimeAsync(7_000)
    expect([step.tries, currentTrouble()]).toEqual([
      4,
      { kind: 'unreachable', detail: 'x', state: 'stopped' },
    ])
    tryAgain()
    await vi.advanceTimersByTimeAsync(0)
    expect([step.tries, currentTrouble()?.state]).toEqual([5, 'again'])
    await vi.advanceTimersByTimeAsync(7_000)
    expect([step.tries, currentTrouble()?.state]).toEqual([8, 'stopped'])
    step.heal()
    tryAgain()
    expect([await done, currentTrouble()]).toEqual(['there', null])
  })
  test('goes on when the browser is online again, and looks now and then without changing what is seen', async () => {
    const step = failing(99)
    const done = keepTrying('a', step.attempt)
    await vi.advanceTimersByTimeAsync(7_000)
    await vi.advanceTimersByTimeAsync(LOOK_MS)
    expect([step.tries, currentTrouble()?.state]).toEqual([5, 'stopped'])
    step.heal()
    window.dispatchEvent(new Event('online'))
    expect(await done).toBe('there')
  })
  test('without a network waits at once', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    const step = failing(1)
    const done = keepTrying('a', step.attempt)
    await vi.advanceTimersByTimeAsync(0)
    expect([step.tries, currentTrouble()?.state]).toEqual([1, 'stopped'])
    window.dispatchEvent(new Event('online'))
    expect(await done).toBe('there')
  })
  test('waits as long as the server asks, within bounds', async () => {
    for (const [asked, waited] of [
      [3_000, 3_000],
      [600_000, 30_000],
    ] as const) {
      const step = failing(1, new PassingFault({ kind: 'faulty', detail: 'x', retryAfterMs: asked }))
      const done = keepTrying('a', step.attempt)
      await vi.advanceTimersByTimeAsync(waited - 1)
      expect(step.tries).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await done).toBe('there')
    }
  })
  test('what will not pass is told to the caller at once', async () => {
    const step = failing(1, new ApiError('not_signed_in', 'x', { status: 401 }))
    await expect(keepTrying('a', step.attempt)).rejects.toMatchObject({ code: 'not_signed_in' })
    expect([step.tries, currentTrouble()]).toEqual([1, null])
  })
  test('of several the one that waits is shown, and one press is for all', async () => {
    const [short, long] = [failing(1), failing(99)]
    const both = [keepTrying('a', long.attempt), keepTrying('b', short.attempt)]
    await vi.advanceTimersByTimeAsync(7_000)
    expect(currentTrouble()?.state).toBe('stopped')
    long.heal()
    tryAgain()
    expect(await Promise.all(both)).toEqual(['there', 'there'])
  })
})

const api = (status: number, code: ApiError['code']) => new ApiError(code, 'x', { status })
const PASSES: readonly (readonly [why: string, fault: unknown, kind: Passing['kind'] | null])[] = [
  ['no answer in time', api(0, 'timeout'), 'unreachable'],
  ['no connection', api(0, 'unavailable'), 'unreachable'],
  ['500', api(500, 'internal'), 'faulty'],
  ['502', api(502, 'unavailable'), 'faulty'],
  ['503', api(503, 'unavailable'), 'faulty'],
  ['504', api(504, 'timeout'), 'faulty'],
  ['507', api(507, 'storage_full'), 'faulty'],
  ['429', api(429, 'too_many_requests'), 'faulty'],
  ['HTML instead of JSON', api(200, 'unavailable'), 'faulty'],
  ['an envelope with a fault of the server', api(200, 'internal'), 'faulty'],
  ['401', api(401, 'not_signed_in'), null],
  ['401 expired', api(401, 'session_expired'), null],
  ['403', api(403, 'not_allowed'), null],
  ['404', api(404, 'not_found'), null],
  ['400', api(400, 'bad_value'), null],
  ['413', api(413, 'too_large'), null],
  ['418', api(418, 'internal'), null],
  ['a mistake of ours', new TypeError('x is not a function'), null],
]
test.each(PASSES)('%s', (_why, fault, kind) => expect(passingOf(fault)?.kind ?? null).toBe(kind))

const named = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name }, more)
const OF_PROVIDER: readonly (readonly [why: string, fault: unknown, kind: Passing['kind'] | null])[] = [
  ['Chromium finds nobody', new TypeError('Failed to fetch'), 'unreachable'],
  ['Firefox finds nobody', new TypeError('NetworkError when attempting to fetch resource.'), 'unreachable'],
  ['Safari finds nobody', new TypeError('Load failed'), 'unreachable'],
  ['the library gave up waiting', named('ErrorTimeout', 'Network timed out'), 'unreachable'],
  ['our own limit', new DOMException('signal timed out', 'TimeoutError'), 'unreachable'],
  ['500', new Error('Internal Server Error (500): {}'), 'faulty'],
  ['503 without JSON', new Error('Service Unavailable (503)'), 'faulty'],
  ['429', new Error('Too Many Requests (429): {}'), 'faulty'],
  ['HTML', new Error('Invalid response Content-Type: text/html, from URL: x'), 'faulty'],
  ['JSON cut off', new SyntaxError('Unexpected end of JSON input'), 'faulty'],
  ['JSON of something else', new Error('Metadata does not contain property token_endpoint'), 'faulty'],
  ['the provider is not well', named('ErrorResponse', 'x', { error: 'temporarily_unavailable' }), 'faulty'],
  ['the provider wants to ask', named('ErrorResponse', 'x', { error: 'login_required' }), null],
  ['a used code', named('ErrorResponse', 'x', { error: 'invalid_grant' }), null],
  ['404', new Error('Not Found (404): {}'), null],
  ['a mistake of ours', new TypeError('x is not a function'), null],
  ['no state', new Error('No matching state found in storage'), null],
]
test.each(OF_PROVIDER)('sign-in: %s', (_why, fault, kind) =>
  expect(passingOfProvider(fault)?.kind ?? null).toBe(kind),
)
