// Daily work: terms of subscriptions are renewed or end, and whatever else is scheduled. Each task may run
// any number of times and on any server: it looks for what is due and leaves the rest, so no record of runs
// is needed, and nothing is missed while no server is running.
import type { OwnerConnection } from '#server/database/database.ts'
import { countAsFailed, createJob, type Job } from '#server/job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { officeDay } from '#server/office-day.ts'
import type { AsOwner } from './as-owner.ts'

export interface UpkeepTask {
  readonly name: string
  /** In a transaction as forst_betrieb; returns how much was due. */
  run(owner: OwnerConnection, now: Date): Promise<number>
}

export interface UpkeepOptions {
  readonly asOwner: AsOwner
  readonly tasks: readonly UpkeepTask[]
  readonly log: Log
  readonly now: () => Date
}

/** Arbitrary but fixed. */
const LOCK = 1_720_336_916
/** So that it does not compete with the start; earlier if the rounds are shorter. */
const FIRST_MS = 20_000

/**
 * A failing task does not keep the others from running; while another server holds the
 * lock, the task is skipped. Returns how many have failed.
 */
export async function runUpkeep({ asOwner, tasks, log, now }: UpkeepOptions): Promise<number> {
  let failed = 0
  const tell = (task: string, error: unknown): void => {
    failed++
    log.error('upkeep failed', { task, reason: reasonForLog(error) })
  }
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
        tell(name, error)
      }
    }).catch((error: unknown) => tell(name, error))
  return failed
}

/** @param options.atStart tasks whose result is needed from the first minute */
export function upkeepJob({
  everyMs,
  atStart = [],
  ...options
}: UpkeepOptions & { readonly everyMs: number; readonly atStart?: readonly UpkeepTask[] }): Job {
  return createJob({
    name: 'upkeep',
    nightly: true,
    firstMs: FIRST_MS,
    everyMs,
    atStart: async () => countAsFailed((await runUpkeep({ ...options, tasks: atStart })) > 0),
    round: async () => countAsFailed((await runUpkeep(options)) > 0),
    onFault: (error) => options.log.error('upkeep failed', { reason: reasonForLog(error) }),
  })
}

/** Renews or ends subscriptions whose last day is over. */
export const turnTerms: UpkeepTask = {
  name: 'terms of subscriptions',
  async run(owner, now) {
    const { rows } = await owner.query<{ due: number }>('select abo.renew_due($1::date) as due', [
      officeDay(now),
    ])
    return Number(rows[0]?.due ?? 0)
  },
}
