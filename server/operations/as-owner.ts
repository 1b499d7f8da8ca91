import type { AsOwner } from '#server/as-betrieb.ts'
import type { Database } from '#server/database/database.ts'

export type { AsOwner }

/**
 * Work that of several servers only one does: null if another is doing it. The embedded engine has only one
 * process and one connection: a lock held beside the work would block it.
 */
export async function aloneAmongServers<T>(
  { asOwner, engine }: { readonly asOwner: AsOwner; readonly engine: Database['engine'] },
  lock: number,
  work: () => Promise<T>,
): Promise<T | null> {
  if (engine === 'embedded') return work()
  return asOwner(async (holder) => {
    await holder.script('begin')
    try {
      const { rows } = await holder.query<{ got: boolean }>(
        `select pg_try_advisory_xact_lock(${lock}) as got`,
      )
      return rows[0]?.got === true ? await work() : null
    } finally {
      await holder.script('rollback')
    }
  })
}
