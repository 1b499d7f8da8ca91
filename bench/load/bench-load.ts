// npm run bench:load: 200 requests a second as people make them, twice as many as the machine can answer, and a
// flood on the embedded engine. PostgreSQL holds the rows of bench:scale (SCALE=n customers; a million unless said).
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/operations/migrate.ts'
import { type RunningApp, startApp } from '../../e2e/app.ts'
import { EVERYDAY_ROLES } from '../../e2e/browser.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { asUser } from '../../test/owned-database.ts'
import { START_FLAGS } from '../../test/start-command.ts'
import { startPrivatePostgres } from '../api/private-postgres.ts'
import { ENGINES, SHORT } from '../extent.ts'
import { atLeast, atMost, type Figure, p95, report, shown } from '../figures.ts'
import { treeRss } from '../process-tree.ts'
import { load } from '../scale/scene.ts'
import { addPeople, type Person, signIn } from './people.ts'
import type { Ask, StreamOrder, StreamResult } from './stream.ts'

const CUSTOMERS = SHORT ? 10_000 : Number(process.env['SCALE'] ?? 1_000_000)
const SECONDS = SHORT ? 2 : 60
const RATE = 200
const MB = 2 ** 20
const SETTINGS = { shared_buffers: '2GB', maintenance_work_mem: '512MB', max_wal_size: '8GB' }
const figures: Figure[] = []
const schema = { folder: join(import.meta.dirname, '../../db'), log: silentLog, now: () => new Date() }

/**
 * Linux shares the processors among sessions, as it does among services: server, database and those who ask each have
 * their share, however many processes they are.
 */
const OF_ITS_OWN = ['setsid', process.execPath, ...START_FLAGS, 'server/main.ts'] as const

let child: ChildProcess | undefined
async function stream(order: StreamOrder): Promise<StreamResult> {
  child ??= fork(join(import.meta.dirname, 'stream.ts'), { detached: true })
  const answer = once(child, 'message')
  child.send(order)
  return (await answer)[0] as StreamResult
}

const count = ({ faults }: StreamResult): number => Object.values(faults).reduce((sum, one) => sum + one, 0)
const told = ({ faults }: StreamResult): void => {
  for (const [what, times] of Object.entries(faults)) console.error(`${times} × ${what}`)
}

/** Judged at full length only: beside other work a short run may be too much for the machine. */
const none = (figure: string, times: number): Figure =>
  SHORT ? shown(figure, times, '') : atMost(figure, 0, times, '')

const get = (token: string, path: string): Ask => ({ method: 'GET', path, token })
const write = (method: string, token: string, path: string, body: object): Ask => ({
  method,
  token,
  path,
  body: JSON.stringify(body),
})

/** What one person does. Of a hundred requests of all, three are overviews and three are saves. */
function asksOf({ token, kunde }: Person, nr: number): Ask[] {
  const one = kunde ?? 1 + ((nr * 7919) % CUSTOMERS)
  const record = [
    get(token, `/rest/kunde?select=client_id,name,plz,ort&client_id=eq.${one}`),
    get(token, `/rest/kunde?select=*&client_id=eq.${one}`),
  ]
  if (kunde !== null)
    return [
      ...record,
      get(token, '/rest/kunde?select=client_id,name,ort&order=sortname,client_id&limit=50'),
      get(token, '/rest/rechnung_liste?select=id,nummer,brutto&order=id.desc&limit=50'),
      get(token, '/rest/karte_liste?select=id,map_name,status&order=id.desc&limit=50'),
      get(token, `/rest/schacht?select=id,vermessen&client_id=eq.${one}&limit=100`),
      get(token, '/rest/hq_liste?select=idHQ,sHQ&order=idHQ&limit=50'),
    ]
  return [
    ...record,
    get(token, '/rest/kunde?select=client_id,name,ort&order=sortname,client_id&limit=50'),
    get(token, '/rest/kunde?select=client_id,name&suchtext=ilike.*wolf*&order=sortname,client_id&limit=50'),
    get(token, '/rest/rechnung_liste?select=id,nummer,brutto&order=id.desc&limit=50'),
    get(token, '/rest/karte_liste?select=id,map_name,status&order=id.desc&limit=50'),
    get(token, `/rest/position?select=*&rechnung_id=eq.${1 + (nr % (CUSTOMERS / 10))}&order=lfd_nr`),
    write('PATCH', token, `/rest/kunde?client_id=eq.${one}`, { name_zusatz: `Forst ${nr}` }),
  ]
}

/** In an order that repeats itself; overviews of the books for staff alone. */
function mixed(people: readonly Person[]): Ask[] {
  const staff = people.filter(({ kunde }) => kunde === null)
  const asks = Array.from({ length: 10 }, (_, round) =>
    people.flatMap((person, at) => asksOf(person, round * people.length + at)),
  ).flat()
  const scattered = asks.map((_, at) => asks[(at * 7919) % asks.length]!)
  return scattered.map((ask, at) =>
    at % 33 === 32 ? get(staff[at % staff.length]!.token, '/rest/rpc/a_get_buchhaltung') : ask,
  )
}

