// A database of the private PostgreSQL whose owner is not a superuser.
import { asUser, giveOwner } from './databases.ts'
import { createTestDatabase } from './postgres.ts'

export { asUser }

export interface OwnedDatabase {
  readonly superuserUrl: string
  readonly ownerUrl: string
  drop(): Promise<void>
}

export async function createOwnedDatabase(): Promise<OwnedDatabase> {
  const database = await createTestDatabase()
  return { superuserUrl: database.url, ownerUrl: await giveOwner(database.url), drop: database.drop }
}
