// Two server processes behind PgBouncer in transaction mode with two connections, and eight tenants at once:
// no one ever sees another's row.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { VOLL } from '../test/extent.ts'
import { asUser, createOwnedDatabase, type OwnedDatabase } from '../test/owned-database.ts'
import { postgresUrl } from '../test/postgres.ts'
import { freePort, serviceUser } from '../test/private-postgres.ts'
import { type RunningApp, startApp } from './app.ts'
import { type Issuer, settingsFor, startIssuer, tokenFor } from './issuer.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const TENANTS = 8
const REQUESTS = VOLL ? 10_000 : 400

/** Per tenant one customer, five headquarters, one admin. */
const tenantRows = (tenant: number) => `
  insert into app.kunde (client_id, name, strasse, plz, ort)
    values (${tenant}, 'Tenant ${tenant}', 'Weg ${tenant}', '04103', 'Leipzig');
  insert into app.hq ("idHQ", client_id, "sHQ")
    select ${tenant} * 100 + n, ${tenant}, 'Forst ${tenant}-' || n
    from generate_series(1, 5) n;
  insert into app.kunde_hq (hqid, client_id) select "idHQ", client_id from app.hq where client_id = ${tenant};
  insert into app.benutzer (user_id, email, username, system_status)
    values (${tenant}, 'admin${tenant}@tenant.example', 'admin${tenant}@tenant.example', 'kundenadmin');
  insert into app.benutzer_kunde (client_id, user_id, rolle) values (${tenant}, ${tenant}, 'kundenadmin');`

async function startPgBouncer(target: URL): Promise<{ process: ChildProcess; url: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-bouncer-'))
  const port = await freePort()
  const name = target.pathname.slice(1)
  writeFileSync(join(folder, 'users.txt'), '"forst_api" ""\n')
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=127.0.0.1 port=${target.port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
ignore_startup_parameters = extra_float_digits,statement_timeout
`,
  )
  // PgBouncer refuses to run as root too.
  const user = serviceUser()
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')])
      chownSync(path, user.uid, user.gid)
  const child = spawn(PGBOUNCER, ['-q', join(folder, 'pgbouncer.ini')], { ...user, stdio: 'ignore' })
  const url = new URL(target)
  url.port = String(port)
  return { process: child, url: url.toString(), folder }
}

interface Request {
  readonly path: string
  readonly body?: unknown
  /** Number of rows that must not be in the answer. */
  foreign(tenant: number, rows: Record<string, unknown>[]): number
  readonly expected: number
}

const others = (tenant: number, rows: Record<string, unknown>[]) =>
  rows.filter((row) => row['client_id'] !== tenant).length
const KINDS: readonly Request[] = [
  { path: '/rest/kunde?select=client_id,name', expected: 1, foreign: others },
  { path: '/rest/hq?select=client_id,idHQ&order=idHQ', expected: 5, foreign: others },
  { path: '/rest/kunde_hq', expected: 5, foreign: others },
  {
    path: '/rest/benutzer?select=user_id',
    expected: 1,
    foreign: (tenant, rows) => rows.filter((row) => row['user_id'] !== tenant).length,
  },
  {
    path: '/rest/rpc/a_get_currentuser',
    body: {},
    expected: 1,
    foreign: (tenant, rows) => rows.filter((row) => row['user_id'] !== tenant).length,
  },
]

describe.skipIf(postgresUrl() === null || !existsSync(PGBOUNCER))(
  'two servers behind a transaction pooler',
  () => {
    let database: OwnedDatabase
    let bouncer: Awaited<ReturnType<typeof startPgBouncer>>
    let issuer: Issuer
    let apps: RunningApp[] = []
    const tokens: string[] = []

    beforeAll(async () => {
      database = await createOwnedDatabase()
      bouncer = await startPgBouncer(new URL(asUser(database.superuserUrl, 'forst_api')))
      issuer = await startIssuer()
      const env = {
        DATABASE_URL: bouncer.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        ...settingsFor(issuer),
      }
      apps = [await startApp({ env }), await startApp({ env })]
      const owner = await createOwnerConnection(database.superuserUrl)
      await owner.script(
        `set role forst_betrieb; ${Array.from({ length: TENANTS }, (_, i) => tenantRows(i + 1)).join('\n')}`,
      )
      await owner.close()
      for (let tenant = 1; tenant <= TENANTS; tenant++)
        tokens[tenant] = await tokenFor(issuer, `admin${tenant}@tenant.example`, 'appuser_admin')
    })
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.stop()))
      bouncer?.process.kill('SIGTERM')
      issuer?.server.close()
      await database?.drop()
      if (bouncer !== undefined) rmSync(bouncer.folder, { recursive: true, force: true })
    })

    async function ask(nr: number): Promise<{ foreign: number; right: boolean }> {
      // Every tenant reaches every server with every kind of call, in mixed order.
      const tenant = ((nr * 5) % TENANTS) + 1
      const app = apps[nr % apps.length]
      const kind = KINDS[(nr * 7 + Math.floor(nr / TENANTS)) % KINDS.length]
      if (app === undefined || kind === undefined) throw new Error('no such server or call')
      const answer = await fetch(`${app.origin}${kind.path}`, {
        headers: { authorization: `Bearer ${tokens[tenant]}`, 'content-type': 'application/json' },
        ...(kind.body === undefined ? {} : { method: 'POST', body: JSON.stringify(kind.body) }),
      })
      const rows: unknown = await answer.json()
      if (!Array.isArray(rows)) return { foreign: 0, right: false }
      return { foreign: kind.foreign(tenant, rows), right: rows.length === kind.expected }
    }

    test(`${REQUESTS} interleaved requests of ${TENANTS} tenants: no foreign row`, {
      timeout: 180_000,
    }, async () => {
      let next = 0
      let foreign = 0
      let wrong = 0
      const worker = async () => {
        while (next < REQUESTS) {
          const outcome = await ask(next++)
          foreign += outcome.foreign
          if (!outcome.right) wrong++
        }
      }
      await Promise.all(Array.from({ length: 24 }, worker))
      expect({ foreign, wrong }).toEqual({ foreign: 0, wrong: 0 })
    })
  },
)