async function onPostgres(): Promise<void> {
  const postgres = await startPrivatePostgres(SETTINGS)
  const people = await signIn()
  let app: RunningApp | undefined
  try {
    const owner = await createOwnerConnection(postgres.url)
    await migrate(owner, schema)
    await load(owner, CUSTOMERS)
    await addPeople(owner)
    await owner.script('analyze')
    await owner.close()
    app = await startApp({
      command: OF_ITS_OWN,
      env: {
        ...people.env,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        DATABASE_URL: asUser(postgres.url, 'forst_api'),
        DATABASE_OWNER_URL: postgres.url,
        LOG_REQUESTS: 'off',
      },
    })
    await measure(app, mixed(people.people))
  } finally {
    await app?.stop()
    people.close()
    await postgres.stop()
  }
}

async function measure(app: RunningApp, asks: readonly Ask[]): Promise<void> {
  const { port } = app
  await stream({ port, asks, seconds: SHORT ? 1 : 10, perSecond: 50 })
  const usual = await stream({ port, asks, seconds: SECONDS, perSecond: RATE })
  told(usual)
  figures.push(
    shown('postgres: customers', CUSTOMERS, ''),
    none(`postgres: ${RATE} requests/s, refused or failed`, count(usual) + usual.refused.length),
    atMost(`postgres: ${RATE} requests/s, 95 of 100 within`, 150, p95(usual.served), 'ms'),
  )
  const most = await stream({ port, asks, seconds: SECONDS / 4, connections: 16 })
  told(most)
  const best = most.served.length / most.seconds
  figures.push(shown('postgres: most that it serves', best, '/s'))
  const before = treeRss(app.pid)
  const over = await stream({ port, asks, seconds: SECONDS, perSecond: best * 2 })
  told(over)
  // The server gives memory back once it is idle.
  await sleep(SHORT ? 100 : 60_000)
  figures.push(
    atLeast(
      'postgres: twice as much, served of the most',
      90,
      ((over.served.length / over.seconds) * 100) / best,
      '%',
    ),
    atMost('postgres: twice as much, served within (95 of 100)', 1_000, p95(over.served), 'ms'),
    shown('postgres: twice as much, refused', over.refused.length / over.seconds, '/s'),
    shown('postgres: twice as much, refused within (95 of 100)', p95([0, ...over.refused]), 'ms'),
    none('postgres: twice as much, failed', count(over)),
    atMost('postgres: memory after it, of before', 1.2, treeRss(app.pid) / before, ''),
    shown('postgres: memory before it', before / MB, 'MB'),
  )
}

async function onEmbedded(): Promise<void> {
  const app = await startApp({ engine: 'embedded', env: { LOGIN_RATE_PER_MIN: '1000', LOG_REQUESTS: 'off' } })
  try {
    const tokens: string[] = []
    for (const role of EVERYDAY_ROLES) tokens.push((await tokensOf(app, role)).access_token)
    const asks = tokens.flatMap((token) => [
      get(token, '/rest/kunde?select=client_id,name,ort&order=sortname,client_id&limit=20'),
      get(token, '/rest/hq_liste?select=idHQ,sHQ&order=idHQ&limit=20'),
      get(token, '/rest/karte_liste?select=id,map_name,status&order=id.desc&limit=20'),
      get(token, '/rest/kunde?select=client_id,name&limit=1'),
    ])
    const { port } = app
    await stream({ port, asks, seconds: SHORT ? 1 : 10, perSecond: 20 })
    const usual = await stream({ port, asks, seconds: SECONDS / 2, perSecond: 60 })
    told(usual)
    const over = await stream({ port, asks, seconds: SECONDS / 2, perSecond: RATE })
    told(over)
    await sleep(1_000)
    const after = await stream({ port, asks, seconds: SECONDS / 4, perSecond: 60 })
    told(after)
    figures.push(
      none('embedded: 60 requests/s, refused or failed', count(usual) + usual.refused.length),
      shown('embedded: 60 requests/s, 95 of 100 within', p95(usual.served), 'ms'),
      shown(`embedded: ${RATE}/s, served`, over.served.length / over.seconds, '/s'),
      shown(`embedded: ${RATE}/s, served within (95 of 100)`, p95(over.served), 'ms'),
      atMost(`embedded: ${RATE}/s, refused within (95 of 100)`, 100, p95([0, ...over.refused]), 'ms'),
      shown(`embedded: ${RATE}/s, refused`, over.refused.length / over.seconds, '/s'),
      none('embedded: a second after it, refused or failed', count(after) + after.refused.length),
      atMost('embedded: a second after it, time of before', 1.5, p95(after.served) / p95(usual.served), ''),
    )
  } finally {
    await app.stop()
  }
}

if (ENGINES.includes('postgres')) await onPostgres()
if (ENGINES.includes('embedded')) await onEmbedded()
child?.disconnect()
report('load', figures)
