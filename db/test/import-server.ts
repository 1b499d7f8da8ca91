// A server with all rooms that import, on a database with the small world, and keys of its people.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { type Caller, type Claims, personOf, SignInFault } from '#server/caller.ts'
import { answerEvery } from '#server/http-faults.ts'
import { type Arrivals, createArrivals } from '#server/files/arrivals.ts'
import { silentLog } from '#server/log.ts'
import { refuseAt } from '#server/refuse.ts'
import type { Room } from '#server/room.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { insertKey } from './cells/zugang.ts'
import type { Engine } from './engines.ts'
import { claimsOf, IDENTITIES, type IdentityName, numberOf } from './world.ts'
import { createBestandRoom } from '#server/bestand/routes.ts'
import { createEingangRoom } from '#server/eingang/routes.ts'
import { createHabitatFilesRoom } from '#server/habitat/file-routes.ts'
import { digestOf, makeKey } from '#server/program-keys/key-format.ts'
import { createProgramKeys } from '#server/program-keys/program-keys.ts'
import { createVermessungRoom } from '#server/vermessung/routes.ts'
import { createImportRoom } from '#server/imports/routes.ts'

export const BASES = { DATA_API_BASE: '/rest', GENERAL_API_BASE: '/prod-api' }
export const now = () => new Date('2026-11-28T12:00:00Z')

export type Narrowing = Omit<Parameters<typeof insertKey>[0], 'user_id' | 'id' | 'groups'>

export interface Sent {
  readonly body: string | Buffer
  /** Idempotency-Key; null: none. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

/** Tokens are the names of people. */
const tokens = (authorization: string | undefined): Caller => {
  const name = (authorization ?? '').replace('Bearer ', '')
  if (!(name in IDENTITIES)) throw new SignInFault('missing', 'no token')
  const claims = claimsOf(name as IdentityName) as Claims
  return { claims, claimsJson: JSON.stringify(claims), person: personOf(claims) }
}

interface Options {
  readonly firstKey: number
  /** Which files may arrive; by default as on its own server. */
  readonly arrivals?: Arrivals
  /** Of its files; removed when it closes, like one of its own. */
  readonly folder?: string
}

export class ImportServer<Data> {
  readonly folder: string
  readonly #engine: Engine
  readonly #arrivals: Arrivals
  #app: FastifyInstance | undefined
  #rooms: Room[] = []
  #nextKey: number
  #nextNumber = 0

  constructor(engine: Engine, { firstKey, arrivals = createArrivals(), folder }: Options) {
    this.#engine = engine
    this.#nextKey = firstKey
    this.#arrivals = arrivals
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'importe-'))
  }

  get app(): FastifyInstance {
    if (this.#app === undefined) throw new Error('not opened')
    return this.#app
  }

  async open(): Promise<void> {
    const { api: database } = this.#engine
    const shared = { database, log: silentLog, now, work: createWorkQueue(), arrivals: this.#arrivals }
    const at = (name: string) => join(this.folder, name)
    const others = [
      createEingangRoom({ ...shared, folder: at('eingang') }),
      createHabitatFilesRoom({ ...shared, folder: at('habitat') }),
      createVermessungRoom({ ...shared, folder: at('vermessung') }),
      createBestandRoom({ ...shared, folder: at('bestand') }),
    ] as Room[]
    const room = createImportRoom({
      ...shared,
      folder: at('importe'),
      others: others.flatMap(({ imports }) => imports ?? []),
    })
    this.#rooms = [room, ...others]
    const keys = createProgramKeys({ database, tokens, now, log: silentLog, failuresPerMinute: 20 })
    const app = fastify()
    answerEvery(app.server)
    app.setErrorHandler((error, request, reply) => refuseAt(request.url, BASES)(reply, error))
    guardRoutes(app, keys.authenticate)
    keys.guard(app)
    await app.register(room.routes!, { prefix: '/prod-api' })
    await app.ready()
    this.#app = app
  }

  async restart(): Promise<void> {
    await this.#end()
    await this.open()
  }

  async close(): Promise<void> {
    await this.#end()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** A new key of the person. */
  async keyOf(name: keyof typeof IDENTITIES, narrowing: Narrowing = {}): Promise<string> {
    const id = ++this.#nextKey
    const key = makeKey()
    const { groups } = IDENTITIES[name]
    await this.#engine.owner.script(
      `begin; set local role forst_betrieb; ${insertKey({ user_id: numberOf(name), id, groups, ...narrowing })}
       update accounts.zugang set digest = decode('${digestOf(key)}', 'hex') where id = ${id}; commit`,
    )
    return key
  }

  readonly number = (): string => `number-of-an-import-${++this.#nextNumber}`

  async send(who: string, path: string, { body, key = this.number(), headers = {} }: Sent) {
    const answer = await this.app.inject({
      method: 'POST',
      url: `/prod-api/import/${path}`,
      headers: {
        authorization: `Bearer ${who}`,
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
        ...headers,
      },
      payload: body,
    })
    const json = answer.json() as { data: Data; hint?: string; message: string; error?: string }
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, ...json }
  }

  async #end(): Promise<void> {
    await Promise.all(this.#rooms.map((room) => room.close?.()))
    await this.#app?.close()
  }
}
