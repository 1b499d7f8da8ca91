// Finds PostgreSQL with PostGIS on this machine.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Folder of initdb and postgres, newest version first (15 or newer, with PostGIS); undefined if none is
 * installed.
 */
export function findPostgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  return readdirSync(root)
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .filter((version) => existsSync(`/usr/share/postgresql/${version}/extension/postgis.control`))
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** The pooler for the test with several servers; undefined if not installed. */
export const findPgbouncer = (): string | undefined =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((place) => existsSync(place))
