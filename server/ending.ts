// How a server shuts down: three stages one after the other, none of them longer than the time allows.
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from './log.ts'

/**
 * requests: running requests are answered, and background work takes nothing new, all at once. rooms: what
 * requests may have needed, one after the other, the last added first. database: last.
 */
export type Stage = 'requests' | 'rooms' | 'database'

/** @param withinMs after this the shutdown no longer waits for the step */
export type Step = (withinMs: number) => unknown

export interface Ending {
  add(stage: Stage, name: string, step: Step): void
  /** Returns the names of the steps that did not end in time. A second call waits for the first. */
  run(graceMs: number): Promise<readonly string[]>
}

/**
 * On top of the grace period: how much of the final second, after which the process must be gone, has
 * passed when each stage ends.
 */
const EXTRA_MS: Readonly<Record<Stage, number>> = { requests: 50, rooms: 250, database: 550 }
const STAGES: readonly Stage[] = ['requests', 'rooms', 'database']

export function createEnding(log: Log): Ending {
  const steps: { readonly stage: Stage; readonly name: string; readonly step: Step }[] = []
  let running: Promise<readonly string[]> | undefined

  const overdueOf = async ({ name, step }: (typeof steps)[number], end: number): Promise<string[]> =>
    (await endsInTime(name, step, Math.max(0, end - performance.now()))) ? [] : [name]

  async function runStage(stage: Stage, end: number): Promise<string[]> {
    const own = steps.filter((one) => one.stage === stage)
    if (stage !== 'rooms') return (await Promise.all(own.map((one) => overdueOf(one, end)))).flat()
    const overdue: string[] = []
    for (const one of own.toReversed()) overdue.push(...(await overdueOf(one, end)))
    return overdue
  }

  async function endsInTime(name: string, step: Step, withinMs: number): Promise<boolean> {
    const patience = new AbortController()
    const done = (async () => {
      try {
        await step(withinMs)
      } catch (error) {
        log.error('a part of the server did not end in order', { part: name, reason: reasonForLog(error) })
      }
      return true
    })()
    const late = sleep(withinMs, false, { signal: patience.signal }).catch(() => false)
    const inTime = await Promise.race([done, late])
    patience.abort()
    return inTime
  }

  async function runAll(graceMs: number): Promise<readonly string[]> {
    const start = performance.now()
    const overdue: string[] = []
    for (const stage of STAGES) overdue.push(...(await runStage(stage, start + graceMs + EXTRA_MS[stage])))
    if (overdue.length > 0) log.warn('not everything ended in time', { parts: overdue.join(', ') })
    return overdue
  }

  return {
    add: (stage, name, step) => void steps.push({ stage, name, step }),
    run(graceMs) {
      running ??= runAll(graceMs)
      return running
    },
  }
}
