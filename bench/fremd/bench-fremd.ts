// npm run bench:fremd: how much hostile users slow down others. Each hostile kind of request, sent by users
// of the lowest roles, lasts 20 s on each engine while another user reads one row twice a second. `npm run
// bench:fremd -- embeds` runs the kinds whose name contains that word; ENGINES=embedded runs one engine.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningApp, startApp } from '../../e2e/app.ts'
import { demoPassword, type DemoRole } from '../../e2e/browser.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { withSample } from '../sample.ts'
import { ENGINES, SHORT } from '../extent.ts'
import { atLeast, atMost, type Figure, report, shown } from '../figures.ts'
import { treeParts, treeRss } from '../process-tree.ts'
import type { FloodOrder, FloodResult } from './flood.ts'
import { KINDS } from './kinds.ts'

const KIND_MS = SHORT ? 300 : 20_000
const REST_MS = SHORT ? 1_000 : 60_000
const EVERY_MS = SHORT ? 100 : 500
/** Limit for the 95th percentile of the other user's reads. */
const LIMIT_MS = { postgres: 1_000, embedded: 3_000 }
type EngineName = keyof typeof LIMIT_MS

const LOWEST: readonly DemoRole[] = ['ogf_init', 'ogf_standard', 'appuser', 'kundenadmin']
const words = process.argv.slice(2)
const kinds = KINDS.filter(({ name }) => words.every((word) => name.includes(word)))
const engines = ENGINES as readonly EngineName[]
const figures: Figure[] = []
/** Kinds of which no act reached its target: their figures would mean nothing. */
const hollow: string[] = []
const MB = 2 ** 20
const megabytes = (bytes: number): number => Math.round(bytes / MB)

/**
 * Judged at full length only: a fraction of a second says nothing, and a kind may be over before its first
 * act is. Whether the server is still alive is judged at any length.
 */
const none = (figure: string, count: number): Figure =>
  SHORT ? shown(figure, count, '') : atMost(figure, 0, count, '')

interface Seen {
  readonly p95: number
  readonly slowest: number
  readonly errors: number
}

/**
 * The other user: reads one row twice a second until end() is called. Every read counts, including one that
 * takes longer than the kind.
 */
function watch(app: RunningApp, token: string): { end(): Promise<Seen> } {
  const walls: number[] = []
  const reads: Promise<void>[] = []
  let errors = 0
  const readOne = async (): Promise<void> => {
    const from = performance.now()
    try {
      const answer = await fetch(`${app.origin}/rest/kunde?client_id=eq.1&select=client_id,name`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(60_000),
      })
      const rows = (await answer.json()) as unknown[]
      if (answer.status !== 200 || rows.length !== 1) errors++
    } catch {
      errors++
    }
    walls.push(performance.now() - from)
  }
  const timer = setInterval(() => reads.push(readOne()), EVERY_MS)
  return {
    async end() {
      clearInterval(timer)
      await Promise.all(reads)
      const sorted = walls.toSorted((a, b) => a - b)
      return { p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0, slowest: sorted.at(-1) ?? 0, errors }
    },
  }
}

/**
 * One process per kind, since a kind may leave much behind. In a short run they share one, or starting
 * processes would be most of the work.
 */
let stranger: ChildProcess | null = null

async function flood(order: FloodOrder): Promise<FloodResult> {
  const child = (stranger ??= fork(join(import.meta.dirname, 'flood.ts')))
  const killed = setTimeout(() => child.kill('SIGKILL'), order.ms + 20_000)
  child.send(order)
  const done = new AbortController()
  const of = { signal: done.signal }
  const answer = await Promise.race([once(child, 'message', of), once(child, 'exit', of).then(() => null)])
  done.abort()
  clearTimeout(killed)
  if (!SHORT || answer === null) dismiss()
  return answer === null ? { acts: 0, ends: { 'ended early': 1 } } : (answer[0] as FloodResult)
}

function dismiss(): void {
  stranger?.kill('SIGKILL')
  stranger = null
}

/**
 * The work every server does in a day: a list, a table, a report. What it loads for that must not count
 * against the hostile kinds.
 */
