// Back to a second: a base backup and the archived write-ahead log, as docs/operations.md describes it, with the
// product's own tables.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
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
    chmodSync(folder, 0o777)
  })
  afterAll(async () => {
    for (const owner of owners) await owner.close().catch(() => undefined)
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('what was confirmed before that second is there, what came after it is not', {
    timeout: 120_000,
  }, async () => {
    const archive = join(folder, 'wal')
    const backup = join(folder, 'base')
    const running = await startPrivatePostgres(binaries ?? '', {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `mkdir -p ${archive} && test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      archive_timeout: '60s',
    })
    const owner = await open(running)
    await migrate(owner, MIGRATE)
    await addSampleRows(owner, 50)
    execFileSync(
      join(binaries ?? '', 'pg_basebackup'),
      ['-d', running.url, '-D', backup, '-X', 'none', '-c', 'fast', '--no-sync'],
      { ...serviceUser(), stdio: 'ignore' },
    )
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
    await owner.close()
    await running.stop()
    expect(readdirSync(archive).length).toBeGreaterThan(1)

    const restored = await open(
      await startFromBackup(binaries ?? '', backup, {
        restore_command: `cp ${archive}/%f %p`,
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
