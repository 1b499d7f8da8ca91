// The stand-alone start, as an operator would use it on a database that it has never seen.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SignJWT } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { type Call, callPort } from './data-api.fixture.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const SECRET = 'a shared secret of more than 32 bytes, for tests'

const WEATHER = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'weather_login')
      then create role weather_login login noinherit; end if;
    if not exists (select from pg_roles where rolname = 'weather_anyone')
      then create role weather_anyone nologin; end if;
    if not exists (select from pg_roles where rolname = 'weather_observer')
      then create role weather_observer nologin; end if;
  end $$;
  grant weather_anyone, weather_observer to weather_login;
  create schema sky; create schema sea;
  grant usage on schema sky, sea to weather_login, weather_anyone, weather_observer;
  create table sky.station (code text primary key, name text not null);
  create table sky.reading (station text references sky.station, at timestamptz, celsius numeric,
    primary key (station, at));
  create table sea.buoy (id int); insert into sea.buoy values (7);
  insert into sky.station values ('N1', 'North'); insert into sky.reading values ('N1', '2020-01-01T00:00Z', -3.5);
  grant select on sky.station, sky.reading, sea.buoy to weather_anyone, weather_observer;
  grant insert on sky.reading to weather_observer;
`

describe.skipIf(postgresUrl() === null)('npm run data-api', () => {
  let home: TestDatabase
  let server: ChildProcess
  let port = 0
  const folder = mkdtempSync(join(tmpdir(), 'data-api-'))
  beforeAll(async () => {
    home = await createTestDatabase()
    const admin = new pg.Client({ connectionString: home.url })
    await admin.connect()
    await admin.query(WEATHER)
    await admin.end()
    const url = new URL(home.url)
    url.username = 'weather_login'
    writeFileSync(join(folder, 'secret'), `${SECRET}\n`)
    const settings = {
      'database-url': url.toString(),
      schema: 'sky,sea',
      'anon-role': 'weather_anyone',
      role: 'weather_observer',
      'role-claim': 'app.role',
    }
    const more = { base: '/rest/v1', port: '0', 'jwt-secret-file': join(folder, 'secret') }
    const args = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => [`--${name}`, value])
    server = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of server.stdout ?? []) {
      port = Number(/127\.0\.0\.1:([0-9]+)\/rest\/v1/.exec(String(line))?.[1] ?? 0)
      if (port !== 0) break
    }
  })
  afterAll(async () => {
    // The last test ends it, unless it was not reached.
    server.kill('SIGKILL')
    await home.drop()
    rmSync(folder, { recursive: true })
  })
  const call = (path: string, options: Call = {}) =>
    callPort(port, `/rest/v1${path}`, { as: null, ...options })
  const token = (claims: Record<string, unknown>, expires: string | number = '5m') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(SECRET))

  test('shows what the anonymous role may see, with embeds and other schemas', async () => {
    const answer = await call('/station?select=code,reading(at,celsius)')
    expect(answer.json).toEqual([
      { code: 'N1', reading: [{ at: '2020-01-01T00:00:00+00:00', celsius: -3.5 }] },
    ])
    expect((await call('/buoy', { headers: { 'Accept-Profile': 'sea' } })).json).toEqual([{ id: 7 }])
  })

  test('refuses what that role may not, and takes it from a token with the right role', async () => {
    const reading = { station: 'N1', at: '2021-01-01T00:00Z', celsius: '4.25' }
    const refused = await call('/reading', { method: 'POST', body: reading })
    expect([refused.status, (refused.json as { code: string }).code]).toEqual([401, '42501'])
    const as = await token({ sub: 'o1', app: { role: 'weather_observer' } })
    expect((await call('/reading', { method: 'POST', body: reading, as })).status).toBe(201)
  })

  test('a token without a role is anybody’s', async () => {
    for (const claims of [{ sub: 'o1' }, { sub: 'o1', app: {} }, { sub: 'o1', app: { role: null } }]) {
      const as = await token(claims)
      expect((await call('/station', { as })).json).toEqual([{ code: 'N1', name: 'North' }])
      const refused = await call('/reading', { method: 'POST', body: { station: 'N1' }, as })
      expect([refused.status, (refused.json as { code: string }).code]).toEqual([401, '42501'])
    }
    const odd = await call('/station', { as: await token({ app: { role: 5 } }) })
    expect([odd.status, (odd.json as { code: string }).code]).toEqual([401, 'PGRST302'])
  })

  test('tokens of no worth', async () => {
    const codeOf = async (as: string) => {
      const { status, json } = await call('/station', { as })
      return [status, (json as { code: string }).code]
    }
    expect(await codeOf('x')).toEqual([401, 'PGRST301'])
    expect(await codeOf(`${await token({ app: { role: 'weather_observer' } })}x`)).toEqual([401, 'PGRST301'])
    expect(await codeOf(await token({ app: { role: 'weather_observer' } }, 1))).toEqual([401, 'PGRST303'])
    expect(await codeOf(await token({ app: { role: 'postgres' } }))).toEqual([403, '42501'])
    const parts = ['{"alg":"none"}', '{"app":{"role":"weather_observer"},"exp":9999999999}']
    const none = `${parts.map((part) => Buffer.from(part).toString('base64url')).join('.')}.`
    expect((await codeOf(none))[0]).toBe(401)
  })

  test('without its settings it says which are missing', async () => {
    const result = await promisify(execFile)(process.execPath, [MAIN, '--port', 'x']).catch(
      (error: unknown) => error as { code: number; stderr: string },
    )
    expect(result).toMatchObject({ code: 2 })
    for (const fault of [
      '--database-url is missing',
      '--schema is missing',
      '--anon-role or --role is missing',
      '--port must be',
    ])
      expect(result.stderr).toContain(fault)
  })
  // Must be last: afterwards the server is gone.
  test('half a request does not hold up its end', async () => {
    const half = connect(port, '127.0.0.1')
    half.on('error', () => undefined)
    await once(half, 'connect')
    half.write('GET /station HTTP')
    await sleep(200)
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    const started = performance.now()
    await gone
    expect(performance.now() - started).toBeLessThan(20_000)
    half.destroy()
  })
})
