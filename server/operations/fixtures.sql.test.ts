// Databases of earlier versions (db/fixtures): each is upgraded with all its rows, on both engines.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { createTestDatabase, postgresUrl } from '../../test/postgres.ts'
import { readManifest } from './dump-file.ts'
import { migrateTo } from './migrate.ts'
import { MIGRATE } from './product.fixture.ts'
import { restore } from './restore.ts'
import { readTables, sumTable, type Table } from './tables.ts'

const FIXTURES = join(MIGRATE.folder, 'fixtures')
const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.gz'))

/**
 * What a later version deliberately changed in rows of an earlier one, by version and table, with the reason.
 */
const CHANGED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '0.2.0': { 'app.kunde_rechnung': 'the country became a part of the address, app.kunde.land (0053)' },
}

type WithOwner = (work: (owner: OwnerConnection) => Promise<void>) => Promise<void>

const onPostgres: WithOwner = async (work) => {
  const database = await createTestDatabase()
  const owner = await createOwnerConnection(database.url)
  try {
    await work(owner)
  } finally {
    await owner.close()
    await database.drop()
  }
}
/** Created from scratch: an archive would already be the current version. */
const onEmbedded: WithOwner = async (work) => {
  const database = await openTestDatabase()
  try {
    await database.asOwner(work)
  } finally {
    await database.close()
    rmSync(database.folder, { recursive: true, force: true })
  }
}

/** The columns of that version: a later one may have added some. */
async function tablesOfThen(owner: OwnerConnection, path: string): Promise<Table[]> {
  await migrateTo(owner, (await readManifest(path)).migrations, MIGRATE)
  return readTables(owner)
}

/** A table may have moved to another schema since. */
function nameNow(name: string, present: ReadonlySet<string>): string {
  const bare = name.split('.').at(-1)
  return present.has(name) ? name : ([...present].find((one) => one.split('.').at(-1) === bare) ?? name)
}

async function takeUp(owner: OwnerConnection, path: string, version: string): Promise<void> {
  const then = await tablesOfThen(owner, path)
  const { manifest, rows } = await restore(owner, path, MIGRATE)
  expect(rows).toBe(manifest.tables.reduce((sum, table) => sum + Number(table.rows), 0))
  expect(rows).toBeGreaterThan(1000)
  const present = new Set((await readTables(owner)).map(({ name }) => name))
  await owner.script('begin')
  for (const table of then) {
    if (CHANGED[version]?.[table.name] !== undefined) continue
    const before = manifest.tables.find(({ name }) => name === table.name)
    expect(await sumTable(owner, { ...table, name: nameNow(table.name, present) }), table.name).toMatchObject(
      {
        rows: before?.rows,
        checksum: before?.checksum,
      },
    )
  }
  await owner.script('rollback')
}

test('there is a database of 0.2.0', () => expect(names).toContain('0.2.0.gz'))

for (const name of names) {
  const version = name.replace('.gz', '')
  describe(`a database of ${version}`, () => {
    test('has a row in every table', async () => {
      const { tables } = await readManifest(join(FIXTURES, name))
      expect(tables.length).toBeGreaterThan(50)
      expect(tables.filter(({ rows }) => Number(rows) === 0).map((table) => table.name)).toEqual([])
    })
    test.skipIf(postgresUrl() === null)('is taken up on PostgreSQL with all rows', { timeout: 240_000 }, () =>
      onPostgres((owner) => takeUp(owner, join(FIXTURES, name), version)),
    )
    test('is taken up by the embedded engine with all rows', { timeout: 240_000 }, () =>
      onEmbedded((owner) => takeUp(owner, join(FIXTURES, name), version)),
    )
  })
}
