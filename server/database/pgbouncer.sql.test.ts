import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { createOwnerConnection } from './postgres-owner.ts'
import { freePort } from '../../test/private-postgres.ts'

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
)

const FIXTURE = `
  do $$ begin create role bouncer_login login noinherit; exception when duplicate_object then null; end $$;
  do $$ begin create role bouncer_web nologin; exception when duplicate_object then null; end $$;
  grant bouncer_web to bouncer_login;
  create schema f; grant usage on schema f to bouncer_web;
  create table f.note (id int primary key, tenant text not null, touched int not null default 0);
  alter table f.note enable row level security;
  create policy own on f.note to bouncer_web using (tenant = (select current_setting('f.tenant', true)))
    with check (tenant = (select current_setting('f.tenant', true)));
  grant select, insert, update on f.note to bouncer_web;
  insert into f.note select i, 't' || i % 8 from generate_series(0, 39) i;`

describe.skipIf(postgresUrl() === null || PGBOUNCER === undefined)(
  'two servers behind PgBouncer in transaction mode',
  () => {
    let home: TestDatabase
    let folder: string
    let bouncer: ChildProcess
    let url: string
    beforeAll(async () => {
      home = await createTestDatabase()
      const owner = await createOwnerConnection(home.url)
      await owner.script(FIXTURE)
      await owner.close()
      folder = mkdtempSync(join(tmpdir(), 'forstkontor-pgbouncer-'))
      const server = new URL(home.url)
      const port = await freePort()
      const settings = {
        listen_addr: '127.0.0.1',
        listen_port: port,
        unix_socket_dir: '',
        auth_type: 'any',
        pool_mode: 'transaction',
        default_pool_size: 2,
        max_client_conn: 100,
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
      const database =
        `t = host=${server.hostname} port=${server.port} dbname=${server.pathname.slice(1)} ` +
        'user=bouncer_login'
      writeFileSync(
        join(folder, 'pgbouncer.ini'),
        ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'),
      )
      chmodSync(folder, 0o755)
      // PgBouncer refuses to run as root.
      const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
      bouncer = spawn(PGBOUNCER ?? '', ['-q', ...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
      url = `postgres://bouncer_login@127.0.0.1:${port}/t`
      for (let tries = 0; !(await answers(url)); tries++) {
        if (tries > 50) throw new Error('PgBouncer did not start')
        await sleep(100)
      }
    })
    afterAll(async () => {
      const gone = once(bouncer, 'exit')
      bouncer.kill('SIGINT')
      await gone
      await home.drop()
      rmSync(folder, { recursive: true })
    })

    // With the default setup, and configured for a pooler.
    for (const prepared of ['on', 'off'])
      test(`eight tenants, 6,000 requests, a pool of two (prepared: ${prepared}): no foreign row`, async () => {
        const child = [join(import.meta.dirname, 'pgbouncer.child.ts'), url, '3000', prepared]
        const run = () => promisify(execFile)(process.execPath, child)
        const told = (await Promise.all([run(), run()])).map(({ stdout }) => JSON.parse(stdout) as unknown)
        expect(told).toEqual(Array(2).fill({ requests: 3000, foreign: 0, wrongCount: 0, unexpected: [] }))
        const owner = await createOwnerConnection(home.url)
        const { rows } = await owner.query(
          `select count(*) as n, count(*) filter (where touched > 0) as touched from f.note`,
        )
        const servers = await owner.query(
          `select count(*) as n from pg_stat_activity where usename = 'bouncer_login' and datname = current_database()`,
        )
        await owner.close()
        expect(rows).toEqual([{ n: 40, touched: 40 }])
        expect(servers.rows[0]?.['n']).toBeLessThanOrEqual(2)
      }, 120_000)
  },
)

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
