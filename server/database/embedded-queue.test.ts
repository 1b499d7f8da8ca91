// Tests the sequence of requests on the queue alone, with work that only takes time.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CrowdedFault, PoolTimeoutFault, ShareFault, UnavailableFault } from './database.ts'
import { keyOf, strangerAt } from '#server/share.ts'
import { EngineQueue, type QueueLimits } from './embedded-queue.ts'

function queueOf(limits: Partial<QueueLimits> = {}): EngineQueue {
  const queue = new EngineQueue({ length: 200, perPerson: 32, waitMs: 10_000, ...limits })
  queue.setOpen(true)
  return queue
}
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (fault: unknown) => (fault instanceof Error ? fault.constructor : fault),
  )

test('what waited goes on for whom it was asked, not for whom it waited', async () => {
  const queue = queueOf()
  const caller = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const enter = (who: string) =>
    caller.run(who, () =>
      queue.run({ alone: true, person: who }, async () => {
        seen.push(caller.getStore())
        await sleep(5)
      }),
    )
  await Promise.all(['anna', 'bert', 'cora'].map(enter))
  expect(seen).toEqual(['anna', 'bert', 'cora'])
})

describe('turns', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** Enters with work of `ms` and records when it was done. */
  function entering(queue: EngineQueue) {
    const done: { who: string; at: number }[] = []
    const enter = (who: string, ms: number, alone = false) =>
      queue
        .run(
          { alone, person: who === '' ? undefined : who },
          () => new Promise<void>((resolve) => setTimeout(resolve, ms)),
        )
        .then(
          () => done.push({ who, at: Math.round(performance.now()) }),
          (fault: unknown) =>
            done.push({
              who: `${who}!${fault instanceof Error ? fault.name : ''}`,
              at: Math.round(performance.now()),
            }),
        )
    return { done, enter, order: () => done.map(({ who }) => who).join(' ') }
  }

  test('a flood of one person is that of one: who asks now and then goes next', async () => {
    const { enter, done } = entering(queueOf())
    const begin = performance.now()
    for (let i = 0; i < 30; i++) void enter('flood', 300)
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(500)
      void enter('other', 5)
    }
    await vi.advanceTimersByTimeAsync(20_000)
    const waits = done.filter(({ who }) => who === 'other').map(({ at }, i) => at - begin - (i + 1) * 500)
    expect(waits.length).toBe(10)
    // At most the rest of what was already running.
    expect(Math.max(...waits)).toBeLessThanOrEqual(310)
  })

  test('time counts, not number: short requests of one go before the long ones of another', async () => {
    const { enter, order } = entering(queueOf())
    await Promise.all([enter('long', 1000), vi.advanceTimersByTimeAsync(1000)])
    void enter('busy', 100)
    for (let i = 0; i < 3; i++) void enter('long', 1000)
    for (let i = 0; i < 5; i++) void enter('short', 50)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(order()).toBe('long busy short short short short short long long long')
  })

  test("the server's own work is not held up by persons, nor they by it for long", async () => {
    const { enter, done } = entering(queueOf())
    for (let i = 0; i < 10; i++) void enter('a', 100)
    for (let i = 0; i < 10; i++) void enter('', 100)
    await vi.advanceTimersByTimeAsync(5000)
    const half = done.slice(0, 10).map(({ who }) => who)
    expect(half.filter((who) => who === '').length).toBeGreaterThanOrEqual(5)
    expect(half.filter((who) => who === 'a').length).toBeGreaterThanOrEqual(2)
  })

  test('fifty keys are one human, and leave their turn to the screen of their owner', async () => {
    const { enter, done } = entering(queueOf({ perPerson: 64 }))
    const begin = performance.now()
    for (let i = 0; i < 60; i++) void enter(keyOf('a', i % 50), 200)
    for (let i = 0; i < 5; i++) {
      await vi.advanceTimersByTimeAsync(1_000)
      void enter('a', 5)
      void enter('b', 5)
    }
    await vi.advanceTimersByTimeAsync(10_000)
    for (const person of ['a', 'b']) {
      const waits = done.filter(({ who }) => who === person).map(({ at }, i) => at - begin - (i + 1) * 1_000)
      expect(waits.length).toBe(5)
      // At most the rest of what was already running.
      expect(Math.max(...waits)).toBeLessThanOrEqual(215)
    }
  })

  test('a key whose statement had to be ended pauses with all keys of its owner, the screen does not', async () => {
    const queue = queueOf()
    const { enter, order } = entering(queue)
    queue.strike(keyOf('a', 1))
    void enter(keyOf('a', 2), 5)
    void enter('a', 5)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(order()).toBe('a')
    await vi.advanceTimersByTimeAsync(1_100)
    expect(order()).toBe(`a ${keyOf('a', 2)}`)
    queue.strike('a')
    void enter(keyOf('a', 2), 5)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(order()).toBe(`a ${keyOf('a', 2)}`)
  })

  test('a flood without an account is one party, and no statement of it makes the others pause', async () => {
    const queue = queueOf()
    const { enter, done } = entering(queue)
    const begin = performance.now()
    queue.strike(strangerAt('192.0.2.1'))
    for (let i = 0; i < 400; i++) void enter(strangerAt('192.0.2.1'), 20)
    await vi.advanceTimersByTimeAsync(0)
    // A quarter of all places to wait, and one of the flood that runs beside another.
    expect(done.filter(({ who }) => who.endsWith('ShareFault')).length).toBeGreaterThan(340)
    void enter(strangerAt('198.51.100.1'), 5)
    void enter('a', 5)
    await vi.advanceTimersByTimeAsync(100)
    const at = (name: string) => (done.find(({ who }) => who === name)?.at ?? Number.NaN) - begin
    expect(at('a')).toBeLessThan(60)
    expect(at(strangerAt('198.51.100.1'))).toBeLessThan(100)
  })

  test('work that needs the engine for itself comes to it however many others there are', async () => {
    const { enter, done } = entering(queueOf())
    for (let i = 0; i < 20; i++) void enter(`p${i % 7}`, 50)
    void enter('alone', 50, true)
    for (let i = 0; i < 20; i++) void enter(`p${i % 7}`, 50)
    await vi.advanceTimersByTimeAsync(5000)
    expect(done.findIndex(({ who }) => who === 'alone')).toBeLessThan(12)
    expect(done.length).toBe(41)
  })

  test('whose statement had to be ended pauses, longer each time, and others do not notice', async () => {
    const queue = queueOf()
    const { enter, done } = entering(queue)
    const begin = performance.now()
    for (const pause of [2_000, 5_000]) {
      queue.strike('slow')
      const from = performance.now()
      void enter('slow', 10)
      void enter('other', 10)
      await vi.advanceTimersByTimeAsync(pause - 100)
      expect(done.map(({ who }) => who)).toEqual(['other'])
      await vi.advanceTimersByTimeAsync(200)
      expect(done.map(({ who }) => who)).toEqual(['other', 'slow'])
      expect((done.at(-1)?.at ?? 0) - from).toBeGreaterThanOrEqual(pause)
      done.length = 0
    }
    for (let i = 0; i < 3; i++) queue.strike('slow')
    // A pause longer than they would wait: refused at once.
    expect(await faultOf(queue.run({ alone: false, person: 'slow' }, () => Promise.resolve()))).toBe(
      ShareFault,
    )
    await vi.advanceTimersByTimeAsync(130_000)
    queue.strike('slow')
    void enter('slow', 10)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(done.map(({ who }) => who)).toEqual(['slow'])
    expect(performance.now() - begin).toBeGreaterThan(130_000)
  })

  test('waits end when promised, across however many attempts', async () => {
    const queue = queueOf({ waitMs: 1000 })
    const { enter, done } = entering(queue)
    void enter('a', 5000, true)
    for (const who of ['b', 'c', '']) void enter(who, 10)
    const until = queue.deadline()
    await vi.advanceTimersByTimeAsync(900)
    const again = faultOf(queue.run({ alone: false, person: 'd', until }, () => Promise.resolve()))
    await vi.advanceTimersByTimeAsync(101)
    expect(done.map(({ who }) => who)).toEqual([
      'b!PoolTimeoutFault',
      'c!PoolTimeoutFault',
      '!PoolTimeoutFault',
    ])
    expect(await again).toBe(PoolTimeoutFault)
  })
})

