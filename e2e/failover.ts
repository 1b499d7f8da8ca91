// Two servers of the product on a cluster that Patroni looks after. Its primary is killed again and again while people
// save, issue invoices, read and renew their sessions; afterwards nothing that was confirmed may be missing.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withLogin } from '#server/database/address.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { SCHEMA_FOLDER } from '#server/prepare.ts'
import { type Receiver, startReceiver } from '#server/webhooks/receiver.fixture.ts'
import { fillTrial } from '../scripts/trial-archive.ts'
import { auditBooks, lastIssued, Office } from '../test/crash.ts'
import { type Cluster, startCluster } from '../test/patroni.ts'
import { START_FLAGS } from '../test/start-command.ts'
import { freePort } from '../test/private-postgres.ts'
import { type RunningApp, startApp, temporaryFolder } from './app.ts'
import { type DemoRole, EVERYDAY_ROLES } from './browser.ts'
import { call } from './calls.ts'
import { FORM, PROTOCOL, type Tokens, tokensOf } from './http-sign-in.ts'

/** How a primary goes: the whole machine, its PostgreSQL, or it is only silent and comes back. */
const ENDS = ['machine', 'silent', 'server'] as const
type End = (typeof ENDS)[number]

export interface Takeover {
  readonly end: End
  /** From the end of the old primary until Patroni says that the other one is it, in seconds. */
  readonly decidedS: number
  /** From then until the first change was confirmed, in seconds. */
  readonly firstSaveS: number
  /** Reads while no server took changes. */
  readonly reads: Reads
}

interface Reads {
  readonly served: number
  readonly refused: number
}

export interface FailoverReport {
  readonly takeovers: readonly Takeover[]
  /** How often Patroni had to be informed that there is a standby. */
  readonly helped: number
  readonly saves: number
  readonly lostSaves: number
  readonly invoices: Awaited<ReturnType<typeof auditBooks>>
  /** Sessions that could not be renewed, or whose token was not accepted. */
  readonly signedOut: readonly string[]
  readonly renewals: number
  /** Issued invoices of which no program was notified. */
  readonly untold: number
  /** Answers other than what was asked or expected, by kind. */
  readonly faults: Readonly<Record<string, number>>
}

/** No server takes changes (503), or nobody knows whether the one that was just lost has kept this one (500, 08007). */
const isExpected = (text: string): boolean => /\b50[34] /.test(text) || text.includes('"08007"')
const SAVERS = 4
const LONGEST_MS = 20_000

/** What the loops of one run share. */
class Load {
  readonly #apps: readonly RunningApp[]
  readonly sessions = new Map<DemoRole, Tokens>()
  readonly faults: Record<string, number> = {}
  readonly signedOut: string[] = []
  readonly answered = new Map<number, string>()
  /** The last value that each of them sent, and that was confirmed. */
  readonly sent: number[] = []
  readonly kept: number[] = []
  reads = { served: 0, refused: 0 }
  saves = 0
  renewals = 0
  /** When a change was confirmed last. */
  savedAt = 0
  /** While reads are counted: nobody takes changes. */
  isAway = false
  isOver = false
  #turn = 0

  constructor(apps: readonly RunningApp[]) {
    this.#apps = apps
  }

