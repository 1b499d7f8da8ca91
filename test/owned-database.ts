// A database of the private PostgreSQL as a careful operator prepares it: its owner is no superuser; what only a superuser can do is done beforehand.
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { asUser } from './databases.ts'
import { createTestDatabase } from './postgres.ts'

export { asUser }

export interface OwnedDatabase {
  readonly superuserUrl: string
  readonly ownerUrl: string
  drop(): Promise<void>
}

/** The same lines stand in docs/operations.md. */
export async function createOwnedDatabase(): Promise<OwnedDatabase> {
  const database = await createTestDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const superuser = await createOwnerConnection(database.url)
  await superuser.script(`create role ${name} login createrole; alter database ${name} owner to ${name}; create extension postgis;
    revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
    grant execute on function pg_catalog.set_config(text, text, boolean) to ${name} with grant option`)
  await superuser.close()
  return { superuserUrl: database.url, ownerUrl: asUser(database.url, name), drop: database.drop }
}
