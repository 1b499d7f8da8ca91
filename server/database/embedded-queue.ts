// Decides which request uses the embedded engine next. Single statements go two at a time (one runs, one
// waits in the worker); everything else has the engine alone. All share one engine, so it is time that is
// shared: the person whose requests used least of it recently goes next, and within their share (share.ts) their
// screen or the key that did. Long work (rank.ts) comes after what people wait for, and nobody waits who would not be
// served in time (crowd.ts).
import { AsyncLocalStorage } from 'node:async_hooks'
import { isObserved, note, observed, offerLevel } from '#server/observe.ts'
import { Crowd } from './crowd.ts'
import { CrowdedFault, PoolTimeoutFault, ShareFault } from './database.ts'
import type { Rank } from '#server/rank.ts'
import { longestBut, shareOf, STRANGERS } from '#server/share.ts'
import { type Candidate, goesBefore, type Job, Party, type Row, screensOf } from './embedded-party.ts'

export interface QueueLimits {
  /** How many may wait in total. */
  readonly length: number
  /** How many requests of one person may wait. */
  readonly perPerson: number
  readonly waitMs: number
}

/** How a request takes its turn. */
export interface Turn {
  readonly alone: boolean
  /** Undefined: the server's own work. */
  readonly person?: string | undefined
  readonly rank?: Rank
  /** Before all others: maintenance of the engine itself. */
  readonly first?: boolean
  /** Deadline of the wait, if it began earlier. */
  readonly until?: number
}

const SIDE_BY_SIDE = 2
/** Of all places to wait, those of everybody without an account together. */
const STRANGERS_WAITING = 0.25
/** A person whose statements are shorter than this may have two running at a time. */
const SHORT_MS = 20
/** A person with this many waiting requests asks for more than one page does at once. */
const FLOOD = 6
export class EngineQueue {
  readonly #limits: QueueLimits
  readonly #parties = new Map<string | undefined, Party>()
  /** Maintenance of the engine. */
  readonly #first: Job[] = []
  readonly #crowd = new Crowd()
  #waiting = 0
  #running = 0
  #aloneRuns = false
  #open = false
  /** When the engine began what it runs now. */
  #since = 0
  #idle: (() => void) | null = null
  #wake: NodeJS.Timeout | undefined

  constructor(limits: QueueLimits) {
    this.#limits = limits
    offerLevel('places', 'database', () => SIDE_BY_SIDE)
    offerLevel('working', 'database', () => this.#running)
    offerLevel('waiting', 'database', () => this.#waiting)
  }

  /** When a wait that begins now ends. */
  deadline(): number {
    return performance.now() + this.#limits.waitMs
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting === 0
  }

  /** Resolves with the result of `work`, which begins when it is its turn. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const until = turn.until ?? this.deadline()
    const { party, row } = this.#seatOf(turn.person)
    if (turn.first !== true) this.#admit(party, row, turn, until)
    return new Promise<T>((resolve, reject) => {
      const { alone, first = false, rank = 'screen' } = turn
      const job: Job = {
        party,
        row,
        alone,
        first,
        rank,
        reject,
        timer: undefined,
        since: performance.now(),
        begun: 0,
        // Started by the request that ends before it, but not in its name: the log and traces say who asked.
        start: AsyncLocalStorage.bind(async () => resolve(await work())),
      }
      ;(first ? this.#first : row.jobs).push(job)
      if (this.#waiting++ === 0) this.#crowd.begin(job.since)
      this.#pump()
      if (job.begun === 0 && until < Number.POSITIVE_INFINITY)
        job.timer = setTimeout(() => this.#expire(job), Math.max(0, until - performance.now()))
      if (job.begun === 0 && isObserved()) tellWait(job)
    })
  }

  /** Closed while the engine is being reopened; jobs wait. */
  setOpen(open: boolean): void {
    this.#open = open
    if (open) this.#pump()
  }

  /** The engine had to be ended because of this person's statement. */
  strike(person: string | undefined): void {
    const { party, row } = this.#seatOf(person)
    party.strike(row, performance.now())
  }

  /**
   * Others wait although this person has recently had more than `ms` of the engine or has many requests
   * waiting.
   */
  isHogging(person: string | undefined, ms: number): boolean {
    if (person === undefined) return false
    const { party: own } = this.#seatOf(person)
    if (own.usedMs(performance.now()) < ms && own.waiting < FLOOD) return false
    return [...this.#parties.values()].some((party) => party !== own && party.waiting + party.running > 0)
  }

  rejectAll(fault: Error): void {
    for (const job of this.#waitingJobs()) {
      this.#remove(job)
      job.reject(fault)
    }
  }

  /** Resolves when nothing waits and nothing runs. */
  async drained(): Promise<void> {
    if (this.isIdle) return
    await new Promise<void>((resolve) => {
      this.#idle = resolve
    })
  }

  #seatOf(person: string | undefined): { readonly party: Party; readonly row: Row } {
    const { party: name, row } = person === undefined ? { party: undefined, row: '' } : shareOf(person)
    const party = this.#partyNamed(name)
    return { party, row: party.rowOf(row) }
  }

  #partyNamed(name: string | undefined): Party {
    let party = this.#parties.get(name)
    if (party === undefined) {
      const now = performance.now()
      for (const [old, other] of this.#parties) if (other.isForgettable(now)) this.#parties.delete(old)
      party = new Party(name)
      this.#parties.set(name, party)
    }
    return party
  }

  #admit(party: Party, row: Row, turn: Turn, until: number): void {
    try {
      this.#makeRoom(party, row, turn, until)
    } catch (fault) {
      note('refusal', 'database')
      throw fault
    }
  }

  #makeRoom(party: Party, row: Row, { rank = 'screen' }: Turn, until: number): void {
    const isPerson = party.name !== undefined
    if (isPerson && party.pausedUntil(row) > until) throw new ShareFault(party.waiting)
    const within = this.#roomWithin(party, row)
    const isFull = within === null && this.#waiting - this.#first.length >= this.#limits.length
    const isFree = !isPerson || rank !== 'screen' || party.name === STRANGERS
    const mayWait = (): boolean => this.#crowd.admits((goingOn) => this.#aheadOf(party, row, goingOn))
    if (isFull || (!isFree && !mayWait())) throw new CrowdedFault()
    if (within === null) return
    this.#remove(within)
    note('refusal', 'database')
    within.reject(new ShareFault(party.waiting))
  }

