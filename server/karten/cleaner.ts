// Removes files that no row refers to any more: deleted with their plan or customer, replaced, or
// left by a server that died. Once a day, and only files older than a day: the row of a younger one
// may still be on its way.
import type { Context, Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { createJob, type Job } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import type { Store } from '#server/files/store.ts'

export interface CleanerOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly log: Log
  readonly now: () => Date
  /** Left out: no other server can be at it. */
  readonly alone?: Alone
}

/** Work that of several servers only one does: null if another is doing it (operations/as-owner.ts). */
export type Alone = <T>(lock: number, work: () => Promise<T>) => Promise<T | null>

export const GRACE_MS = 24 * 60 * 60 * 1000
const AT_ONCE = 500
/** Arbitrary but fixed. */
export const LOCK = 1_720_336_918
const WORKER: Context = { role: 'forst_karte' }
const NAMED = { name: 'named_files', text: 'select maps.named_files($1::text[]) as name' }
const FORGET = { name: 'forget_deleted', text: 'select maps.forget_deleted_vermessung()' }
const ANY = { name: 'has_files', text: 'select maps.has_files() as there' }

/**
 * Returns how many were removed. A database without any file was just created or restored for a trial:
 * then nothing is removed.
 */
export async function cleanUpFiles(options: CleanerOptions): Promise<number> {
  const { fileStore, now, alone = (_lock, work) => work() } = options
  const before = new Date(now().getTime() - GRACE_MS)
  // Each server has its own.
  await fileStore.cleanUpWork(before)
  return (await alone(LOCK, () => removeUnnamed(options, before))) ?? 0
}

async function removeUnnamed({ database, fileStore, log }: CleanerOptions, before: Date): Promise<number> {
  await database.once(WORKER, FORGET)
  const { rows } = await database.once<{ there: boolean }>(WORKER, ANY)
  if (rows[0]?.there !== true) return 0
  let removed = 0
  const namedOf = async (names: readonly string[]): Promise<ReadonlySet<string>> => {
    const named = await database.once<{ name: string }>(WORKER, {
      ...NAMED,
      values: [`{${names.join(',')}}`],
    })
    return new Set(named.rows.map(({ name }) => name))
  }
  const settle = async (names: readonly string[]) => {
    if (names.length === 0) return
    const kept = await namedOf(names)
    for (const name of names) {
      if (kept.has(name)) continue
      // Once more, the row before the age: it may have been stored again, and got a row, since the list was made.
      if ((await namedOf([name])).has(name)) continue
      if (await fileStore.removeOld(name, before)) removed++
    }
  }
  let names: string[] = []
  for await (const { sha256, seit } of fileStore.liste()) {
    if (seit >= before) continue
    names.push(sha256)
    if (names.length < AT_ONCE) continue
    await settle(names)
    names = []
  }
  await settle(names)
  if (removed > 0) log.info('files that nothing names removed', { count: removed })
  return removed
}

/** So that it does not compete with the start. */
const FIRST_MS = 15 * 60_000

export function cleanerJob(
  options: CleanerOptions & { readonly alone: Alone; cleanUpUploads(): Promise<unknown> },
): Job {
  return createJob({
    name: 'clean-up of files',
    nightly: true,
    firstMs: FIRST_MS,
    everyMs: GRACE_MS,
    round: async () => {
      await options.cleanUpUploads()
      await cleanUpFiles(options)
    },
    onFault: (error) => options.log.error('files could not be cleaned up', { reason: reasonForLog(error) }),
  })
}
