// The same transaction without HTTP and without our engine: what the driver alone can do.
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { createEmbeddedDatabase } from '#server/database/embedded.ts'
import { silentLog } from '#server/log.ts'
import { READ_TEXT, SCENE_SQL, SETTINGS, SHELVES, TIDY_SQL } from './scene.ts'

export interface BareOrder {
  readonly engine: 'postgres' | 'pglite' | 'embedded'
  readonly place: string
  readonly workers: number
  readonly seconds: number
  /** The best round counts. */
  readonly rounds: number
}

const SET = Object.keys(SETTINGS).map((name, i) => `set_config('${name}',$${i + 1},true)`)
const CONTEXT = `select ${SET},set_config('role','bench_web',true)`

interface Bare {
  once(shelf: number, worker: number): Promise<unknown>
  close(): Promise<unknown>
}

/**
 * Pipelined: the four statements of a transaction are sent together; the next transaction waits for their
 * answers.
 */
async function openPostgres(url: string): Promise<Bare> {
  const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: url, pipeline: true }))
  for (const client of clients) await client.connect()
  const busy = clients.map(() => Promise.resolve<unknown>(null))
  const transaction = (client: pg.Client, shelf: number) =>
    Promise.all([
      client.query({ name: 'b', text: 'begin read only' }),
      client.query({ name: 'c', text: CONTEXT, values: Object.values(SETTINGS) }),
      client.query({ name: 'r', text: READ_TEXT, values: [shelf, 25] }),
      client.query({ name: 'e', text: 'commit' }),
    ])
  return {
    once: (shelf, worker) => {
      const at = worker % clients.length
      const mine = (busy[at] as Promise<unknown>).then(() => transaction(clients[at] as pg.Client, shelf))
      busy[at] = mine
      return mine
    },
    close: () => Promise.all(clients.map((client) => client.end())),
  }
}

const quote = (value: string) => `'${value.replaceAll("'", "''")}'`

/** PGlite in this thread, the whole transaction in one call: the fastest way it offers. */
async function openPglite(folder: string): Promise<Bare> {
  const database = await PGlite.create(folder)
  await database.exec(SCENE_SQL)
  await database.exec(TIDY_SQL)
  const settings = Object.entries(SETTINGS).map(
    ([name, value]) => `set_config('${name}',${quote(value)},true)`,
  )
  const opening = `begin read only; select ${settings.join(',')},set_config('role','bench_web',true);`
  const once = (shelf: number) =>
    database.exec(`${opening}${READ_TEXT.replace('$1', String(shelf)).replace('$2', '25')};commit`)
  return { once, close: () => database.close() }
}

/** Our embedded engine (PGlite in its guarded worker), without HTTP and without the data API. */
async function openEmbedded(folder: string): Promise<Bare> {
  const database = await createEmbeddedDatabase({ folder, log: silentLog, loginRole: 'bench_login' })
  await database.asOwner(async (owner) => {
    await owner.script(SCENE_SQL)
    await owner.script(TIDY_SQL)
  })
  const context = { role: 'bench_web', settings: SETTINGS, readOnly: true }
  return {
    once: (shelf) => database.once(context, { name: 'read', text: READ_TEXT, values: [shelf, 25] }),
    close: () => database.close(),
  }
}

const OPEN = { postgres: openPostgres, pglite: openPglite, embedded: openEmbedded }

async function measure({
  engine,
  place,
  workers,
  seconds,
  rounds,
}: BareOrder): Promise<{ perSecond: number; p50: number }> {
  const database = await OPEN[engine](place)
  const times: number[] = []
  const run = async (until: number) => {
    const worker = async (number: number) => {
      for (let i = number; performance.now() < until; i++) {
        const started = performance.now()
        await database.once(SHELVES[i % SHELVES.length] as number, number)
        times.push(performance.now() - started)
      }
    }
    await Promise.all(Array.from({ length: workers }, (_, number) => worker(number)))
  }
  await run(performance.now() + 1000) // warm
  let best = { perSecond: 0, p50: Number.NaN }
  for (let round = 0; round < rounds; round++) {
    times.length = 0
    const started = performance.now()
    await run(started + seconds * 1000)
    const perSecond = times.length / ((performance.now() - started) / 1000)
    times.sort((a, b) => a - b)
    if (perSecond > best.perSecond) best = { perSecond, p50: times[times.length >> 1] ?? Number.NaN }
  }
  await database.close()
  return best
}

process.on('message', (order: BareOrder) => {
  void measure(order).then((result) => process.send?.(result))
})