  get #app(): RunningApp {
    return this.#apps[this.#turn++ % this.#apps.length]!
  }
  tokenOf(role: DemoRole): string {
    return this.sessions.get(role)!.access_token
  }

  #note(what: string): void {
    if (isExpected(what)) return
    this.faults[what] = (this.faults[what] ?? 0) + 1
  }

  /** Whether it was confirmed. */
  async #ask(role: DemoRole, path: string, method = 'GET', body?: object): Promise<boolean> {
    const answer = await fetch(this.#app.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${this.tokenOf(role)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LONGEST_MS),
    }).catch((error: unknown) => String(error))
    if (typeof answer === 'string') {
      this.#note(`${method} ${answer}`)
      return false
    }
    const text = await answer.text()
    if (answer.ok) return true
    if (answer.status === 401) this.signedOut.push(`${role}: ${text.slice(0, 120)}`)
    else this.#note(`${method} ${answer.status} ${text.slice(0, 120)}`)
    return false
  }

  async #repeat(everyMs: number, act: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await act()
      await sleep(everyMs)
    }
  }

  /** Every value is one higher than the one before, so that one look shows what is missing. */
  saver(nr: number): Promise<void> {
    this.sent[nr] = 0
    this.kept[nr] = 0
    return this.#repeat(30, async () => {
      const value = ++this.sent[nr]!
      const path = `/rest/kunde?client_id=eq.${nr + 1}`
      if (!(await this.#ask('apus_admin', path, 'PATCH', { name_zusatz: `Stand ${value}` }))) return
      this.kept[nr] = value
      this.saves += 1
      this.savedAt = performance.now()
    })
  }

  clerk(): Promise<void> {
    let nr = 0
    return this.#repeat(300, async () => {
      const office = new Office(this.#app, `Bearer ${this.tokenOf('apus_admin')}`)
      try {
        const id = await office.draft(1, ++nr)
        this.answered.set(id, await office.issue(id))
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error)
        this.#note(`invoice ${text.slice(0, 160)}`)
      }
    })
  }

  reader(role: DemoRole): Promise<void> {
    return this.#repeat(50, async () => {
      const counted = this.isAway
      const served = await this.#ask(role, '/rest/kunde?select=client_id,name&order=client_id&limit=5')
      if (counted && this.isAway) this.reads[served ? 'served' : 'refused'] += 1
    })
  }

  /** As a browser does, but far more often; one whose answer is unknown is asked for again. */
  renewer(role: DemoRole): Promise<void> {
    return this.#repeat(500, async () => {
      const { refresh_token } = this.sessions.get(role)!
      const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'ogf-web', refresh_token })
      const signal = AbortSignal.timeout(LONGEST_MS)
      const url = `${this.#app.origin}${PROTOCOL}/token`
      const answer = await fetch(url, { method: 'POST', headers: FORM, body, signal }).catch(() => null)
      const text = (await answer?.text().catch(() => '')) ?? ''
      if (answer?.ok === true && text !== '') {
        this.sessions.set(role, JSON.parse(text) as Tokens)
        this.renewals += 1
      } else if (answer !== null && answer.status !== 503)
        this.signedOut.push(`${role}: ${answer.status} ${text.slice(0, 120)}`)
    })
  }

  /** The values as they are stored, beside those that were confirmed. */
  async lost(): Promise<number> {
    const path = `/rest/kunde?select=name_zusatz&client_id=lte.${SAVERS}&order=client_id`
    const { json } = await call(this.#app, this.tokenOf('apus_admin'), path)
    return (json as { name_zusatz: string }[]).filter(({ name_zusatz }, nr) => {
      const value = Number(/\d+$/.exec(name_zusatz)?.[0])
      return !(value >= this.kept[nr]! && value <= this.sent[nr]!)
    }).length
  }
}

async function until(what: string, mostMs: number, done: () => Promise<boolean> | boolean): Promise<void> {
  for (const from = performance.now(); !(await done()); await sleep(50))
    if (performance.now() - from > mostMs) throw new Error(`${what}: not within ${mostMs / 1000} s`)
}

async function takeover(load: Load, cluster: Cluster, end: End): Promise<Takeover> {
  const [primary, standby] = await cluster.settled()
  await sleep(2_000)
  const ended = performance.now()
  if (end === 'machine') await primary.die()
  if (end === 'server') primary.crash()
  if (end === 'silent') primary.freeze(true)
  load.reads = { served: 0, refused: 0 }
  load.isAway = true
  await until('a new primary', 60_000, () => standby.is('primary'))
  load.isAway = false
  const decided = performance.now()
  await until('a first change', 120_000, () => load.savedAt > decided)
  const { reads, savedAt } = load
  const result = { end, decidedS: (decided - ended) / 1000, firstSaveS: (savedAt - decided) / 1000, reads }
  if (end === 'machine') primary.start()
  if (end === 'silent') primary.freeze(false)
  return result
}

