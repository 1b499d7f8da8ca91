// The database is unreachable for 30 seconds: every call fails immediately, nothing is half-written, and
// afterwards the server recovers by itself.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { asUser, createOwnedDatabase, type OwnedDatabase } from '../test/owned-database.ts'
import { postgresUrl } from '../test/postgres.ts'
import { freePort } from '../test/private-postgres.ts'
import { type RunningApp, startApp } from './app.ts'
import { type Issuer, settingsFor, startIssuer, tokenFor } from './issuer.ts'

const AWAY_MS = 30_000

/** A line between server and database that can be cut. */
class Line {
  readonly #target: URL
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  constructor(target: URL, port: number) {
    this.#target = target
    this.#port = port
  }
  async mend(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
      }
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
  }
  cut(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

describe.skipIf(postgresUrl() === null)('the database is away for 30 seconds', () => {
  let database: OwnedDatabase
  let issuer: Issuer
  let line: Line
  let app: RunningApp
  let token: string

  beforeAll(async () => {
    database = await createOwnedDatabase()
    issuer = await startIssuer()
    const port = await freePort()
    line = new Line(new URL(database.superuserUrl), port)
    await line.mend()
    const through = new URL(asUser(database.superuserUrl, 'forst_api'))
    through.port = String(port)
    app = await startApp({
      env: {
        DATABASE_URL: through.toString(),
        DATABASE_OWNER_URL: database.ownerUrl,
        BACKUP: 'off',
        ...settingsFor(issuer),
      },
    })
    const owner = await createOwnerConnection(database.superuserUrl)
    await owner.script(`set role forst_betrieb;
      insert into app.benutzer (email, username, system_status)
        values ('chef@forst.example', 'chef@forst.example', 'ogf_admin');
      insert into app.kunde (client_id, name, strasse, plz, ort) values (1, 'Vorher', 'Weg 1', '04103', 'Leipzig')`)
    await owner.close()
    token = await tokenFor(issuer, 'chef@forst.example', 'appuser_apus_admin')
  })
  afterAll(async () => {
    await app?.stop()
    line?.cut()
    issuer?.server.close()
    await database?.drop()
  })

  const ask = (path: string, body?: object) =>
    fetch(`${app.origin}${path}`, {
      method: body === undefined ? 'GET' : 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5_000),
    })
  const healthy = async () => (await ask('/healthz')).status

  test('each call is told at once, and afterwards all is as before', { timeout: 90_000 }, async () => {
    expect((await ask('/rest/kunde?client_id=eq.1', { name: 'Nachher' })).status).toBe(200)
    line.cut()
    const until = performance.now() + AWAY_MS
    let slowest = 0
    for (let tries = 0; performance.now() < until; tries++) {
      const started = performance.now()
      const read = await ask('/rest/kunde')
      const write = await ask('/rest/kunde?client_id=eq.1', { name: `Versuch ${tries}` })
      slowest = Math.max(slowest, performance.now() - started)
      // A write whose commit was already sent when the line broke would give 500 with its own code; here none
      // was in progress.
      for (const answer of [read, write]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await answer.json()).toMatchObject({ code: expect.stringMatching(/^PGRST00[01]$/) })
      }
      expect(await healthy()).toBe(503)
      expect((await fetch(`${app.origin}/livez`)).status).toBe(200)
      await sleep(500)
    }
    expect(slowest).toBeLessThan(4_000)
    await line.mend()
    const back = performance.now()
    while ((await healthy()) !== 200) await sleep(100)
    expect(performance.now() - back).toBeLessThan(10_000)
    expect(await (await ask('/rest/kunde?select=name')).json()).toEqual([{ name: 'Nachher' }])
    expect((await ask('/rest/kunde?client_id=eq.1', { name: 'Wieder da' })).status).toBe(200)
    expect(app.output()).not.toMatch(/unhandled|uncaught/i)
  })
})
