// A private PostgreSQL with the product's schema and the small test world, for measuring the bookkeeping.
import { join } from 'node:path'
import type { Context, Database, OwnerConnection } from '#server/database/database.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/operations/migrate.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { asUser } from '../../test/databases.ts'
import { claimsOf } from '../../db/test/world.ts'
import { startPrivatePostgres } from '../api/private-postgres.ts'

export const BOOKKEEPER: Context = {
  role: 'nutzer',
  settings: { 'request.jwt.claims': JSON.stringify(claimsOf('apus_admin')) },
}

export interface BenchOffice {
  readonly owner: OwnerConnection
  readonly url: string
  /** Connects with the server's login. */
  connect(poolSize: number): Database
  close(): Promise<void>
}

export async function openOffice(): Promise<BenchOffice> {
  const postgres = await startPrivatePostgres()
  const first = await createOwnerConnection(postgres.url)
  await first.script('create role haus login createrole')
  await first.script('create database haus owner haus')
  await first.close()
  const address = new URL(postgres.url)
  address.pathname = '/haus'
  const url = address.toString()
  const owner = await createOwnerConnection(url)
  await owner.script(`create extension postgis;
    revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
    grant execute on function pg_catalog.set_config(text, text, boolean) to haus with grant option`)
  const migrating = await createOwnerConnection(asUser(url, 'haus'))
  await migrate(migrating, {
    folder: join(import.meta.dirname, '../../db'),
    log: silentLog,
    now: () => new Date(),
  })
  await migrating.close()
  await buildWorld(owner)
  return {
    owner,
    url,
    connect: (poolSize) =>
      createPostgresDatabase({ url: asUser(url, 'forst_api'), poolSize, log: silentLog }),
    async close() {
      await owner.close()
      await postgres.stop()
    },
  }
}
