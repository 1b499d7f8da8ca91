// Work that a server repeats beside the requests, in one shape: a round begins when its time has come or
// somebody wakes it, never before the last one is over. A round that fails is logged, and the next one comes
// at its usual time.
import { setTimeout as sleep } from 'node:timers/promises'
import { inRank } from './rank.ts'
import { observed, offerLevel } from './observe.ts'
import { inShareOf } from './share.ts'
import { onJobTrail } from './trail.ts'

export interface Timers {
  set(work: () => void, milliseconds: number): unknown
  clear(timer: unknown): void
}

const systemTimers: Timers = {
  set: (work, ms) => setTimeout(work, ms).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

export interface JobOptions {
  /** For the log, when it does not end in time. */
  readonly name: string
  /** From the start to the first round, unless `everyMs` is shorter: rounds must not compete with the start. */
  readonly firstMs?: number
  /** From the end of a round to the beginning of the next; infinite: there is only one round. */
  readonly everyMs: number | (() => number)
  /** What `everyMs` comes to as long as nothing fails, if it is a function: alerts compare the last success with it. */
  readonly usualMs?: number | undefined
  /** Aborts when the job is stopped: nothing further is begun. */
  readonly round: (signal: AbortSignal) => Promise<unknown>
  /** May as well be done an hour later: its statements wait behind everybody's (rank.ts). */
  readonly nightly?: boolean
  /** Done at once at the start; the first round waits for it. */
  readonly atStart?: (signal: AbortSignal) => Promise<unknown>
  /** Writes into the log that a round failed. Not called for a round that stopping interrupts. */
  readonly onFault: (error: unknown) => void
  /** Stopping waits at most this long for the round under way. */
  readonly graceMs?: number
  /** Procedures of the data API after which there is work. */
  readonly wokenBy?: readonly string[]
  readonly timers?: Timers
}

export interface Job {
  readonly name: string
  readonly wokenBy: readonly string[]
  start(): void
  /** There is work: look now rather than in the next round. */
  wake(): void
  stop(): Promise<void>
}

/** Why the signal of a round aborts. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
  constructor() {
    super('the server stops')
  }
}

/**
 * Thrown by a round in which something failed that it has logged and will do again: it counts as failed, but is not
 * logged once more.
 */
export class SaidFault extends Error {
  override readonly name = 'SaidFault'
  constructor() {
    super('a part of the round failed')
  }
}

/** At the end of a round that goes on when a part of it fails. @throws SaidFault */
export function countAsFailed(failed: boolean): void {
  if (failed) throw new SaidFault()
}

/** Nobody asked for it, even if a request woke it. */
const asOwnWork = <T>({ nightly }: JobOptions, work: () => T): T =>
  inShareOf(undefined, () => inRank(nightly === true ? 'nightly' : 'screen', work))

export function createJob(options: JobOptions): Job {
  const { name, firstMs = Number.POSITIVE_INFINITY, everyMs, timers = systemTimers } = options
  const ending = new AbortController()
  const { signal } = ending
  let timer: unknown
  let running: Promise<void> = Promise.resolve()
  let isStarted = false
  let isBusy = false
  let isWoken = false

  const pauseMs = (): number => (typeof everyMs === 'number' ? everyMs : everyMs())

  function plan(milliseconds: number): void {
    timers.clear(timer)
    if (!signal.aborted && milliseconds < Number.POSITIVE_INFINITY) timer = timers.set(begin, milliseconds)
  }

  const attempt = (work: JobOptions['round'], as = name): Promise<void> =>
    onJobTrail(name, () => asOwnWork(options, () => tryOnce(work, as)))

  async function tryOnce(work: JobOptions['round'], as: string): Promise<void> {
    try {
      if (!signal.aborted) await observed({ kind: 'job', name: as }, () => work(signal))
    } catch (error) {
      if (!signal.aborted && !(error instanceof SaidFault)) options.onFault(error)
    }
  }

  function begin(): void {
    isBusy = true
    isWoken = false
    running = running
      .then(() => attempt(options.round))
      .then(() => {
        isBusy = false
        plan(isWoken ? 0 : pauseMs())
      })
  }

  return {
    name,
    wokenBy: options.wokenBy ?? [],
    start() {
      isStarted = true
      const usualMs = options.usualMs ?? (typeof everyMs === 'number' ? everyMs : Number.POSITIVE_INFINITY)
      offerLevel('job_interval', name, () => usualMs / 1000)
      // No round: that it went well says nothing of the rounds.
      if (options.atStart !== undefined) running = attempt(options.atStart, `${name}: start`)
      plan(Math.min(firstMs, pauseMs()))
    },
    wake() {
      isWoken = true
      if (isStarted && !isBusy) plan(0)
    },
    async stop() {
      ending.abort(new StoppedError())
      timers.clear(timer)
      await within(options.graceMs, running)
    },
  }
}

async function within(milliseconds: number | undefined, work: Promise<void>): Promise<void> {
  if (milliseconds === undefined) return work
  const patience = new AbortController()
  const late = sleep(milliseconds, undefined, { ref: false, signal: patience.signal }).catch(() => undefined)
  await Promise.race([work, late])
  patience.abort()
}
