import { describe, expect, test } from 'vitest'
import { countAsFailed, createJob, type JobOptions, SaidFault, StoppedError } from './job.ts'
import { addObserver } from './observe.ts'

/** A job whose time passes when the test says so. */
function watched(more: Partial<JobOptions> = {}) {
  const planned: { readonly work: () => void; readonly ms: number }[] = []
  const faults: unknown[] = []
  const rounds: { readonly signal: AbortSignal; end(): void; fail(error: unknown): void }[] = []
  const job = createJob({
    name: 'job',
    firstMs: 1_000,
    everyMs: 60_000,
    round: (signal) =>
      new Promise<void>((resolve, reject) => void rounds.push({ signal, end: resolve, fail: reject })),
    onFault: (error) => faults.push(error),
    timers: {
      set: (work, ms) => {
        planned.push({ work, ms })
        return planned.length
      },
      clear: () => undefined,
    },
    ...more,
  })
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const pass = async () => {
    planned.at(-1)?.work()
    await settle()
  }
  return { job, faults, rounds, settle, pass, waits: () => planned.map(({ ms }) => ms) }
}

describe('a job', () => {
  test('has its first round soon after the start, and the next one after each round has ended', async () => {
    const { job, rounds, pass, settle, waits } = watched()
    expect(waits()).toEqual([])
    job.start()
    expect(waits()).toEqual([1_000])
    await pass()
    expect([rounds.length, waits()]).toEqual([1, [1_000]])
    rounds[0]!.end()
    await settle()
    expect(waits()).toEqual([1_000, 60_000])
  })

  test('whose rounds are closer together than that begins no later', () => {
    const { job, waits } = watched({ everyMs: () => 200 })
    job.start()
    expect(waits()).toEqual([200])
  })

  test('is woken at once; during a round, right after it and only once', async () => {
    const { job, rounds, pass, settle, waits } = watched()
    job.start()
    job.wake()
    expect(waits()).toEqual([1_000, 0])
    await pass()
    job.wake()
    job.wake()
    await settle()
    expect([rounds.length, waits()]).toEqual([1, [1_000, 0]])
    rounds[0]!.end()
    await settle()
    expect(waits()).toEqual([1_000, 0, 0])
    await pass()
    rounds[1]!.end()
    await settle()
    expect(waits()).toEqual([1_000, 0, 0, 60_000])
  })

  test('is not woken before its start', () => {
    const { job, waits } = watched()
    job.wake()
    expect(waits()).toEqual([])
  })

  test('that fails says so once and comes again at its usual time', async () => {
    const { job, rounds, faults, pass, settle, waits } = watched()
    job.start()
    await pass()
    rounds[0]!.fail(new Error('away'))
    await settle()
    expect([faults, waits()]).toEqual([[new Error('away')], [1_000, 60_000]])
    await pass()
    expect(rounds).toHaveLength(2)
  })

  test('that throws before it has begun to wait is no different', async () => {
    const { job, faults, pass, waits } = watched({
      round: () => {
        throw new Error('at once')
      },
    })
    job.start()
    await pass()
    expect([faults, waits()]).toEqual([[new Error('at once')], [1_000, 60_000]])
  })

  test('begins its first round after what it does at its start', async () => {
    const order: string[] = []
    const atStart = Promise.withResolvers<void>()
    const { job, pass, settle } = watched({
      atStart: () => atStart.promise.then(() => order.push('start')),
      round: async () => order.push('round'),
    })
    job.start()
    await pass()
    expect(order).toEqual([])
    atStart.resolve()
    await settle()
    expect(order).toEqual(['start', 'round'])
  })

  test('counts a round of which a part failed, and leaves it to the round to say so', async () => {
    const ends: [name: string, fault: unknown][] = []
    const end = addObserver({
      around: (what, work) =>
        work().then(
          (result) => {
            ends.push([what.name, null])
            return result
          },
          (error: unknown) => {
            ends.push([what.name, error])
            throw error
          },
        ),
      noted: () => undefined,
    })
    const { job, rounds, faults, pass, settle, waits } = watched({ atStart: () => Promise.resolve() })
    job.start()
    await pass()
    expect(() => countAsFailed(false)).not.toThrow()
    try {
      countAsFailed(true)
    } catch (error) {
      rounds[0]!.fail(error)
    }
    await settle()
    end()
    // What is done at the start is no round: it must not look like the last success.
    expect(ends).toEqual([
      ['job: start', null],
      ['job', new SaidFault()],
    ])
    expect([faults, waits()]).toEqual([[], [1_000, 60_000]])
  })

  test('of one round has no second', async () => {
    const { job, rounds, pass, settle, waits } = watched({ everyMs: Number.POSITIVE_INFINITY })
    job.start()
    await pass()
    rounds[0]!.end()
    await settle()
    expect(waits()).toEqual([1_000])
  })

  test('that is stopped aborts its round, waits for it, says nothing about it and plans no other', async () => {
    const { job, rounds, faults, pass, settle, waits } = watched()
    job.start()
    await pass()
    let isStopped = false
    const stopping = job.stop().then(() => (isStopped = true))
    await settle()
    expect([rounds[0]!.signal.reason, isStopped]).toEqual([new StoppedError(), false])
    rounds[0]!.fail(rounds[0]!.signal.reason)
    await stopping
    job.wake()
    expect([faults, waits()]).toEqual([[], [1_000]])
  })

  test('that is stopped waits no longer than its grace', async () => {
    const { job, pass } = watched({ graceMs: 20 })
    job.start()
    await pass()
    await job.stop()
  })

  test('that was never started can be stopped', async () => {
    await watched().job.stop()
  })
})
