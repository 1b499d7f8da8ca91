// More is asked for than can be done: simulated with both queues, in simulated time.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inRank, seatOf } from '#server/rank.ts'
import { CrowdedFault, ShareFault } from './database.ts'
import { EngineQueue } from './embedded-queue.ts'
import { FairQueue, sharesOf } from './fair-queue.ts'

interface Done {
  readonly who: string
  readonly at: number
  /** From asking until it began, or was refused. */
  readonly waitedMs: number
  readonly fault: unknown
}

/** Something that serves, and how it is asked. */
type Serve = (who: string | undefined, workMs: number) => Promise<number>

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

function pool(places: number): Serve {
  const queue = new FairQueue(sharesOf(places))
  return async (person, workMs) => {
    const { rank } = seatOf(person)
    await queue.enter(person, rank)
    const begun = performance.now()
    await sleep(workMs)
    queue.leave(person, rank)
    return begun
  }
}

function engine(): Serve {
  const queue = new EngineQueue({ length: 200, perPerson: 32, waitMs: 10_000 })
  queue.setOpen(true)
  return (person, workMs) =>
    queue.run({ alone: true, ...seatOf(person) }, async () => {
      const begun = performance.now()
      await sleep(workMs)
      return begun
    })
}

/** Somebody else's request every few milliseconds. */
async function flow(serve: Serve, perSecond: number, seconds: number, workMs: number): Promise<Done[]> {
  const done: Promise<Done>[] = []
  for (let nr = 0; nr < perSecond * seconds; nr++) {
    const who = `person ${nr % 150}`
    const at = performance.now()
    const note = (fault: unknown, begun: number): Done => ({ who, at, waitedMs: begun - at, fault })
    done.push(
      serve(who, workMs).then(
        (begun) => note(null, begun),
        (fault: unknown) => note(fault, performance.now()),
      ),
    )
    await vi.advanceTimersByTimeAsync(1000 / perSecond)
  }
  await vi.advanceTimersByTimeAsync(12_000)
  return Promise.all(done)
}

