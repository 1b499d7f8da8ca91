// A fresh database of the private PostgreSQL for one test file.
import { inject } from 'vitest'
import { copyDatabase, dropDatabase, withDatabase } from './databases.ts'

/** Address of the private server, or null where none is installed (then the suite is skipped and counted). */
export const postgresUrl = (): string | null => inject('postgresUrl')

export interface TestDatabase {
  /** Superuser address of a database of its own. */
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
