import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { dump } from './dump.ts'
import { migrate } from './migrate.ts'
import { addSampleRows, MIGRATE, openProductDatabase } from './product.fixture.ts'
import { restore } from './restore.ts'

/** Each is the next revision of the one before, and is before it in the dump. */
const addOffers = (owner: OwnerConnection, count: number, textLength: number) =>
  owner.script(`alter table app.angebot disable trigger user;
    insert into app.angebot (id, client_id, an_datum, ust_satz, anschreiben, ersetzt)
      select i, 1, '2026-01-01', 19, repeat('a"\\ü', ${textLength / 4}), nullif(i - 1, 0)
      from generate_series(${count}, 1, -1) i;
    alter table app.angebot enable trigger user`)

const firstRevision = 'select id from app.angebot where ersetzt is null'
const orderInFile = 'select id from app.angebot order by ctid limit 1'

describe.skipIf(postgresUrl() === null)('tables whose rows refer to each other', () => {
  let source: OwnerConnection
  let folder: string
  const databases: TestDatabase[] = []
  const emptyPostgres = async () => {
    const database = await createTestDatabase()
    databases.push(database)
    return database.url
  }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-restore-'))
    source = await createOwnerConnection(await emptyPostgres())
    await migrate(source, MIGRATE)
    await addSampleRows(source, 3)
  })
  afterAll(async () => {
    await source.close()
    for (const database of databases) await database.drop()
    rmSync(folder, { recursive: true })
  })

  test('rows that stand before those they refer to arrive, also on the embedded engine', async () => {
    await addOffers(source, 2500, 40)
    expect((await source.query(orderInFile)).rows).toEqual([{ id: 2500 }])
    const path = join(folder, 'few.gz')
    await dump(source, path, MIGRATE.now)
    const target = await createOwnerConnection(await emptyPostgres())
    await restore(target, path, MIGRATE)
    expect((await target.query(firstRevision)).rows).toEqual([{ id: 1 }])
    expect((await target.query('select count(*) as n from app.angebot')).rows).toEqual([{ n: 2500 }])
    await target.close()
    const embedded = await openProductDatabase()
    await embedded.asOwner(async (owner) => {
      await restore(owner, path, MIGRATE)
      expect((await owner.query(firstRevision)).rows).toEqual([{ id: 1 }])
    })
    await embedded.close()
    rmSync(embedded.folder, { recursive: true })
    await source.script('delete from app.angebot')
  })

  const command = (url: string, settings: NodeJS.ProcessEnv, ...words: readonly string[]) => {
    const file = join(import.meta.dirname, '../../scripts/operate.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
      env: { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), BACKUP_DIR: folder, ...settings },
      encoding: 'utf8',
    })
    return { status, text: stdout + stderr }
  }

  test('what cannot be noted among the anchors is said before the restore, or plainly after it', async () => {
    await source.script(`insert into app.siegel_form values (9999, 'kunde', '{}');
      alter table app.siegel disable trigger user;
      insert into app.siegel (nr, zeit, tabelle, schluessel, art, durch, form, felder, pruefsumme, hash)
        values (1, now(), 'kunde', '1', 'neu', 'none', 9999, '', sha256('a'), sha256('b'));
      alter table app.siegel enable trigger user`)
    const path = join(folder, 'books.gz')
    await dump(source, path, MIGRATE.now)
    const url = await emptyPostgres()
    const before: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
      [{ ANCHOR_FILE: folder }, /ANCHOR_FILE.*nichts geändert/],
      [{ ANCHOR_KEY_FILE: join(folder, 'no-key') }, /no-key \(ANCHOR_KEY_FILE\).*nichts geändert/],
    ]
    for (const [settings, said] of before)
      expect(command(url, settings, 'restore', path)).toEqual({
        status: 1,
        text: expect.stringMatching(said),
      })
    // Takes no byte, as a full disk.
    expect(command(url, { ANCHOR_FILE: '/dev/full' }, 'restore', path)).toEqual({
      status: 1,
      text: expect.stringMatching(/alle Prüfsummen stimmen[^]*Zurückgesichert, aber .*npm run note-restore/),
    })
    const file = join(folder, 'anchors.jsonl')
    expect(command(url, { ANCHOR_FILE: file }, 'note-restore')).toEqual({
      status: 0,
      text: expect.stringContaining(`Vermerkt in ${file}`),
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ nr: 1, art: 'wiederhergestellt' })
  }, 120_000)

  test('many of them need little memory', async () => {
    await addOffers(source, 15_000, 4_000)
    const path = join(folder, 'many.gz')
    await dump(source, path, MIGRATE.now)
    const url = await emptyPostgres()
    const file = join(import.meta.dirname, '../../scripts/operate.ts')
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=96', file, 'restore', path],
      { env: { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), BACKUP_DIR: folder }, encoding: 'utf8' },
    )
    expect(stdout + stderr).toContain('alle Prüfsummen stimmen')
    expect(status).toBe(0)
  }, 400_000)
})
