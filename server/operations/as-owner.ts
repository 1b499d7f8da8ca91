import type { Database, OwnerConnection } from '#server/database/database.ts'

/** Runs work as the owner, on either engine; the connection is valid only while `work` runs. */
export type AsOwner = <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>

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

/** One statement of the server's own work, as forst_betrieb. */
export const asBetrieb = <Row = Record<string, unknown>>(
  asOwner: AsOwner,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> =>
  asOwner(async (owner) => {
    await owner.script('begin; set local role forst_betrieb')
    try {
      const { rows } = await owner.query<Row>(text, values)
      await owner.script('commit')
      return rows
    } catch (error) {
      await owner.script('rollback')
      throw error
    }
  })
