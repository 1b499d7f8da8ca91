import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import type { EmbeddedDatabase } from '#server/database/embedded.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { dump } from './dump.ts'
import type { Manifest } from './dump-file.ts'
import { migrate } from './migrate.ts'
import { move } from './move.ts'
import { addSampleRows, MIGRATE, openProductDatabase } from './product.fixture.ts'
import { restore } from './restore.ts'

describe.skipIf(postgresUrl() === null)('dump, restore and move', () => {
  let source: EmbeddedDatabase & { readonly folder: string }
  let folder: string
  const databases: TestDatabase[] = []
  const owners: OwnerConnection[] = []
  const urls = new Map<OwnerConnection, string>()
  const emptyPostgres = async () => {
    const database = await createTestDatabase()
    const owner = await createOwnerConnection(database.url)
    databases.push(database)
    owners.push(owner)
    urls.set(owner, database.url)
    return owner
  }
  /** As on a real server: the owner is not a superuser, and PostGIS is installed. */
  const emptyWithPlainOwner = async () => {
    const superuser = await emptyPostgres()
    const url = new URL(databases.at(-1)?.url ?? '')
    const name = url.pathname.slice(1)
    await superuser.script(`create role ${name} login createrole;
      alter database ${name} owner to ${name};
      create extension postgis;
      revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
      grant execute on function pg_catalog.set_config(text, text, boolean) to ${name} with grant option`)
    url.username = name
    const owner = await createOwnerConnection(url.toString())
    owners.push(owner)
    return { owner, superuser }
  }
  const path = (name: string) => join(folder, name)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-dump-'))
    source = await openProductDatabase()
    await source.asOwner(async (owner) => {
      await addSampleRows(owner, 300)
      await owner.script(`insert into dispatch.ereignis_ende (entfernt_bis) values (7);
        insert into accounts.kept_answer (user_id, key, digest, status, body)
          select min(user_id), 'kept-answer-marker', repeat('a', 64), 200, '{}' from app.benutzer;
        insert into maps.vermessung_geloescht (kennung, tabelle, client_id, grund)
          select gen_random_uuid(), 'schacht', min(client_id), 'doppelt' from app.kunde;
        insert into maps.vermessung_empfangen (kennung, digest, client_id)
          select gen_random_uuid(), sha256('a'), min(client_id) from app.kunde`)
    })
  }, 180_000)
  afterAll(async () => {
    await source.close()
    for (const owner of owners) await owner.close()
    for (const database of databases) await database.drop()
    rmSync(folder, { recursive: true })
    rmSync(source.folder, { recursive: true })
  })

  const readDump = (file: string) => gunzipSync(readFileSync(file)).toString()

  test('embedded to PostgreSQL and back: equal sums, geometry included, numbers go on', async () => {
    const { owner: there, superuser } = await emptyWithPlainOwner()
    const out = await source.asOwner((from) => move({ from, to: there, path: path('out.gz') }, MIGRATE))
    expect(out.rows).toBeGreaterThan(2000)
    const rowsOf = (wanted: string) => out.manifest.tables.find(({ name }) => name === wanted)?.rows
    expect(rowsOf('app.hq_flaeche')).toBe(300)
    // Answers to writes hold what people sent, and are useless after a day.
    expect(rowsOf('accounts.kept_answer')).toBe(0)
    expect(readDump(path('out.gz'))).not.toContain('kept-answer-marker')
    expect((await there.query('select from accounts.kept_answer')).rows).toEqual([])
    for (const name of ['dispatch.ereignis_ende', 'maps.vermessung_geloescht', 'maps.vermessung_empfangen'])
      expect(rowsOf(name), name).toBe(1)
    // Every table but the migrator's own, whichever schema a later migration may make.
    const { rows: all } = await superuser.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
    )
    expect(
      all
        .map(({ name }) => name)
        .filter((name) => rowsOf(name) === undefined)
        .toSorted(),
    ).toEqual(['betrieb.migration', 'betrieb.nomen'])
    const next = await superuser.query<{ id: number }>(
      `insert into app.kunde (name, strasse, plz, ort) values ('Neu', 'a', '12345', 'b') returning client_id as id`,
    )
    expect(next.rows).toEqual([{ id: 301 }])
    const forced = `select count(*) as n from pg_class
      where relnamespace = 'app'::regnamespace and relkind = 'r' and not relforcerowsecurity`
    expect((await there.query(forced)).rows).toEqual([{ n: 0 }])
    expect(
      (await there.query(`select count(*) as n from pg_trigger where not tgisinternal and tgenabled = 'D'`))
        .rows,
    ).toEqual([{ n: 0 }])

    const back = await openProductDatabase()
    const home = await back.asOwner((to) => move({ from: there, to, path: path('back.gz') }, MIGRATE))
    const sums = home.manifest.tables.filter(({ name }) => name !== 'app.kunde' && name !== 'app.verlauf')
    expect(sums).toEqual(
      out.manifest.tables.filter(({ name }) => name !== 'app.kunde' && name !== 'app.verlauf'),
    )
    await back.close()
    rmSync(back.folder, { recursive: true })
  }, 120_000)

  test('a dump of a program that left out whole schemas is taken up, those empty', async () => {
    await source.asOwner((owner) => dump(owner, path('whole.gz'), MIGRATE.now))
    const [head = '', ...lines] = gunzipSync(readFileSync(path('whole.gz')))
      .toString()
      .split('\n')
    const isLeftOut = (name: string) => /^(?:dispatch|maps)\./.test(name)
    const manifest = JSON.parse(head) as Manifest
    const without = {
      ...manifest,
      tables: manifest.tables.filter(({ name }) => !isLeftOut(name)),
      counters: manifest.counters.filter(({ name }) => !isLeftOut(name)),
    }
    let skips = false
    const kept = lines.filter((line) => {
      const table = /^\{"table":"([^"]+)"/.exec(line)?.[1]
      if (table !== undefined || line.startsWith('{"end"')) skips = table !== undefined && isLeftOut(table)
      return !skips
    })
    expect(kept.length).toBeLessThan(lines.length)
    writeFileSync(path('former.gz'), gzipSync([JSON.stringify(without), ...kept].join('\n')))
    const target = await emptyPostgres()
    expect((await restore(target, path('former.gz'), MIGRATE)).rows).toBeGreaterThan(2000)
    expect((await target.query('select count(*) as n from dispatch.ereignis_ende')).rows).toEqual([{ n: 0 }])
  })

  test('after a restore no event gets a position that a program may know already', async () => {
    await source.asOwner((owner) => dump(owner, path('feed.gz'), MIGRATE.now))
    const restored = async () => {
      const target = await emptyPostgres()
      await restore(target, path('feed.gz'), MIGRATE)
      const last = 'select greatest(7, coalesce(max(id), 0))::integer as last from app.ereignis'
      const { rows } = await target.query<{ last: number }>(last)
      const add = `insert into app.ereignis (art, client_id, tabelle, datensatz, inhalt)
        values ('plan.published', 1, 'karte', 1, '{}') returning id`
      const [first, second] = [
        await target.query<{ id: number }>(add),
        await target.query<{ id: number }>(add),
      ]
      const next = [...first.rows, ...second.rows].map(({ id }) => Number(id))
      const known = async (after: number) =>
        (await target.query<{ is: boolean }>('select dispatch.knows_position($1) as is', [after])).rows[0]?.is
      return { last: rows[0]?.last ?? 0, next, known }
    }
    const { last, next, known } = await restored()
    expect([await known(last), ...(await Promise.all(next.map(known)))]).toEqual([true, true, true])
    expect([await known(last + 1), await known(last + 200), await known(next[0]! - 1)]).toEqual([
      false,
      false,
      false,
    ])
    // The same dump once more: what was reported after the first time is of another past as well.
    const again = await restored()
    expect(again.next[0]).toBeGreaterThan(next[1]!)
    expect(await again.known(next[1]!)).toBe(false)
  }, 120_000)

  test('the file is private, complete, and a restore into a filled database is refused', async () => {
    const { manifest, size } = await source.asOwner((owner) => dump(owner, path('a.gz'), MIGRATE.now))
    expect(statSync(path('a.gz')).mode & 0o777).toBe(0o600)
    expect(statSync(path('a.gz')).size).toBe(size)
    expect(manifest.tables.map(({ name }) => name)).toContain('betrieb.sicherung')
    await expect(source.asOwner((owner) => restore(owner, path('a.gz'), MIGRATE))).rejects.toThrow(
      'enthält schon Daten',
    )
  })

  test('a cut, a changed and a foreign file are refused and leave nothing', async () => {
    await source.asOwner((owner) => dump(owner, path('b.gz'), MIGRATE.now))
    const target = await emptyPostgres()
    await migrate(target, MIGRATE)
    const bytes = readFileSync(path('b.gz'))
    writeFileSync(path('cut.gz'), bytes.subarray(0, bytes.length - 2000))
    const text = gunzipSync(bytes).toString()
    writeFileSync(path('short.gz'), gzipSync(text.split('\n').slice(0, -3).join('\n')))
    writeFileSync(path('changed.gz'), gzipSync(text.replace('Revier 77', 'Revier 78')))
    writeFileSync(
      path('less.gz'),
      gzipSync(
        text
          .split('\n')
          .filter((line) => !line.includes('n200@example'))
          .join('\n'),
      ),
    )
    writeFileSync(path('foreign.gz'), gzipSync('{"hello":1}\n'))
    for (const name of ['cut', 'short', 'changed', 'foreign', 'missing']) {
      await expect(restore(target, path(`${name}.gz`), MIGRATE), name).rejects.toThrow(
        /unvollständig, beschädigt|weicht von der Sicherung ab|gibt es nicht/,
      )
    }
    await expect(restore(target, path('less.gz'), MIGRATE)).rejects.toThrow()
    expect(
      (
        await target.query(
          'select (select count(*) from app.kunde) + (select count(*) from app.benutzer) as n',
        )
      ).rows,
    ).toEqual([{ n: 0 }])
    expect((await restore(target, path('b.gz'), MIGRATE)).rows).toBeGreaterThan(2000)
  })

  test('the commands dump and restore, with messages and exit codes', async () => {
    const [filled, second, third] = [await emptyPostgres(), await emptyPostgres(), await emptyPostgres()]
    const urlOf = (owner: OwnerConnection) => urls.get(owner) ?? ''
    await migrate(filled, MIGRATE)
    await addSampleRows(filled, 20)
    symlinkSync('in-circles.gz', path('in-circles.gz'))
    const run = (name: string, url: string, ...args: string[]) => {
      const file = join(import.meta.dirname, '../../scripts/operate.ts')
      const env = { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'commands') }
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, name, ...args], {
        env,
        encoding: 'utf8',
      })
      return { status, text: stdout + stderr }
    }
    const commands = [
      [['dump', urlOf(filled), path('by-command.gz')], 0, 'Gesichert aus PostgreSQL'],
      [['dump', urlOf(filled), path('by-command.gz')], 1, 'gibt es schon'],
      [['restore', urlOf(second), path('by-command.gz')], 0, 'alle Prüfsummen stimmen'],
      [['restore', urlOf(second), path('by-command.gz')], 1, 'enthält schon Daten'],
      [['dump', urlOf(second)], 0, 'Gesichert aus PostgreSQL'],
      [['dump', urlOf(third), path('of-nothing.gz')], 1, 'noch keine Daten von Forstkontor'],
      [['restore', urlOf(third)], 1, 'Bitte die Sicherung nennen'],
      [['restore', urlOf(third), path('missing-file.gz')], 1, 'missing-file.gz gibt es nicht'],
      [['restore', urlOf(third), path('in-circles.gz')], 1, 'in-circles.gz lässt sich nicht lesen'],
      [['restore', urlOf(third), folder], 1, 'lässt sich nicht lesen'],
      [['move', urlOf(filled)], 1, 'Bitte genau eine Seite nennen'],
    ] as const
    for (const [[name, url, ...args], status, said] of commands)
      expect(run(name, url, ...args)).toEqual({ status, text: expect.stringContaining(said) })
    expect((await second.query('select count(*) as n from app.kunde')).rows).toEqual([{ n: 20 }])
  }, 240_000)

  test('rows that row security would hide from the reader are an error, never a shorter dump', async () => {
    const target = await emptyPostgres()
    await migrate(target, MIGRATE)
    const name = `reader_${databases.at(-1)?.url.split('/').at(-1)}`
    await target.script(`create role ${name} login; grant forst_betrieb to ${name};
      create table betrieb.hidden (id int);
      insert into betrieb.hidden values (1);
      alter table betrieb.hidden enable row level security;
      grant usage on schema betrieb to ${name};
      grant select on all tables in schema betrieb to ${name};
      grant select on all sequences in schema betrieb, app to ${name}`)
    const url = new URL(databases.at(-1)?.url ?? '')
    url.username = name
    const reader = await createOwnerConnection(url.toString())
    await expect(dump(reader, path('hidden.gz'), MIGRATE.now)).rejects.toThrow(
      /row-level security|permission denied/,
    )
    await reader.close()
    await target.script(`drop owned by ${name}; drop role ${name}`)
  })
})
