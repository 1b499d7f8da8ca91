// Back to a second: a base backup and the archived write-ahead log, as docs/operations.md describes it, with the
// product's own tables.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'
import {
  type PrivatePostgres,
  serviceUser,
  startFromBackup,
  startPrivatePostgres,
} from '../../test/private-postgres.ts'
import { migrate } from './migrate.ts'
import { addSampleRows, MIGRATE } from './product.fixture.ts'

const binaries = findPostgresBinaries()
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')

/** A command of the page, with the test's folder in place of the operator's. */
function described(pattern: RegExp, folder: string): string {
  const [, command] = pattern.exec(PAGE) ?? []
  if (command === undefined) throw new Error(`docs/operations.md has nothing like ${pattern.source}`)
  return command.replaceAll('/archive/', `${folder}/wal/`).replaceAll('/backups/', `${folder}/backups/`)
}
const ARCHIVE = /^ *archive_command = '(.+)'$/m
const BASE_BACKUP = /`(pg_basebackup [^`]+)`/
const RESTORE = /restore_command = '(.+?)'`/
const CLEAN_UP = /`(pg_archivecleanup [^`]+)`/

describe.skipIf(binaries === undefined)('back to a point in time', () => {
  let folder: string
  const servers: PrivatePostgres[] = []
  const owners: OwnerConnection[] = []
  const open = async (server: PrivatePostgres): Promise<OwnerConnection> => {
    servers.push(server)
    const owner = await createOwnerConnection(server.url)
    owners.push(owner)
    return owner
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-archive-'))
    // PostgreSQL's user writes there.
    for (const name of ['', 'wal', 'backups']) {
      mkdirSync(join(folder, name), { recursive: true })
      chmodSync(join(folder, name), 0o777)
    }
  })
  afterAll(async () => {
    for (const owner of owners) await owner.close().catch(() => undefined)
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a copy into the archive that was cut off is made again; what is there is never overwritten', () => {
    const segment = join(folder, 'segment')
    const run = (text: string): number => {
      writeFileSync(segment, text)
      const words = described(ARCHIVE, folder).replaceAll('%p', segment).replaceAll('%f', 'SEGMENT')
      return spawnSync('sh', ['-c', words]).status ?? -1
    }
    const kept = () => readFileSync(join(folder, 'wal/SEGMENT'), 'utf8')
    writeFileSync(join(folder, 'wal/SEGMENT.part'), 'cut')
    expect([run('whole'), kept()]).toEqual([0, 'whole'])
    // PostgreSQL asks again if it ended before it noted the success.
    expect([run('whole'), kept()]).toEqual([0, 'whole'])
    expect(run('of another server')).not.toBe(0)
    expect(kept()).toBe('whole')
    rmSync(join(folder, 'wal/SEGMENT'))
    expect(readdirSync(join(folder, 'wal'))).toEqual([])
  })

  test('what was confirmed before that second is there, what came after it is not', {
    timeout: 120_000,
  }, async () => {
    const archive = join(folder, 'wal')
    const running = await startPrivatePostgres(binaries ?? '', {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: described(ARCHIVE, folder),
      archive_timeout: '60s',
    })
    const owner = await open(running)
    await migrate(owner, MIGRATE)
    await addSampleRows(owner, 50)
    const { port, username } = new URL(running.url)
    const shell = (command: string) =>
      execFileSync('sh', ['-c', command], {
        ...serviceUser(),
        cwd: folder,
        env: { PATH: `${binaries}:/usr/bin:/bin`, PGHOST: '127.0.0.1', PGPORT: port, PGUSER: username },
        stdio: 'ignore',
      })
    for (const day of ['2026-11-22', '2026-11-29'])
      shell(`date() { command date -d ${day} "$@"; }; ${described(BASE_BACKUP, folder)}`)
    expect(readdirSync(join(folder, 'backups')).toSorted()).toEqual(['base-2026-11-22', 'base-2026-11-29'])
    const backup = join(folder, 'backups/base-2026-11-29')
    // A change a second; the third one was the mistake.
    const moments: string[] = []
    for (const name of ['erste', 'zweite', 'Versehen']) {
      await owner.script(
        `insert into app.kunde (name, strasse, plz, ort) values ('${name}', 'Weg 1', '04103', 'Leipzig')`,
      )
      await sleep(1_100)
      const { rows } = await owner.query<{ now: string }>(`select date_trunc('second', now())::text as now`)
      moments.push(rows[0]!.now)
    }
    await owner.script(`delete from app.kunde where name = 'erste'`)
    await owner.script('select pg_switch_wal()')
    await expect
      .poll(async () => {
        const { rows } = await owner.query<{ n: number }>(
          `select (last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1))::int as n
            from pg_stat_archiver`,
        )
        return rows[0]?.n ?? 0
      })
      .toBe(1)
    const { rows: archived } = await owner.query<{ failed: number }>(
      'select failed_count::int as failed from pg_stat_archiver',
    )
    expect(archived[0]?.failed).toBe(0)
    await owner.close()
    await running.stop()
    // The first week is given up, with its log.
    const kept = () => readdirSync(archive).filter((name) => /^[0-9A-F]{24}$/.test(name))
    const all = kept().length
    const latest = readdirSync(archive)
      .toSorted()
      .findLast((name) => name.endsWith('.backup'))
    shell(described(CLEAN_UP, folder).replace('NAME.backup', latest ?? ''))
    expect(kept().length).toBeGreaterThan(1)
    expect(kept().length).toBeLessThan(all)

    const restored = await open(
      await startFromBackup(binaries ?? '', backup, {
        restore_command: described(RESTORE, folder),
        recovery_target_time: moments[1]!,
        recovery_target_action: 'promote',
      }),
    )
    const names = async () =>
      (
        await restored.query<{ name: string }>(
          `select name from app.kunde where name in ('erste', 'zweite', 'Versehen', 'danach') order by client_id`,
        )
      ).rows.map(({ name }) => name)
    await expect.poll(names).toEqual(['erste', 'zweite'])
    await expect
      .poll(
        async () =>
          (await restored.query<{ back: boolean }>('select pg_is_in_recovery() as back')).rows[0]?.back,
      )
      .toBe(false)
    // It goes on from there: the same version of the tables, and new rows.
    await migrate(restored, MIGRATE)
    await restored.script(
      `insert into app.kunde (name, strasse, plz, ort) values ('danach', 'Weg 1', '04103', 'Leipzig')`,
    )
    expect(await names()).toEqual(['erste', 'zweite', 'danach'])
    const { rows } = await restored.query<{ ok: boolean }>('select ok from books.prove_journal(false)')
    expect(rows[0]?.ok).toBe(true)
  })
})
