// Moves all data from one database to another, on any engines, by way of a dump that
// is kept as a safety copy.
import type { OwnerConnection } from '#server/database/database.ts'
import { dump } from './dump.ts'
import type { MigrateOptions } from './migrate.ts'
import { type Restored, restore } from './restore.ts'

export interface Move {
  readonly from: OwnerConnection
  /** Must be empty. */
  readonly to: OwnerConnection
  /** Where the intermediate dump is kept. */
  readonly path: string
}

/** The source is not changed: it must not be written to meanwhile, so its server must be stopped. */
export async function move({ from, to, path }: Move, options: MigrateOptions): Promise<Restored> {
  await dump(from, path, options.now)
  return restore(to, path, options)
}
