// A fresh database of the private PostgreSQL for one test file.
import { inject } from 'vitest'
import { copyDatabase, dropDatabase, withDatabase } from './databases.ts'

/** URL of the private server, or null if none is installed (the suite is then skipped and counted). */
export const postgresUrl = (): string | null => inject('postgresUrl')

export interface TestDatabase {
  /** Superuser URL of a separate database. */
  readonly url: string
  drop(): Promise<void>
}

/** Creates an empty database; `template` copies an existing one. */
export async function createTestDatabase(template = 'template1'): Promise<TestDatabase> {
  const server = postgresUrl()
  if (server === null) throw new Error('no PostgreSQL with PostGIS is installed')
  const url = await copyDatabase(withDatabase(server, template))
  return { url, drop: () => dropDatabase(url) }
}
