// npm run bench:api: the figures of the data API, next to what the machine does without it in the same run.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { BareOrder } from './bare.ts'
import { SHORT } from '../extent.ts'
import { atLeast as least, atMost as most, type Figure, report, shown } from '../figures.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { START_ENV, START_FLAGS } from '../../test/start-command.ts'
import { measurePlanning } from './planned.ts'
import { startPrivatePostgres } from './private-postgres.ts'
import { readPath, SCENE_SQL, SHELVES, TIDY_SQL, TOKEN } from './scene.ts'

const SECONDS = Number(process.argv[2] ?? (SHORT ? 0.3 : 3))
const ROUNDS = SHORT ? 1 : 3
const figures: Figure[] = []
const show = (...figure: Parameters<typeof shown>) => figures.push(shown(...figure))
const atLeast = (...figure: Parameters<typeof least>) => figures.push(least(...figure))
const atMost = (...figure: Parameters<typeof most>) => figures.push(most(...figure))

const children = new Set<ChildProcess>()

function start(file: string, ...args: string[]): ChildProcess {
  const served = file === 'served.ts'
  // The flags and environment that the server should be started with. The young generation is small because
  // it would grow to three times what it needs and gain no speed. With the compile cache, Node does not load
  // the compiler that strips types (35 MB).
  const execArgv = served ? [...START_FLAGS] : []
  const env = served ? { ...process.env, ...START_ENV } : process.env
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function ask<Answer>(child: ChildProcess, order: object): Promise<Answer> {
  const answer = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('a process of the measurement ended early')
    }),
  ])
  child.send(order)
  return (await answer)[0] as Answer
}

const headersOf = (body: string) =>
  body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
const request = (method: string, path: string, headers: string, body = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${TOKEN}\r\n` +
  `${headers}${headersOf(body)}\r\n${body}`

const READS = SHELVES.map((shelf) => request('GET', readPath(shelf), ''))
const PATCHES = Array.from({ length: 500 }, (_, i) => {
  const id = (SHELVES[i % SHELVES.length] as number) * 25 + Math.floor(i / SHELVES.length)
  return request(
    'PATCH',
    `/rest/item?id=eq.${id}`,
    'Prefer: return=representation\r\n',
    JSON.stringify({ text: `changed ${i}`, price: `${i}.25` }),
  )
})

interface Round {
  readonly requests: readonly string[]
  readonly connections: number
  readonly status?: number
  readonly seconds?: number
}

async function load(
  port: number,
  { requests, connections, status = 200, seconds = SECONDS }: Round,
): Promise<LoadResult> {
  const child = start('load.ts')
  const order: LoadOrder = { port, connections, seconds, requests, status }
  const result = await ask<LoadResult>(child, order)
  await end(child)
  if (result.faults > 0) throw new Error(`${result.faults} of ${result.requests} answers were not ${status}`)
  return result
}

/** The best of several short rounds: other work on the machine can only make a round slower. */
async function best(port: number, round: Round): Promise<LoadResult> {
  const results: LoadResult[] = []
  while (results.length < ROUNDS) results.push(await load(port, round))
  const requests = results.reduce((sum, result) => sum + result.requests, 0)
  return { ...results.reduce((a, b) => (b.perSecond > a.perSecond ? b : a)), requests }
}

interface Usage {
  readonly rss: number
  readonly cpu: { readonly user: number; readonly system: number }
}

const usage = (child: ChildProcess) => ask<Usage>(child, {})
const cpuOf = (before: Usage, after: Usage) =>
  after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system

async function serve(mode: string, place = ''): Promise<{ child: ChildProcess; port: number }> {
  const child = start('served.ts', mode, place)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

async function measureFixed(): Promise<void> {
  const { child, port } = await serve('fixed')
  const result = await best(port, { requests: READS, connections: 32 })
  show('bare: node:http, fixed 4 kB, 32 connections', result.perSecond, '1/s')
  await end(child)
}

async function measureBare(order: BareOrder): Promise<{ perSecond: number; p50: number }> {
  const child = start('bare.ts')
  const result = await ask<{ perSecond: number; p50: number }>(child, order)
  await end(child)
  return result
}

async function measurePostgres(): Promise<void> {
  const postgres = await startPrivatePostgres()
  try {
    const admin = new pg.Client({ connectionString: postgres.url })
    await admin.connect()
    await admin.query(SCENE_SQL)
    await admin.query(TIDY_SQL)
    await admin.end()
    const url = postgres.url.replace('postgres@', 'bench_login@')
    const bare32 = await measureBare({
      engine: 'postgres',
      place: url,
      workers: 32,
      seconds: SECONDS,
      rounds: ROUNDS,
    })
    const bare1 = await measureBare({
      engine: 'postgres',
      place: url,
      workers: 1,
      seconds: SECONDS,
      rounds: ROUNDS,
    })
    show('bare: same SQL through pg, 32 at once on 8 connections', bare32.perSecond, '1/s')
    show('bare: same SQL through pg, one at a time, p50', bare1.p50, 'ms')
    await measureStart(url)
    await measureServer(url, postgres.cpuSeconds)
  } finally {
    await postgres.stop()
  }
}

const MAIN = join(import.meta.dirname, '../../server/data-api/main.ts')

/** Milliseconds until `npm run data-api` answers: from its start to its first answer. */
async function startAlone(url: string): Promise<number> {
  const options = ['--database-url', url, '--schema', 'bench', '--anon-role', 'bench_web', '--port', '0']
  const began = performance.now()
  const child = spawn(process.execPath, [...START_FLAGS, MAIN, ...options], {
    env: { ...process.env, ...START_ENV },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let port: string | undefined
  for await (const line of child.stdout) {
    port = /127\.0\.0\.1:([0-9]+)/.exec(String(line))?.[1]
    if (port !== undefined) break
  }
  const { status } = await fetch(`http://127.0.0.1:${port}/item?limit=1`)
  const took = performance.now() - began
  if (status !== 200) throw new Error(`the data API alone answered ${status}`)
  const gone = once(child, 'exit')
  // A regular exit writes the compile cache.
  child.kill('SIGTERM')
  await gone
  return took
}