const served = (all: readonly Done[]): Done[] => all.filter(({ fault }) => fault === null)
function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe.each([
  // Seven places for persons, 40 ms each; one engine, 10 ms each.
  { name: 'pool', make: () => pool(8), workMs: 40, most: 175 },
  { name: 'engine', make: engine, workMs: 10, most: 100 },
])('$name', ({ make, workMs, most }) => {
  test('what fits is served, all of it', async () => {
    const all = await flow(make(), Math.floor(most * 0.9), 10, workMs)
    expect(served(all).length).toBe(all.length)
    expect(
      percentile(
        all.map(({ waitedMs }) => waitedMs),
        0.95,
      ),
    ).toBeLessThan(200)
  })
  test('a burst waits and is served', async () => {
    const serve = make()
    const burst = Array.from({ length: most }, (_, nr) => serve(`person ${nr}`, workMs))
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await Promise.allSettled(burst)).filter(({ status }) => status === 'rejected')).toEqual([])
  })
  test.each([
    [2, 900],
    [5, 1_500],
  ])(
    '%i times as much: as many are served as can be, within %i ms; the others know at once',
    async (times, limitMs) => {
      const seconds = 20
      const all = await flow(make(), most * times, seconds, workMs)
      const good = served(all)
      expect(good.length).toBeGreaterThan(most * seconds * 0.95)
      expect(
        percentile(
          good.map(({ waitedMs }) => waitedMs),
          0.95,
        ),
      ).toBeLessThan(limitMs)
      const refused = all.filter(({ fault }) => fault !== null)
      expect(
        refused.filter(({ fault }) => !(fault instanceof CrowdedFault || fault instanceof ShareFault)),
      ).toEqual([])
      // But for those of the first second, who lost their place in the waiting room to somebody else.
      expect(
        percentile(
          refused.map(({ waitedMs }) => waitedMs),
          0.95,
        ),
      ).toBeLessThan(100)
      const seats = new Set(good.map(({ who }) => who))
      expect(seats.size).toBe(150)
    },
  )
  test('twice as much, most of it of a few: nobody waits for long, and everybody is served', async () => {
    const serve = make()
    const done: Done[] = []
    const asking = Array.from({ length: 60 }, async (_, nr) => {
      const perSecond = (most * 2) / 60 / (nr < 10 ? 1 / 3 : 5 / 3)
      for (let asked = 0; asked < perSecond * 15; asked++) {
        const at = performance.now()
        const who = `person ${nr}`
        const note = (fault: unknown, begun: number) =>
          void done.push({ who, at, waitedMs: begun - at, fault })
        void serve(who, workMs).then(
          (begun) => note(null, begun),
          (fault: unknown) => note(fault, performance.now()),
        )
        await sleep(1000 / perSecond)
      }
    })
    await vi.advanceTimersByTimeAsync(30_000)
    await Promise.all(asking)
    const good = served(done)
    expect(good.length).toBeGreaterThan(most * 15 * 0.9)
    expect(new Set(good.map(({ who }) => who)).size).toBe(60)
    const waits = good.filter(({ at }) => at > 3_000).map(({ waitedMs }) => waitedMs)
    expect(percentile(waits, 0.95)).toBeLessThan(1_100)
  })
  test('a second after it is over everything is as before', async () => {
    const serve = make()
    await flow(serve, most * 3, 5, workMs)
    const after = await flow(serve, Math.floor(most * 0.9), 5, workMs)
    expect(served(after).length).toBe(after.length)
  })
  test('one person alone asks for more than fits: nobody else notices', async () => {
    const serve = make()
    const flood = Array.from({ length: 5 }, () => flowOf(serve, 'flood', Math.floor(most / 2), 10, workMs))
    const others = flow(serve, 2, 10, workMs)
    const all = await others
    await Promise.all(flood)
    expect(served(all).length).toBe(all.length)
    expect(
      percentile(
        all.map(({ waitedMs }) => waitedMs),
        1,
      ),
    ).toBeLessThan(500)
  })
  test('what people wait for comes before exports, these before nightly work, and all are done', async () => {
    const serve = make()
    const order: string[] = []
    const ask = (who: string, rank: 'screen' | 'long' | 'nightly') =>
      inRank(rank, () => serve(who, workMs)).then(() => void order.push(rank))
    const all = Array.from({ length: 20 }, (_, nr) => [
      ask(`n ${nr}`, 'nightly'),
      ask(`l ${nr}`, 'long'),
      ask(`s ${nr}`, 'screen'),
    ]).flat()
    await vi.advanceTimersByTimeAsync(9_000)
    await Promise.all(all)
    const last = (rank: string): number => order.lastIndexOf(rank)
    expect(last('screen')).toBeLessThan(last('long'))
    expect(last('long')).toBeLessThan(last('nightly'))
    // Those that found a place at once may have been first.
    expect(order.slice(8, 24)).toEqual(Array.from({ length: 16 }, () => expect.stringMatching(/screen|long/)))
  })
  test('a few slow ones shut the door on nobody: the first request of somebody else waits and is served', async () => {
    const serve = make()
    const slow = Array.from({ length: 4 }, (_, nr) => flowOf(serve, `slow ${nr}`, 20, 15, 300))
    const other: Done[] = []
    for (let nr = 0; nr < 10; nr++) {
      await vi.advanceTimersByTimeAsync(1_500)
      const at = performance.now()
      void serve('other', workMs).then(
        (begun) => void other.push({ who: 'other', at, waitedMs: begun - at, fault: null }),
        (fault: unknown) => void other.push({ who: 'other', at, waitedMs: 0, fault }),
      )
    }
    await vi.advanceTimersByTimeAsync(15_000)
    await Promise.all(slow)
    expect(other.map(({ fault }) => fault)).toEqual(Array(10).fill(null))
  })
  test("the server's own work, nightly too, is refused in no crowd", async () => {
    const serve = make()
    const people = Array.from({ length: 150 }, (_, nr) =>
      flowOf(serve, `person ${nr}`, (most * 4) / 150, 8, workMs),
    )
    await vi.advanceTimersByTimeAsync(3_000)
    const own = Array.from({ length: 40 }, (_, nr) =>
      inRank(nr % 4 === 0 ? 'screen' : 'nightly', () => serve(undefined, workMs)),
    )
    const settled = Promise.allSettled(own)
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(people)
    expect((await settled).map(({ status }) => status)).toEqual(Array(40).fill('fulfilled'))
  })
  test('exports go on although people never stop', async () => {
    const serve = make()
    const people = Array.from({ length: 150 }, (_, nr) =>
      flowOf(serve, `person ${nr}`, (most * 3) / 150, 15, workMs),
    )
    await vi.advanceTimersByTimeAsync(3_000)
    const asked = performance.now()
    const exported = Promise.all(
      Array.from({ length: 3 }, (_, nr) => inRank('long', () => serve(`export ${nr}`, workMs))),
    ).then(
      (begun) => Math.max(...begun) - asked,
      (fault: unknown) => fault,
    )
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(people)
    expect(await exported).toEqual(expect.any(Number))
    expect(await exported).toBeGreaterThan(1_000)
  })
})

/** One person's requests, without moving the time. */
async function flowOf(
  serve: Serve,
  who: string,
  perSecond: number,
  seconds: number,
  workMs: number,
): Promise<void> {
  for (let nr = 0; nr < perSecond * seconds; nr++) {
    void serve(who, workMs).catch(() => undefined)
    await sleep(1000 / perSecond)
  }
}