interface House {
  readonly cluster: Cluster
  readonly apps: readonly RunningApp[]
  readonly receiver: Receiver
  close(): Promise<void>
}

/** The trial's people and records; both servers have the same address for people, as behind a proxy. */
async function open(): Promise<House> {
  const folder = temporaryFolder()
  const receiver = await startReceiver()
  const cluster = await startCluster()
  const apps: RunningApp[] = []
  const close = async () => {
    for (const app of apps) await app.stop()
    await cluster.stop()
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const port = await freePort()
  const secret = join(folder, 'secret')
  writeFileSync(secret, randomBytes(48).toString('base64'), { mode: 0o600 })
  const env = {
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    FILES_DIR: join(folder, 'files'),
    IDP_SECRET_FILE: secret,
    LOGIN_RATE_PER_MIN: '1000',
    WEBHOOK_PRIVATE: 'on',
    WEBHOOK_EVERY_S: '1',
  }
  const server = ['e2e/trial-on-postgres.ts', withLogin(cluster.url, 'forst_api', ''), cluster.url]
  const command = [process.execPath, ...START_FLAGS, ...server] as const
  try {
    const owner = await createOwnerConnection(cluster.url)
    await fillTrial(owner, { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() })
    await owner.close()
    apps.push(await startApp({ port, env, command }))
    apps.push(await startApp({ env, command }))
  } catch (error) {
    await close()
    throw error
  }
  return { cluster, apps, receiver, close }
}

/** @param ends how the primary goes, one after the other */
export async function failover(ends: readonly End[]): Promise<FailoverReport> {
  const { cluster, apps, receiver, close } = await open()
  const [first] = apps as [RunningApp]
  const load = new Load(apps)
  try {
    for (const role of EVERYDAY_ROLES) load.sessions.set(role, await tokensOf(first, role))
    const officeNow = () => new Office(first, `Bearer ${load.tokenOf('apus_admin')}`)
    const before = await lastIssued(officeNow())
    const hook = { haelfte: 'draenage', name: 'Probe', url: `${receiver.url}/`, arten: ['document.issued'] }
    await call(first, load.tokenOf('apus_admin'), '/prod-api/webhooks', { ...hook, client_id: null })
    const loops = [
      ...Array.from({ length: SAVERS }, (_, nr) => load.saver(nr)),
      load.clerk(),
      load.reader('ogf_team'),
      load.reader('appuser'),
      ...EVERYDAY_ROLES.map((role) => load.renewer(role)),
    ]
    const takeovers: Takeover[] = []
    try {
      for (const end of ends) takeovers.push(await takeover(load, cluster, end))
      await cluster.settled()
      await sleep(2_000)
    } finally {
      load.isOver = true
      await Promise.all(loops)
    }
    const invoices = await auditBooks(officeNow(), before, load.answered)
    const untold = () => {
      const bodies = receiver.received.map(({ body }) => body).join('\n')
      return [...load.answered.values()].filter((documentNumber) => !bodies.includes(`"${documentNumber}"`))
        .length
    }
    await until('what programs are told', 120_000, () => untold() === 0).catch(() => undefined)
    const { saves, signedOut, renewals, faults } = load
    const lostSaves = await load.lost()
    return {
      takeovers,
      helped: cluster.helped,
      saves,
      lostSaves,
      invoices,
      signedOut,
      renewals,
      untold: untold(),
      faults,
    }
  } finally {
    await close()
  }
}

export const endsOf = (rounds: number): End[] =>
  Array.from({ length: rounds }, (_, nr) => ENDS[nr % ENDS.length]!)
