// The login of requests on a PostgreSQL that asks for passwords, as an operator's does.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, LoginFault, type OwnerConnection } from '#server/database/database.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { type Log, silentLog } from '#server/log.ts'
import { asUser, withDatabase } from '../../test/databases.ts'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../../test/private-postgres.ts'
import { apiAddresses, ensureApiLogin } from './api-login.ts'

const BINARIES = findPostgresBinaries()
const CONTEXT = { role: 'nutzer', settings: {} }
const WHO = { text: 'select session_user::text as who', values: [] }

describe.skipIf(BINARIES === undefined)('the login of requests', () => {
  let folder: string
  let server: PrivatePostgres
  let url: string
  let owner: OwnerConnection
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-hba-'))
    chmodSync(folder, 0o755)
    const rules = join(folder, 'pg_hba.conf')
    const asked = ['forst_api', 'plain'].map((name) => `host all ${name} 127.0.0.1/32 scram-sha-256\n`)
    writeFileSync(rules, `${asked.join('')}host all all 127.0.0.1/32 trust\n`)
    server = await startPrivatePostgres(BINARIES ?? '', { fsync: 'off', hba_file: rules })
    const first = await createOwnerConnection(server.url)
    await first.query('create role forst_api login noinherit')
    await first.query('create role nutzer')
    await first.query('grant nutzer to forst_api')
    for (const name of ['ours', 'theirs']) await first.query(`create database ${name}`)
    await first.close()
    url = withDatabase(server.url, 'ours')
    owner = await createOwnerConnection(url)
  })
  afterAll(async () => {
    await owner.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const stored = async () => {
    const { rows } = await owner.query<{ has: string | null }>(
      "select rolpassword as has from pg_authid where rolname = 'forst_api'",
    )
    return rows[0]?.has
  }
  const open = (secrets: readonly string[], log: Log = silentLog): Database => {
    const [first = '', ...further] = apiAddresses(url, secrets)
    return createPostgresDatabase({ url: first, further, poolSize: 1, connectMs: 2_000, log })
  }
  const cut = () =>
    owner.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'forst_api'")
  const works = async (database: Database) =>
    expect((await database.once(CONTEXT, WHO)).rows).toEqual([{ who: 'forst_api' }])

  test('a new secret before a former one changes no password', async () => {
    await ensureApiLogin(owner, url, ['former'])
    const before = await stored()
    expect(await ensureApiLogin(owner, url, ['newer', 'former'])).toEqual(
      apiAddresses(url, ['former', 'newer']),
    )
    expect(await stored()).toBe(before)
  })

  test('a running server goes on when another one of its secrets becomes the password', async () => {
    const database = open(['former', 'newer'])
    await works(database)
    await ensureApiLogin(owner, url, ['newer'])
    await cut()
    await works(database)
    await database.ping()
    await database.close()
  })

  test('a running server that knows no valid one is unavailable, says why and is not ready', async () => {
    await ensureApiLogin(owner, url, ['newer'])
    const errors: string[] = []
    const log: Log = { ...silentLog, error: (message) => void errors.push(message) }
    const database = open(['newer'], log)
    await Promise.all([works(database), database.ping()])
    await ensureApiLogin(owner, url, ['lost'])
    // Only the one that serves; the one that was ready still is.
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'forst_api' and query not like '%pg_is_in_recovery%'`,
    )
    await expect(database.once(CONTEXT, WHO)).rejects.toBeInstanceOf(LoginFault)
    expect(errors).toEqual(['the database refuses the login of requests'])
    await new Promise((resolve) => setTimeout(resolve, 200))
    await expect(database.ping()).rejects.toBeInstanceOf(LoginFault)
    await ensureApiLogin(owner, url, ['newer'])
    await works(database)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await database.ping()
    await database.close()
  })

  test('the password of another installation that is running is left alone', async () => {
    await ensureApiLogin(owner, url, ['newer'])
    const [theirs = ''] = apiAddresses(withDatabase(server.url, 'theirs'), ['newer'])
    const other = createPostgresDatabase({ url: theirs, log: silentLog })
    await works(other)
    const before = await stored()
    await expect(ensureApiLogin(owner, url, ['ours alone'])).rejects.toThrow(
      /forst_api, .*Datenbank „theirs“.* Es wurde nichts geändert/,
    )
    expect(await stored()).toBe(before)
    await works(other)
    await other.close()
  })

  test('an owner that may not change the password is told what to do', async () => {
    await owner.query("create role plain login password 'p'")
    const plain = await createOwnerConnection(asUser(url, 'plain:p').replace('%3A', ':'))
    await expect(ensureApiLogin(plain, url, ['another'])).rejects.toThrow(/Passwort von forst_api/)
    await plain.close()
  })
})
