import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import type { AsOwner } from './as-owner.ts'
import { type BackupOptions, runBackup, startBackupSchedule } from './backup-schedule.ts'
import { checkIntegrity } from './integrity.ts'
import { migrate } from './migrate.ts'
import { addSampleRows, MIGRATE, openProductDatabase, productArchive } from './product.fixture.ts'
import { embeddedScratch, postgresScratch } from './scratch.ts'
import { readState } from './state.ts'

const connectEach =
  (url: string): AsOwner =>
  async (work) => {
    const owner = await createOwnerConnection(url)
    try {
      return await work(owner)
    } finally {
      await owner.close()
    }
  }

describe.skipIf(postgresUrl() === null)('scheduled dumps on PostgreSQL', () => {
  let home: TestDatabase
  let owner: OwnerConnection
  let options: BackupOptions
  let folder: string
  let now = new Date('2026-11-21T02:30:00Z')
  beforeAll(async () => {
    home = await createTestDatabase()
    owner = await createOwnerConnection(home.url)
    await migrate(owner, MIGRATE)
    await addSampleRows(owner, 50)
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-backup-'))
    const scratch = postgresScratch(home.url, () => Promise.reject(new Error('the embedded engine is not meant here')))
    options = {
      asOwner: connectEach(home.url),
      scratch,
      engine: 'postgres',
      folder,
      schemaFolder: MIGRATE.folder,
      keep: { daily: 2, weekly: 0 },
      log: silentLog,
      now: () => now,
    }
  })
  afterAll(async () => {
    await owner.close()
    await home.drop()
    rmSync(folder, { recursive: true })
  })
  const recorded = async () =>
    (await owner.query('select ergebnis, engine, groesse > 1000 as large, meldung from betrieb.sicherung order by id')).rows

  test('a dump is restored beside, compared, recorded and rotated', async () => {
    for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) {
      now = new Date(`${day}T02:30:00Z`)
      expect((await runBackup(options))?.ergebnis).toBe('ok')
    }
    expect(await recorded()).toEqual(Array(3).fill({ ergebnis: 'ok', engine: 'postgres', large: true, meldung: null }))
    expect(readdirSync(folder)).toEqual(['forstkontor-2026-11-20T02-30-00Z.gz', 'forstkontor-2026-11-21T02-30-00Z.gz'])
    expect((await owner.query(`select from pg_database where datname like 'forstkontor_probe_%'`)).rowCount).toBe(0)
  })

  test('a dump that cannot be restored is a recorded fault, and the good ones stay', async () => {
    now = new Date('2026-11-22T02:30:00Z')
    const result = await runBackup({ ...options, scratch: () => Promise.reject(new Error('kein Platz')) })
    expect(result).toMatchObject({ ergebnis: 'fehler', meldung: expect.stringContaining('Rücksicherung zur Probe ist gescheitert') })
    expect((await recorded()).at(-1)).toMatchObject({ ergebnis: 'fehler', meldung: expect.stringContaining('kein Platz') })
    expect(readdirSync(folder).length).toBe(2)
  })

  test('of two servers one makes the dump, and a second run finds it done', async () => {
    now = new Date('2026-11-23T02:30:00Z')
    const since = new Date('2026-11-23T02:00:00Z')
    const both = await Promise.all([runBackup(options, since), runBackup(options, since)])
    expect(both.filter((result) => result !== null).length).toBe(1)
    expect(await runBackup(options, since)).toBe(null)
  })

  test('the schedule runs at its time by the given clock, catches up and stops', async () => {
    now = new Date(2026, 10, 24, 12, 0)
    const planned: { work: () => void; ms: number }[] = []
    const waiters: (() => void)[] = []
    const timers = {
      set: (work: () => void, ms: number) => {
        planned.push({ work, ms })
        waiters.shift()?.()
      },
      clear: () => undefined,
    }
    const schedule = startBackupSchedule({ ...options, at: '02:30' }, timers)
    expect(planned[0]?.ms).toBe(120_000)
    const nextPlanned = new Promise<void>((resolve) => waiters.push(resolve))
    const before = (await recorded()).length
    planned[0]?.work()
    await nextPlanned
    expect((await recorded()).length).toBe(before + 1)
    expect(planned[1]?.ms).toBe(14.5 * 3_600_000)
    await schedule.stop()
  })

  test('the state for the admin page', async () => {
    const state = await readState({ asOwner: options.asOwner, folder, startedAt: new Date('2026-11-21T00:00:00Z') })
    expect(state).toMatchObject({ engine: 'postgres', sicherung: { ergebnis: 'ok' }, gestartet: '2026-11-21T00:00:00.000Z' })
    expect(state.version).toMatch(/^PostgreSQL \d+.*, PostGIS 3/)
    expect(state.schema).toMatch(/^\d{4}_/)
    expect(state.frei_bytes).toBeGreaterThan(0)
    expect(state.set_config_offen).toBe(false)
    expect(new Date(state.sicherung?.zeit ?? '').getTime()).toBe(new Date(2026, 10, 24, 12, 0).getTime())
  })
})

describe('embedded: dump, check of integrity, damage', () => {
  test('a dump is proved on a second engine; damage on disk is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forstkontor-backup-'))
    const database = await openProductDatabase()
    await database.asOwner((owner) => addSampleRows(owner, 400))
    const asOwner: AsOwner = (work) => database.asOwner(work)
    const options = {
      asOwner,
      engine: 'embedded' as const,
      folder,
      schemaFolder: MIGRATE.folder,
      keep: { daily: 7, weekly: 4 },
      log: silentLog,
      now: () => new Date(),
    }
    expect(await runBackup({ ...options, scratch: embeddedScratch(folder, silentLog, productArchive()) })).toMatchObject({
      ergebnis: 'ok',
      meldung: null,
    })
    expect(readdirSync(folder).length).toBe(1)
    expect(await checkIntegrity(asOwner, options)).toEqual({ ergebnis: 'ok', meldung: null })
    expect(await checkIntegrity(asOwner, { ...options, unlessWithinMs: 60_000 })).toBe(null)

    const { rows } = await asOwner((owner) => owner.query<{ path: string }>(`select pg_relation_filepath('app.kunde') as path`))
    await database.close()
    const file = openSync(join(database.folder, 'pgdata', rows[0]?.path ?? ''), 'r+')
    writeSync(file, Buffer.alloc(64, 0x5a), 0, 64, 8192 + 7000)
    closeSync(file)
    const damaged = await openTestDatabase({ folder: database.folder, templateArchive: productArchive() })
    const result = await checkIntegrity((work) => damaged.asOwner(work), options)
    await damaged.close()
    expect(result?.ergebnis).toBe('fehler')
    expect(result?.meldung).toContain('kunde')
    rmSync(folder, { recursive: true })
    rmSync(database.folder, { recursive: true })
  }, 180_000)
})
