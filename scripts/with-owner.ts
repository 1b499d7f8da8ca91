// Opens a database as its owner for a command: the embedded one by its folder, PostgreSQL by its URL.
import { placeOf } from '../server/database/address.ts'
import type { OwnerConnection } from '../server/database/database.ts'
import { createEmbeddedDatabase } from '../server/database/embedded.ts'
import { createLog } from '../server/log.ts'
import { connectOwner } from '../server/open-database.ts'

/** Only warnings and errors: the command itself reports what it did. */
export const commandLog = {
  ...createLog(
    (line) => console.error(line),
    () => new Date(),
  ),
  info() {},
}

export type Place = { readonly folder: string } | { readonly url: string }

export const nameOf = (place: Place): string =>
  'folder' in place ? `der eingebauten Datenbank in ${place.folder}` : `PostgreSQL auf ${placeOf(place.url)}`

export async function withOwner<T>(place: Place, work: (owner: OwnerConnection) => Promise<T>): Promise<T> {
  if ('folder' in place) {
    const database = await createEmbeddedDatabase({ folder: place.folder, log: commandLog })
    try {
      return await database.asOwner(work)
    } finally {
      await database.close()
    }
  }
  const owner = await connectOwner(place.url)
  try {
    return await work(owner)
  } finally {
    await owner.close()
  }
}