test('who floods, or has had much, holds others up; who asks for one long thing does not', async () => {
  const queue = queueOf()
  const gate = Promise.withResolvers<void>()
  const run = (person: string) => queue.run({ alone: false, person }, () => gate.promise)
  const asked = [run('a')]
  expect(queue.isHogging('a', 2000)).toBe(false)
  asked.push(run('b'))
  expect(queue.isHogging('a', 2000)).toBe(false)
  // More than no time at all, and somebody is waiting.
  expect(queue.isHogging('a', 0)).toBe(true)
  for (let nr = 0; nr < 6; nr++) asked.push(run('a'))
  expect([queue.isHogging('a', 2000), queue.isHogging('b', 2000), queue.isHogging(undefined, 0)]).toEqual([
    true,
    false,
    false,
  ])
  gate.resolve()
  await Promise.all(asked)
  expect(queue.isHogging('a', 0)).toBe(false)
})

test('one person has so many waiting and no more; another still gets in, until all places are taken', async () => {
  const queue = queueOf({ length: 6, perPerson: 3 })
  const gate = Promise.withResolvers<void>()
  const busy = queue.run({ alone: true }, () => gate.promise)
  const asked = [...'aaaaa', ...'bbb', 'c'].map((person) =>
    faultOf(queue.run({ alone: false, person }, () => Promise.resolve())),
  )
  await sleep(0)
  gate.resolve()
  await busy
  expect(await Promise.all(asked)).toEqual([
    'ok',
    'ok',
    'ok',
    ShareFault,
    ShareFault,
    'ok',
    'ok',
    'ok',
    CrowdedFault,
  ])
})

test("a key's flood takes no place to wait from the screen of its owner", async () => {
  const queue = queueOf({ length: 20, perPerson: 4 })
  const gate = Promise.withResolvers<void>()
  const busy = queue.run({ alone: true }, () => gate.promise)
  const [key, other] = [keyOf('a', 1), keyOf('a', 2)]
  const asked = [...Array<string>(5).fill(key), 'a', other, 'a'].map((person) =>
    faultOf(queue.run({ alone: false, person }, () => Promise.resolve())),
  )
  await sleep(0)
  gate.resolve()
  await busy
  expect(await Promise.all(asked)).toEqual([
    'ok',
    'ok',
    ShareFault,
    ShareFault,
    ShareFault,
    'ok',
    'ok',
    ShareFault,
  ])
})

test('who is told that nobody can be served is told at once', async () => {
  const queue = queueOf()
  queue.setOpen(false)
  const asked = ['a', 'b', undefined].map((person) =>
    faultOf(queue.run({ alone: false, person }, () => Promise.resolve())),
  )
  queue.rejectAll(new UnavailableFault('away'))
  expect(await Promise.all(asked)).toEqual([UnavailableFault, UnavailableFault, UnavailableFault])
  expect(queue.isIdle).toBe(true)
})
