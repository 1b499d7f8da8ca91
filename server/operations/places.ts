// Where data can be, as an operator names it: the address of a PostgreSQL database or a data
// folder of the embedded engine.
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { OwnerConnection } from '#server/database/database.ts'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'

export const SCHEMA_FOLDER = join(import.meta.dirname, '../../db')

/** The place that the settings name. */
export const configuredPlace = (config: Config): string =>
  config.DATABASE_OWNER_URL ?? config.DATABASE_URL ?? config.DATA_DIR

export const isAddress = (place: string) => /^postgres(ql)?:\/\//.test(place)

/** For messages: without the password. */
export function describePlace(place: string): string {
  if (!isAddress(place)) return `Ordner ${place}`
  const { host, pathname } = new URL(place)
  return `PostgreSQL ${host}${pathname}`
}

/** Rejects with FolderInUse while a server is running on the folder. */
export async function atPlace<T>(place: string, work: (owner: OwnerConnection) => Promise<T>): Promise<T> {
  if (isAddress(place)) {
    const owner = await createOwnerConnection(place)
    try {
      return await work(owner)
    } finally {
      await owner.close()
    }
  }
  const database = await createEmbeddedDatabase({ folder: place, log: silentLog })
  try {
    return await database.asOwner(work)
  } finally {
    await database.close()
  }
}
