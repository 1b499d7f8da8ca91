// The hiking club of server/data-api/dialect.fixture.ts behind a data API, on both engines.
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../server/database/database.ts'
import { openTestDatabase } from '../server/database/embedded.fixture.ts'
import { createPostgresDatabase } from '../server/database/postgres.ts'
import { openShop, type Shop } from '../server/data-api/data-api.fixture.ts'
import type { DataApiOptions } from '../server/data-api/data-api.ts'
import { DIALECT_OPTIONS, DIALECT_SQL } from '../server/data-api/dialect.fixture.ts'
import { silentLog } from '../server/log.ts'
import { createTestDatabase, postgresUrl } from './postgres.ts'

export interface DialectHome {
  readonly shop: Shop
  /** For further servers in front of it. */
  readonly database: Database
  /** As superuser. */
  run(sql: string): Promise<void>
  close(): Promise<void>
}

interface Opened {
  readonly database: Database
  run(sql: string): Promise<void>
  close(): Promise<void>
}

async function onPostgres(): Promise<Opened> {
  const test = await createTestDatabase()
  const admin = new pg.Client({ connectionString: test.url })
  await admin.connect()
  const url = new URL(test.url)
  url.username = 'trail_login'
  const database = createPostgresDatabase({ url: url.toString(), poolSize: 4, log: silentLog })
  return {
    database,
    run: async (sql) => void (await admin.query(sql)),
    close: async () => {
      await database.close()
      await admin.end()
      await test.drop()
    },
  }
}

async function onEmbedded(): Promise<Opened> {
  const database = await openTestDatabase({ loginRole: 'trail_login' })
  return {
    database,
    run: (sql) => database.asOwner((owner) => owner.script(sql)),
    close: async () => {
      await database.close()
      rmSync(database.folder, { recursive: true })
    },
  }
}

/** Roles belong to the whole server, so two files that make them at once may disturb each other. */
async function prepare(home: Opened, attempt = 1): Promise<void> {
  try {
    await home.run(DIALECT_SQL)
  } catch (error) {
    if (attempt === 5) throw error
    await sleep(200)
    await prepare(home, attempt + 1)
  }
}

async function opened(open: () => Promise<Opened>, options: Partial<DataApiOptions>): Promise<DialectHome> {
  const home = await open()
  await prepare(home)
  const shop = await openShop(home.database, { ...DIALECT_OPTIONS, ...options })
  return {
    shop,
    database: home.database,
    run: home.run,
    close: async () => {
      await shop.close()
      await home.close()
    },
  }
}

export const DIALECT_ENGINES = [
  {
    engine: 'PostgreSQL',
    open: (options: Partial<DataApiOptions> = {}) => opened(onPostgres, options),
    skip: () => postgresUrl() === null,
  },
  {
    engine: 'embedded',
    open: (options: Partial<DataApiOptions> = {}) => opened(onEmbedded, options),
    skip: () => false,
  },
]
