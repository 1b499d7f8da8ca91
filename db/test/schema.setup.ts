// The product's tables and rules in a database of the run's PostgreSQL, created once by an owner who is not a
// superuser: each suite gets a copy.
import type { TestProject } from 'vitest/node'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/operations/migrate.ts'
import { SCHEMA_FOLDER } from '#server/prepare.ts'
import { copyDatabase, giveOwner, withDatabase } from '../../test/databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the database to copy; it must have no open connections. */
    schemaUrl: string
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const server = project.getProvidedContext().postgresUrl
  if (server === null) return
  const url = await copyDatabase(withDatabase(server, 'template1'))
  const owner = await createOwnerConnection(await giveOwner(url))
  await migrate(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
  await owner.close()
  project.provide('schemaUrl', url)
}
