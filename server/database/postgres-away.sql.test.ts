import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'
import { type Database, OutcomeUnknownFault, UnavailableFault } from './database.ts'
import { createPostgresDatabase } from './postgres.ts'
import { createOwnerConnection } from './postgres-owner.ts'
import { freePort } from '../../test/private-postgres.ts'

const binaries = findPostgresBinaries()
const CONTEXT = { role: 'postgres' }
const add = (id: number) => ({
  name: 'add',
  text: 'insert into counted values ($1, 2 * $1::int)',
  values: [id],
})

/** A separate server that may be stopped and killed, with syncs on. */
class PrivateServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'forstkontor-away-'))
  readonly #user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  readonly port: number
  #process: ChildProcess | null = null
  constructor(port: number) {
    this.port = port
    if ('uid' in this.#user) chownSync(this.#folder, this.#user.uid as number, this.#user.gid as number)
    const data = [
      '-D',
      join(this.#folder, 'data'),
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '-A',
      'trust',
      '--no-sync',
    ]
    execFileSync(join(binaries ?? '', 'initdb'), data, { ...this.#user, stdio: 'ignore' })
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`
  }

  async start(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#folder}`,
      'wal_sync_method=fdatasync',
    ]
    const args = ['-D', join(this.#folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
    for (let tries = 0; ; tries++) {
      // After kill -9 the first attempt may still find processes of the old server ending.
      if (this.#process === null || this.#process.exitCode !== null || this.#process.signalCode !== null) {
        this.#process = spawn(join(binaries ?? '', 'postgres'), args, { ...this.#user, stdio: 'ignore' })
      }
      try {
        const owner = await createOwnerConnection(this.url)
        await owner.close()
        return
      } catch (error) {
        if (tries > 100) throw error
        await sleep(100)
      }
    }
  }

  /** SIGINT: stops at once but in order; SIGKILL: as in an accident. */
  async end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (this.#process === null || this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill(signal)
    await gone
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

describe.skipIf(binaries === undefined)('PostgreSQL goes away and comes back', () => {
  let server: PrivateServer
  let database: Database
  beforeAll(async () => {
    server = new PrivateServer(await freePort())
    await server.start()
    const owner = await createOwnerConnection(server.url)
    await owner.script('create table counted (id int primary key, twice int not null)')
    await owner.close()
    database = createPostgresDatabase({ url: server.url, poolSize: 4, log: silentLog })
  })
  afterAll(async () => {
    await database.close()
    await server.end('SIGKILL')
    server.remove()
  })

  test('away: each request is told at once; back: the next one is answered, without a restart of ours', async () => {
    await Promise.all(Array.from({ length: 8 }, () => database.once(CONTEXT, { text: 'select 1' })))
    await server.end('SIGINT')
    const start = performance.now()
    for (let i = 0; i < 20; i++)
      await expect(database.once(CONTEXT, { text: 'select 1' })).rejects.toBeInstanceOf(UnavailableFault)
    await expect(database.ping()).rejects.toThrow()
    await expect(
      database.transaction(CONTEXT, (tx) => tx.query({ text: 'select 1' })),
    ).rejects.toBeInstanceOf(UnavailableFault)
    expect(performance.now() - start).toBeLessThan(2000)
    await server.start()
    await database.ping()
    expect((await database.once(CONTEXT, { text: 'select 1 as one' })).rows).toEqual([{ one: 1 }])
  })

  test('kill -9 of the server under writes: nothing acknowledged is lost, every unclear one is named so', async () => {
    let id = 0
    const acknowledged: number[] = []
    const unclear: number[] = []
    for (let round = 0; round < 3; round++) {
      let killed = false
      const lane = async () => {
        while (!killed) {
          const mine = ++id
          await database.once(CONTEXT, add(mine)).then(
            () => acknowledged.push(mine),
            (fault: unknown) => {
              if (fault instanceof OutcomeUnknownFault) unclear.push(mine)
              else if (!(fault instanceof UnavailableFault)) throw fault
            },
          )
        }
      }
      const lanes = Promise.all(Array.from({ length: 6 }, lane))
      await sleep(250)
      await server.end('SIGKILL')
      killed = true
      await lanes
      await server.start()
    }
    const { rows } = await database.once<{ id: number; twice: number }>(CONTEXT, {
      text: 'select id, twice from counted',
    })
    const kept = new Set(rows.map((row) => row.id))
    expect(acknowledged.length).toBeGreaterThan(50)
    expect(acknowledged.filter((one) => !kept.has(one))).toEqual([])
    expect(rows.every(({ id, twice }) => twice === 2 * id)).toBe(true)
    // What was neither confirmed nor reported as unclear did not happen.
    const told = new Set([...acknowledged, ...unclear])
    expect([...kept].filter((one) => !told.has(one))).toEqual([])
  }, 90_000)
})