  /** Who of the same share has to go; null: nobody. @throws ShareFault if it is the one who asks */
  #roomWithin(party: Party, row: Row): Job | null {
    const { length, perPerson } = this.#limits
    const most = party.name === STRANGERS ? Math.ceil(length * STRANGERS_WAITING) : perPerson
    if (party.name === undefined || party.waiting < most) return null
    const last = longestBut(party.rows.values(), row, ({ jobs }) => screensOf(jobs))?.jobs.findLast(
      ({ rank }) => rank === 'screen',
    )
    if (last === undefined) throw new ShareFault(party.waiting)
    return last
  }

  /** How many others are probably served before the next request of this row. */
  #aheadOf(party: Party, row: Row, goingOn: boolean): number {
    const now = performance.now()
    const before = row.jobs.length + 1
    let turns = before
    for (const other of party.rows.values())
      if (other !== row) turns += Math.min(screensOf(other.jobs), before)
    let ahead = 0
    for (const other of this.#parties.values()) {
      if (other === party) continue
      let jobs = 0
      for (const one of other.rows.values()) if (other.pausedUntil(one) <= now) jobs += screensOf(one.jobs)
      if (jobs > 0) ahead += goingOn ? turns : Math.min(jobs, turns)
    }
    return ahead
  }

  #waitingJobs(): Job[] {
    const rows = [...this.#parties.values()].flatMap((party) => [...party.rows.values()])
    return [...this.#first, ...rows.flatMap(({ jobs }) => jobs)]
  }

  #remove(job: Job): boolean {
    const list = job.first ? this.#first : job.row.jobs
    const at = list.indexOf(job)
    if (at < 0) return false
    list.splice(at, 1)
    clearTimeout(job.timer)
    if (--this.#waiting === 0) this.#crowd.end()
    return true
  }

  #expire(job: Job): void {
    if (this.#remove(job))
      job.reject(new PoolTimeoutFault(`the database was busy for ${this.#limits.waitMs} ms`))
  }

  /**
   * The job whose turn it is. If only paused persons wait, schedules a wake-up for the end of the next pause.
   */
  #next(now: number): Job | null {
    const [upkeep] = this.#first
    if (upkeep !== undefined) return upkeep
    let next: Candidate | null = null
    let wakeAt = Number.POSITIVE_INFINITY
    for (const party of this.#parties.values()) {
      const { candidate, wakeAt: at } = party.next(now, this.#limits.waitMs / 2)
      wakeAt = Math.min(wakeAt, at)
      if (candidate !== null && (next === null || goesBefore(candidate, next))) next = candidate
    }
    clearTimeout(this.#wake)
    if (next === null && wakeAt < Number.POSITIVE_INFINITY)
      this.#wake = setTimeout(() => this.#pump(), wakeAt - now + 1).unref()
    return next?.job ?? null
  }

  #mayStart({ alone, party }: Job): boolean {
    if (this.#running === 0) return true
    if (alone || this.#running >= SIDE_BY_SIDE) return false
    // Two long statements of the same person would make everybody else wait for both.
    return party.running === 0 || (party.meanMs ?? Number.POSITIVE_INFINITY) < SHORT_MS
  }

  #pump(): void {
    while (this.#open && !this.#aloneRuns) {
      const now = performance.now()
      const job = this.#next(now)
      if (job === null || !this.#mayStart(job)) return
      this.#remove(job)
      this.#begin(job, now)
    }
  }

  #begin(job: Job, now: number): void {
    job.begun = now
    if (!job.first && job.rank === 'screen') this.#crowd.served(now - job.since, now)
    if (this.#running++ === 0) this.#since = now
    job.party.running++
    job.row.running++
    this.#aloneRuns = job.alone
    job.onBegin?.()
    void job
      .start()
      .catch(job.reject)
      .then(() => this.#end(job))
  }

  #end(job: Job): void {
    const now = performance.now()
    job.party.charge(job.row, now - Math.max(job.begun, this.#since), now)
    job.party.running--
    job.row.running--
    this.#since = now
    this.#running--
    if (job.alone) this.#aloneRuns = false
    this.#pump()
    if (this.#running === 0 && this.#waiting > 0) this.#crowd.rest()
    if (this.isIdle) this.#idle?.()
  }
}

function tellWait(job: Job): void {
  const { reject } = job
  const wait = (): Promise<void> =>
    new Promise((begin, end) => {
      job.onBegin = begin
      job.reject = (fault) => {
        end(fault)
        reject(fault)
      }
    })
  observed({ kind: 'wait', name: 'database' }, wait).catch(() => undefined)
}
