import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase, postgresUrl } from './postgres.ts'

test.skipIf(postgresUrl() === null)('the private server is PostgreSQL 15 or newer with PostGIS', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create extension postgis')
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, postgis_lib_version() as postgis`,
  )
  await client.end()
  await database.drop()
  expect(rows[0].version).toBeGreaterThanOrEqual(150000)
  expect(Number.parseFloat(rows[0].postgis)).toBeGreaterThanOrEqual(3.3)
})