async function workOneDay(app: RunningApp, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const report = { method: 'POST', body: JSON.stringify({ ids: null, filter: [], fotos: 'alle' }) }
  const work: readonly (readonly [path: string, init?: RequestInit])[] = [
    ['/rest/habitatbaeume?limit=10000'],
    ['/prod-api/habitat/1/export/habitatbaeume.csv'],
    ['/prod-api/habitat/1/bericht', report],
  ]
  for (const [path, init] of work) {
    const answer = await fetch(app.origin + path, { ...init, headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  }
}

/** Four of one person, for everything that the person may do. */
const KEYS = 4
async function makeKeys(app: RunningApp, token: string): Promise<string[]> {
  const wanted = { art: 'person', haelfte: null, gruppen: null, nur_lesen: false, client_id: null, code: '' }
  const bis = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10)
  const keys: string[] = []
  for (let nr = 1; nr <= KEYS; nr++) {
    const answer = await fetch(`${app.origin}/prod-api/zugaenge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...wanted, bis, name: `Skript ${nr}`, passwort: demoPassword(app) }),
    })
    const { data, message } = (await answer.json()) as { data: { zugang: string } | null; message: string }
    if (data === null) throw new Error(`no key: ${message}`)
    keys.push(data.zugang)
  }
  return keys
}

const isAlive = (app: RunningApp): Promise<boolean> =>
  fetch(`${app.origin}/healthz`, { signal: AbortSignal.timeout(10_000) }).then(
    (answer) => answer.ok,
    () => false,
  )

async function measure(engine: EngineName): Promise<void> {
  const app = await startApp({
    ...(engine === 'embedded' ? { engine } : {}),
    env: { ACCESS_TTL_S: '3600', SESSION_IDLE_S: '7200', LOGIN_RATE_PER_MIN: '1000' },
  })
  try {
    const tokens: Record<string, string> = {}
    for (const role of LOWEST) tokens[role] = (await tokensOf(app, role)).access_token
    const keys = await makeKeys(app, tokens['ogf_standard'] ?? '')
    const { access_token: other } = await tokensOf(app, 'ogf_admin')
    await workOneDay(app, other)
    const warm = watch(app, other)
    // The report typesetter ends after a while without requests.
    await sleep(SHORT ? 500 : 30_000)
    const quiet = await warm.end()
    const before = treeRss(app.pid)
    figures.push(shown(`${engine}: nobody floods, 95 of 100 reads within`, quiet.p95, 'ms'))
    let peak = before
    for (const { name, ends } of kinds) {
      const watching = watch(app, other)
      const memory = setInterval(() => {
        peak = Math.max(peak, treeRss(app.pid))
      }, 200)
      const done = await flood({ kind: name, origin: app.origin, port: app.port, tokens, keys, ms: KIND_MS })
      const seen = await watching.end()
      clearInterval(memory)
      const told = Object.entries(done.ends).map(([end, count]) => `${count} × ${end}`)
      console.error(
        `${engine}: ${name}: ${done.acts} acts (${told.join(', ')}), ${Math.round(seen.p95)} ms, ` +
          `${seen.errors} errors, ${megabytes(treeRss(app.pid))} MB`,
      )
      figures.push(
        atMost(
          `${engine}: ${name}: 95 of 100 reads of another person within`,
          LIMIT_MS[engine],
          seen.p95,
          'ms',
        ),
        none(`${engine}: ${name}: errors of another person`, seen.errors),
      )
      if (ends.length > 0 && !ends.some((end) => done.ends[end] !== undefined))
        hollow.push(`${engine}: ${name}`)
      if (!(await isAlive(app))) {
        figures.push(atMost(`${engine}: ${name}: the server is gone`, 0, 1, ''))
        console.error(app.output().slice(-2_000))
        return
      }
    }
    await sleep(REST_MS)
    const after = treeRss(app.pid)
    for (const part of treeParts(app.pid))
      console.error(`${engine}: ${megabytes(part.rss)} MB ${part.command}`)
    figures.push(
      shown(`${engine}: memory before`, before / MB, 'MB'),
      shown(`${engine}: memory at most`, peak / MB, 'MB'),
      atMost(`${engine}: memory afterwards, times what it was before`, 1.2, after / before, ''),
    )
  } finally {
    await app.stop()
  }
}

const begun = performance.now()
for (const engine of engines) {
  if (engine === 'embedded') await measure(engine)
  else await withSample(() => measure(engine))
}
dismiss()
for (const name of hollow) console.error(`no act reached what it is about: ${name}`)
report('fremd', [
  none('kinds whose acts did not reach what they are about', hollow.length),
  atLeast('hostile kinds on each engine', 30, kinds.length, ''),
  ...figures,
  atMost('in all', 30, (performance.now() - begun) / 60_000, 'min'),
])
