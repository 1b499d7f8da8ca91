import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { usageOf } from '#server/reader/usage.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { VOLL } from '../../test/extent.ts'
import type { AsOwner } from './as-owner.ts'
import { type BackupOptions, backupSchedule, runBackup } from './backup-schedule.ts'
import { dump } from './dump.ts'
import { checkIntegrity } from './integrity.ts'
import { migrate } from './migrate.ts'
import { BadDumpFault, createProof, type Proof, type ProofOptions } from './proof.ts'
import { addSampleRows, MIGRATE, openProductDatabase, productArchive } from './product.fixture.ts'
import { restore } from './restore.ts'
import { dumpName, unprovedName } from './rotation.ts'
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

/** A piece is 8 MB: two are more than one; whether the whole is kept in memory only shows with many. */
const MEGABYTES = VOLL ? 400 : 16

const failingWith = (fault: Error): Proof => ({
  prove: () => Promise.reject(fault),
  sweep: () => Promise.resolve(),
})
const failing = failingWith(new BadDumpFault('andere Prüfsumme'))

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
    options = {
      asOwner: connectEach(home.url),
      proof: createProof({ ownerUrl: home.url, folder, schemaFolder: MIGRATE.folder }),
      engine: 'postgres',
      folder,
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
    (
      await owner.query(
        'select ergebnis, engine, groesse > 1000 as large, meldung from betrieb.sicherung order by id',
      )
    ).rows

  test('a dump is restored beside, compared, recorded and rotated', async () => {
    for (const day of ['2026-11-19', '2026-11-20', '2026-11-21']) {
      now = new Date(`${day}T02:30:00Z`)
      expect((await runBackup(options))?.ergebnis).toBe('ok')
    }
    expect(await recorded()).toEqual(
      Array(3).fill({ ergebnis: 'ok', engine: 'postgres', large: true, meldung: null }),
    )
    expect(readdirSync(folder)).toEqual([
      'forstkontor-2026-11-20T02-30-00Z.gz',
      'forstkontor-2026-11-21T02-30-00Z.gz',
    ])
    expect(
      (await owner.query(`select from pg_database where datname like 'forstkontor_probe_%'`)).rowCount,
    ).toBe(0)
  })

  test('a dump that cannot be restored is a recorded fault, and the good ones stay', async () => {
    now = new Date('2026-11-22T02:30:00Z')
    const result = await runBackup({ ...options, proof: failing })
    expect(result).toMatchObject({
      ergebnis: 'fehler',
      meldung: expect.stringContaining('Rücksicherung zur Probe ist gescheitert'),
    })
    expect((await recorded()).at(-1)).toMatchObject({
      ergebnis: 'fehler',
      meldung: expect.stringContaining('andere Prüfsumme'),
    })
    expect(readdirSync(folder).length).toBe(2)
  })

  test('a dump that could not be proved for want of space is a recorded fault too, but stays', async () => {
    now = new Date('2026-11-22T03:00:00Z')
    const proof = failingWith(new Error('kein Platz'))
    const said = 'als ungeprueft-forstkontor-2026-11-22T03-00-00Z.gz aufbewahrt'
    expect(await runBackup({ ...options, proof })).toMatchObject({
      ergebnis: 'fehler',
      meldung: expect.stringMatching(new RegExp(`${said}.*: kein Platz`)),
    })
    now = new Date('2026-11-22T03:30:00Z')
    await runBackup({ ...options, proof })
    expect(readdirSync(folder)).toEqual([
      'forstkontor-2026-11-20T02-30-00Z.gz',
      'forstkontor-2026-11-21T02-30-00Z.gz',
      'ungeprueft-forstkontor-2026-11-22T03-30-00Z.gz',
    ])
    const target = await createTestDatabase()
    const there = await createOwnerConnection(target.url)
    const kept = join(folder, 'ungeprueft-forstkontor-2026-11-22T03-30-00Z.gz')
    expect((await restore(there, kept, MIGRATE)).rows).toBeGreaterThan(200)
    await there.close()
    await target.drop()
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
    const schedule = backupSchedule({ ...options, at: '02:30', timers })
    schedule.start()
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
    const state = await readState({
      asOwner: options.asOwner,
      folder,
      startedAt: new Date('2026-11-21T00:00:00Z'),
    })
    expect(state).toMatchObject({
      engine: 'postgres',
      sicherung: { ergebnis: 'ok' },
      gestartet: '2026-11-21T00:00:00.000Z',
    })
    expect(state.version).toMatch(/^PostgreSQL \d+.*, PostGIS 3/)
    expect(state.schema).toMatch(/^\d{4}_/)
    expect(state.frei_bytes).toBeGreaterThan(0)
    expect(state.set_config_offen).toBe(false)
    expect(new Date(state.sicherung?.zeit ?? '').getTime()).toBe(new Date(2026, 10, 24, 12, 0).getTime())
  })

  test('what failed is tried again within the hour, then less often, at the latest at the next run', async () => {
    now = new Date(2026, 10, 25, 12, 0)
    const planned: { work: () => void; ms: number }[] = []
    let arrived: () => void = () => undefined
    const timers = {
      set: (work: () => void, ms: number) => {
        planned.push({ work, ms })
        arrived()
      },
      clear: () => undefined,
    }
    const schedule = backupSchedule({ ...options, proof: failing, at: '02:30', timers })
    schedule.start()
    for (let round = 0; round < 6; round++) {
      const next = new Promise<void>((resolve) => (arrived = resolve))
      planned[round]?.work()
      await next
    }
    expect(planned.map(({ ms }) => ms / 60_000)).toEqual([2, 30, 60, 120, 240, 480, 14.5 * 60])
    await schedule.stop()
  })

  const probes = async () =>
    (await owner.query(`select from pg_database where datname like 'forstkontor_probe_%'`)).rowCount
  const limits: readonly (readonly [what: string, limits: Partial<ProofOptions>, said: RegExp])[] = [
    ['is killed', { onStart: (child) => setTimeout(() => child.kill('SIGKILL'), 300) }, /endete mit SIGKILL/],
    ['takes too much memory', { memoryBytes: 2 ** 20 }, /mehr als 1 MB Arbeitsspeicher/],
    ['takes too long', { timeoutMs: 400 }, /nicht fertig/],
  ]
  for (const [what, more, said] of limits) {
    for (const engine of ['postgres', 'embedded'] as const) {
      test(`a proof on ${engine} that ${what} fails, and nothing of it is left`, async () => {
        now = new Date(now.getTime() + 60_000)
        const at = engine === 'postgres' ? { ownerUrl: home.url } : {}
        const proof = createProof({ folder, schemaFolder: MIGRATE.folder, ...at, ...more })
        const result = await runBackup({ ...options, proof })
        expect(result).toMatchObject({ ergebnis: 'fehler', meldung: expect.stringMatching(said) })
        expect(readdirSync(folder)).toContain(unprovedName(dumpName(now, null)))
        expect(await probes()).toBe(0)
        expect(readdirSync(folder).filter((name) => name.startsWith('probe-'))).toEqual([])
      })
    }
  }

  test('the proof reaches PostgreSQL with what the environment says of the connection', async () => {
    const url = new URL(home.url)
    const path = join(folder, 'umgebung.gz')
    await dump(owner, path, () => now)
    let started = 0
    vi.stubEnv('PGUSER', decodeURIComponent(url.username))
    url.username = ''
    const proof = createProof({
      ownerUrl: url.toString(),
      folder,
      schemaFolder: MIGRATE.folder,
      onStart: () => started++,
    })
    await proof.prove(path, new AbortController().signal).finally(() => vi.unstubAllEnvs())
    expect(started).toBe(1)
  })

  test('a proof that cannot connect beside is done on the embedded engine', async () => {
    const path = join(folder, 'kein-zugang.gz')
    await dump(owner, path, () => now)
    const url = new URL(home.url)
    const role = `einmal_${url.pathname.slice(1)}`
    await owner.script(`create role ${role} login createdb connection limit 1`)
    url.username = role
    let started = 0
    const proof = createProof({
      ownerUrl: url.toString(),
      folder,
      schemaFolder: MIGRATE.folder,
      templateArchive: productArchive(),
      onStart: () => started++,
    })
    await proof.prove(path, new AbortController().signal)
    expect(started).toBe(2)
    expect(await probes()).toBe(0)
    await owner.script(`drop role ${role}`)
  })

  test(`${MEGABYTES} MB of long rows pass in pieces: neither the server nor the proof holds the whole`, {
    timeout: 900_000,
  }, async () => {
    now = new Date(now.getTime() + 60_000)
    const text = `select string_agg(md5(random()::text || i || j), '') from generate_series(1, 32768) j`
    await owner.script(
      `insert into app.verlauf (tabelle, schluessel, aktion, alt)
        select 'kunde', i, 'neu', jsonb_build_object('text', (${text}))
        from generate_series(1, ${MEGABYTES}) i`,
    )
    const path = join(folder, 'lange-zeilen.gz')
    const before = process.memoryUsage().rss
    let [own, others] = [0, 0]
    let child: ChildProcess | undefined
    const look = setInterval(() => {
      own = Math.max(own, process.memoryUsage().rss - before)
      if (child?.pid !== undefined)
        void usageOf(child.pid).then((used) => (others = Math.max(others, used.memoryBytes)))
    }, 100)
    const started = performance.now()
    const proof = createProof({
      ownerUrl: home.url,
      folder,
      schemaFolder: MIGRATE.folder,
      onStart: (begun) => (child = begun),
    })
    await options.asOwner((one) => dump(one, path, () => now))
    const dumped = performance.now()
    await proof.prove(path, new AbortController().signal)
    clearInterval(look)
    const [dumpS, proofS] = [dumped - started, performance.now() - dumped].map((ms) => Math.round(ms / 1000))
    const [ownMb, othersMb] = [own, others].map((bytes) => Math.round(bytes / 2 ** 20))
    console.log(
      `${MEGABYTES} MB: dumped in ${dumpS} s, proved in ${proofS} s; ` +
        `the server took ${ownMb} MB more, the proof ${othersMb} MB in all`,
    )
    rmSync(path)
    await owner.script(`delete from app.verlauf where alt ? 'text'`)
    expect(ownMb).toBeLessThan(400)
    expect(othersMb).toBeLessThan(600)
  })

  test('a schedule that stops gives a proof up at once; it is no failure, and nothing is left', async () => {
    now = new Date(2026, 10, 26, 12, 0)
    const before = (await recorded()).length
    let begun: () => void = () => undefined
    const runs = new Promise<void>((resolve) => (begun = resolve))
    const proof = createProof({ folder, schemaFolder: MIGRATE.folder, onStart: () => begun() })
    const schedule = backupSchedule({
      ...options,
      proof,
      at: '02:30',
      timers: { set: (work) => setTimeout(work, 0), clear: clearTimeout as () => void },
    })
    schedule.start()
    await runs
    const started = performance.now()
    await schedule.stop()
    expect(performance.now() - started).toBeLessThan(10_000)
    expect((await recorded()).length).toBe(before)
    expect(readdirSync(folder).filter((name) => name.startsWith('probe-'))).toEqual([])
  })

  test('what a killed server left is swept by the next start', async () => {
    const left = join(folder, 'probe-abcdef')
    mkdirSync(left)
    const drafts = [
      'forstkontor-2026-11-20T02-30-00Z_3-0123456789abcdef.gz.neu-17',
      'forstkontor-2026-11-20T02-30-00Z.gz.neu-4',
    ]
    const others = ['notizen.gz.neu-17', 'von-hand.dump.neu-17']
    for (const draft of [...drafts, ...others]) writeFileSync(join(folder, draft), '')
    let name = ''
    const proof = createProof({ ownerUrl: home.url, folder, schemaFolder: MIGRATE.folder })
    const { rows } = await owner.query<{ sum: string }>(
      `select left(encode(sha256(convert_to('/' || current_database(), 'UTF8')), 'hex'), 8) as sum`,
    )
    name = `forstkontor_probe_${rows[0]?.sum}_left`
    await owner.query(`create database ${name}`)
    const schedule = backupSchedule({
      ...options,
      proof,
      at: '02:30',
      timers: { set: () => undefined, clear: () => undefined },
    })
    schedule.start()
    await schedule.stop()
    expect(await probes()).toBe(0)
    const kept = readdirSync(folder)
    expect(kept.filter((entry) => ['probe-abcdef', ...drafts, ...others].includes(entry))).toEqual(others)
    for (const draft of others) rmSync(join(folder, draft))
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
      keep: { daily: 7, weekly: 4 },
      log: silentLog,
      now: () => new Date(),
    }
    const proof = createProof({ folder, schemaFolder: MIGRATE.folder, templateArchive: productArchive() })
    expect(await runBackup({ ...options, proof })).toMatchObject({
      ergebnis: 'ok',
      meldung: null,
    })
    expect(readdirSync(folder).length).toBe(1)
    expect(await checkIntegrity(asOwner, options)).toEqual({ ergebnis: 'ok', meldung: null })
    expect(await checkIntegrity(asOwner, { ...options, unlessWithinMs: 60_000 })).toBe(null)

    const { rows } = await asOwner((owner) =>
      owner.query<{ path: string }>(`select pg_relation_filepath('app.kunde') as path`),
    )
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
  }, 400_000)
})