async function measureStart(url: string): Promise<void> {
  // The first start fills the compile cache.
  await startAlone(url)
  const rounds: number[] = []
  while (rounds.length < ROUNDS) rounds.push(await startAlone(url))
  atMost('start of the data API alone, to its first answer', 2000, Math.min(...rounds), 'ms')
}

function measureParsing(): void {
  const { heaviest, simple } = measurePlanning()
  atMost('parse and plan, the heaviest request within the limits', 2, heaviest, 'ms')
  show('parse and plan, a simple read', simple * 1000, 'us')
}

async function measureServer(url: string, databaseCpu: () => number): Promise<void> {
  // The first start fills the compile cache; the second one is measured.
  const first = await serve('postgres', url)
  first.child.send({ end: true })
  await once(first.child, 'exit')
  const { child, port } = await serve('postgres', url)
  show('memory after the start', (await usage(child)).rss / 2 ** 20, 'MB')
  let requests = (await load(port, { requests: READS, connections: 32, seconds: Math.min(2, SECONDS) }))
    .requests // warm
  const [before, databaseBefore] = [await usage(child), databaseCpu()]
  const many = await best(port, { requests: READS, connections: 32 })
  const [after, databaseAfter] = [await usage(child), databaseCpu()]
  atLeast('read 25 rows, 32 connections', 5000, many.perSecond, '1/s')
  atMost('read 25 rows, 32 connections, p50', 6, many.p50, 'ms')
  show('read 25 rows, 32 connections, p99', many.p99, 'ms')
  show('read 25 rows, size of the answer', many.bytes, 'B')
  show('read 25 rows, processor time of the server', cpuOf(before, after) / many.requests, 'us')
  show(
    'read 25 rows, processor time of PostgreSQL',
    ((databaseAfter - databaseBefore) * 1e6) / many.requests,
    'us',
  )
  const single = await best(port, { requests: READS, connections: 1 })
  atMost('read 25 rows, one connection, p50', 0.6, single.p50, 'ms')
  show('read 25 rows, one connection', single.perSecond, '1/s')
  const beforeWrites = await usage(child)
  const writes = await best(port, { requests: PATCHES, connections: 32 })
  atLeast('PATCH with representation, 32 connections', 2500, writes.perSecond, '1/s')
  show('PATCH with representation, p50', writes.p50, 'ms')
  show(
    'PATCH with representation, processor time of the server',
    cpuOf(beforeWrites, await usage(child)) / writes.requests,
    'us',
  )
  requests += many.requests + single.requests + writes.requests
  while (requests < (SHORT ? 1_000 : 100_000))
    requests += (await load(port, { requests: READS, connections: 32, seconds: Math.min(4, 2 * SECONDS) }))
      .requests
  atMost('memory after 100,000 requests', 150, (await usage(child)).rss / 2 ** 20, 'MB')
  show('requests served by then', requests, '')
  await end(child)
  const mounted = await serve('fastify', url)
  await load(mounted.port, { requests: READS, connections: 32, seconds: Math.min(2, SECONDS) })
  const through = await best(mounted.port, { requests: READS, connections: 32 })
  show('read 25 rows, 32 connections, mounted in Fastify', through.perSecond, '1/s')
  await end(mounted.child)
}

async function measureEmbedded(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-embedded-'))
  try {
    const pglite = await measureBare({
      engine: 'pglite',
      place: join(folder, 'pglite'),
      workers: 1,
      seconds: SECONDS,
      rounds: ROUNDS,
    })
    const embedded = await measureBare({
      engine: 'embedded',
      place: join(folder, 'embedded'),
      workers: 8,
      seconds: SECONDS,
      rounds: ROUNDS,
    })
    const { child, port } = await serve('embedded', join(folder, 'served'))
    await load(port, { requests: READS, connections: 8, seconds: Math.min(2, SECONDS) })
    const many = await best(port, { requests: READS, connections: 8 })
    const single = await load(port, { requests: READS, connections: 1, seconds: SECONDS })
    show('bare: same SQL through PGlite in its own thread', pglite.perSecond, '1/s')
    show('bare: same SQL through our embedded engine, 8 at once', embedded.perSecond, '1/s')
    show('embedded: read 25 rows, 8 connections', many.perSecond, '1/s')
    show('embedded: read 25 rows, one connection', single.perSecond, '1/s')
    show('embedded: read 25 rows, one connection, p50', single.p50, 'ms')
    atLeast(
      'embedded: share of the faster bare engine',
      0.6,
      many.perSecond / Math.max(pglite.perSecond, embedded.perSecond),
      '',
    )
    await end(child)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  measureParsing()
  await measureFixed()
  await measurePostgres()
  await measureEmbedded()
} finally {
  for (const child of children) child.kill('SIGKILL')
}
report('api', figures)
