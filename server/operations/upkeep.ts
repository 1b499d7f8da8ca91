// Work that the day brings: terms of subscriptions turn, and whatever else is due by the clock. Each task may run as often as one likes and by any server: it looks for
// what is due and leaves the rest, so there is no record of runs and nothing is missed while no server was up.
import type { OwnerConnection } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { AsOwner } from './as-owner.ts'

export interface UpkeepTask {
  readonly name: string
  /** Within a transaction as forst_betrieb; answers how much was due. */
  run(owner: OwnerConnection, now: Date): Promise<number>
}

export interface UpkeepOptions {
  readonly asOwner: AsOwner
  readonly tasks: readonly UpkeepTask[]
  readonly log: Log
  readonly now: () => Date
}

/** Any number, but always the same one. */
const LOCK = 1_720_336_916
/** So that it does not compete with the start; shorter where the rounds are. */
const FIRST_MS = 20_000

/** A task that fails does not keep the others from running; another server that is at it is left alone. */
export async function runUpkeep({ asOwner, tasks, log, now }: UpkeepOptions): Promise<void> {
  for (const { name, run } of tasks)
    await asOwner(async (owner) => {
      await owner.script('begin; set local role forst_betrieb')
      try {
        const { rows } = await owner.query<{ got: boolean }>(
          `select pg_try_advisory_xact_lock(${LOCK}) as got`,
        )
        const due = rows[0]?.got === true ? await run(owner, now()) : 0
        await owner.script('commit')
        if (due > 0) log.info('upkeep', { task: name, due })
      } catch (error) {
        await owner.script('rollback')
        log.error('upkeep failed', { task: name, reason: String(error) })
      }
    }).catch((error: unknown) => log.error('upkeep failed', { task: name, reason: String(error) }))
}

export function startUpkeep({ everyMs, ...options }: UpkeepOptions & { readonly everyMs: number }): {
  stop(): Promise<void>
} {
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = running.then(() => runUpkeep(options))
  }
  const first = setTimeout(run, Math.min(FIRST_MS, everyMs)).unref()
  const every = setInterval(run, everyMs).unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(every)
      await running
    },
  }
}

/** The day where the customers are, whatever clock the server has: a term ends at their midnight. */
export const germanDay = (now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(now)

/** Renews and ends subscriptions whose last day is over. */
export const turnTerms: UpkeepTask = {
  name: 'terms of subscriptions',
  async run(owner, now) {
    const { rows } = await owner.query<{ due: number }>('select rechte.fortschreiben($1::date) as due', [
      germanDay(now),
    ])
    return Number(rows[0]?.due ?? 0)
  },
}

export const UPKEEP: readonly UpkeepTask[] = [turnTerms]
