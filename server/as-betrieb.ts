// The server's own work in the database: as the owner, or one statement as forst_betrieb.
import type { OwnerConnection } from './database/database.ts'

/** Runs work as the owner, on either engine; the connection is valid only while `work` runs. */
export type AsOwner = <T>(work: (owner: OwnerConnection) => Promise<T>) => Promise<T>

/** One statement in its own transaction. */
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
