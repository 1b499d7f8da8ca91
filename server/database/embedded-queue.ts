// Decides which request uses the embedded engine next. Single statements go two at a time (one runs, one
// waits in the worker); everything else has the engine alone. All share one engine, so it is time that is
// shared: the person whose requests used least of it recently goes next. Long work (rank.ts) comes after what people
// wait for, and nobody waits who would not be served in time (crowd.ts).
import { AsyncLocalStorage } from 'node:async_hooks'
import { isObserved, observed, offerLevel } from '#server/observe.ts'
import { Crowd } from './crowd.ts'
import { CrowdedFault, PoolTimeoutFault, ShareFault } from './database.ts'
import { isBefore, type Rank } from '#server/rank.ts'

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

interface Job {
  readonly party: Party
  readonly alone: boolean
  readonly first: boolean
  readonly rank: Rank
  start(): Promise<void>
  reject: (fault: Error) => void
  timer: NodeJS.Timeout | undefined
  readonly since: number
  begun: number
  /** For those who watch how long it waits. */
  onBegin?: () => void
}

const SIDE_BY_SIDE = 2
/** After this long, used time counts half. */
const HALF_LIFE_MS = 10_000
/**
 * Waiting makes up for time used: among persons who all used about the same, the order in which they came decides.
 */
const WAITING_COUNTS = 0.1
/** The server's own work benefits everybody, so it counts less. */
const OWN_WEIGHT = 0.25
/** A person whose statements are shorter than this may have two running at a time. */
const SHORT_MS = 20
/** A person with this many waiting requests asks for more than one page does at once. */
const FLOOD = 6
/**
 * Pauses for a person whose statement had to be ended; they get longer each time while the person goes on.
 */
const PAUSES_MS = [2_000, 5_000, 10_000, 20_000, 40_000, 60_000]
const FORGIVEN_AFTER_MS = 60_000

/** One person, or the server itself. */
class Party {
  readonly person: string | undefined
  readonly jobs: Job[] = []
  running = 0
  /** Mean duration of their statements, weighted towards the latest; unknown at first. */
  meanMs: number | null = null
  pausedUntil = 0
  #usedMs = 0
  #usedAt = 0
  #strikes = 0
  #struckAt = 0

  constructor(person: string | undefined) {
    this.person = person
  }

  /** Engine time used; the older it is, the less it counts. */
  usedMs(now: number): number {
    return this.#usedMs * 0.5 ** ((now - this.#usedAt) / HALF_LIFE_MS)
  }

  /** Whose turn it is among their own jobs: long work stands back for as long as it is not overdue. */
  head(now: number, overdueMs: number): Job | undefined {
    const [oldest] = this.jobs
    if (oldest === undefined || now - oldest.since > overdueMs) return oldest
    return this.jobs.reduce((best, job) => (isBefore(job.rank, best.rank) ? job : best))
  }

  /** Who has the smallest goes next: little used, or waiting for long. */
  claim(head: Job, now: number): number {
    return this.usedMs(now) - (now - head.since) * WAITING_COUNTS
  }

  charge(ms: number, now: number): void {
    this.#usedMs = this.usedMs(now) + ms * (this.person === undefined ? OWN_WEIGHT : 1)
    this.#usedAt = now
    this.meanMs = this.meanMs === null ? ms : this.meanMs * 0.8 + ms * 0.2
  }

  strike(now: number): void {
    if (this.person === undefined) return
    this.#strikes = now - this.#struckAt > FORGIVEN_AFTER_MS ? 1 : this.#strikes + 1
    this.#struckAt = now
    this.pausedUntil = now + (PAUSES_MS[Math.min(this.#strikes, PAUSES_MS.length) - 1] ?? 0)
  }

  isForgettable(now: number): boolean {
    return (
      this.jobs.length === 0 &&
      this.running === 0 &&
      this.usedMs(now) < 1 &&
      now - this.#struckAt > FORGIVEN_AFTER_MS
    )
  }
}

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
    const party = this.#partyOf(turn.person)
    if (turn.first !== true) this.#checkRoom(party, turn, until)
    return new Promise<T>((resolve, reject) => {
      const { alone, first = false, rank = 'screen' } = turn
      const job: Job = {
        party,
        alone,
        first,
        rank,
        reject,
        timer: undefined,
        since: performance.now(),
        begun: 0,
        // Begun by whoever ends before it, but not in their name: the log and traces say who asked.
        start: AsyncLocalStorage.bind(async () => resolve(await work())),
      }
      ;(first ? this.#first : party.jobs).push(job)
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
    this.#partyOf(person).strike(performance.now())
  }

  /**
   * Others wait although this person has recently had more than `ms` of the engine or has many requests
   * waiting.
   */
  isHogging(person: string | undefined, ms: number): boolean {
    if (person === undefined) return false
    const own = this.#partyOf(person)
    if (own.usedMs(performance.now()) < ms && own.jobs.length < FLOOD) return false
    return [...this.#parties.values()].some((party) => party !== own && party.jobs.length + party.running > 0)
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

  #partyOf(person: string | undefined): Party {
    let party = this.#parties.get(person)
    if (party === undefined) {
      const now = performance.now()
      for (const [name, other] of this.#parties) if (other.isForgettable(now)) this.#parties.delete(name)
      party = new Party(person)
      this.#parties.set(person, party)
    }
    return party
  }

  #checkRoom(party: Party, { rank = 'screen' }: Turn, until: number): void {
    if (
      party.person !== undefined &&
      (party.jobs.length >= this.#limits.perPerson || party.pausedUntil > until)
    )
      throw new ShareFault(party.jobs.length)
    const isFull = this.#waiting - this.#first.length >= this.#limits.length
    const mayWait = (): boolean => this.#crowd.admits((goingOn) => this.#aheadOf(party, goingOn))
    if (isFull || (party.person !== undefined && rank === 'screen' && !mayWait())) throw new CrowdedFault()
  }

  /** How many others are probably served before the next request of this person. */
  #aheadOf(party: Party, goingOn: boolean): number {
    const now = performance.now()
    const turns = party.jobs.length + 1
    let ahead = 0
    for (const other of this.#parties.values()) {
      if (other === party || other.pausedUntil > now) continue
      const jobs = other.jobs.filter(({ rank }) => rank === 'screen').length
      if (jobs > 0) ahead += goingOn ? turns : Math.min(jobs, turns)
    }
    return ahead
  }

  #waitingJobs(): Job[] {
    return [...this.#first, ...[...this.#parties.values()].flatMap(({ jobs }) => jobs)]
  }

  #remove(job: Job): boolean {
    const list = job.first ? this.#first : job.party.jobs
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
      const job = party.head(now, this.#limits.waitMs / 2)
      if (job === undefined) continue
      if (party.pausedUntil > now) {
        wakeAt = Math.min(wakeAt, party.pausedUntil)
        continue
      }
      const candidate = { job, rank: this.#rankOf(job, now), claim: party.claim(job, now) }
      if (next === null || goesBefore(candidate, next)) next = candidate
    }
    clearTimeout(this.#wake)
    if (next === null && wakeAt < Number.POSITIVE_INFINITY)
      this.#wake = setTimeout(() => this.#pump(), wakeAt - now + 1).unref()
    return next?.job ?? null
  }

  /** Long work stands back for half of the time it may wait. */
  #rankOf({ rank, since }: Job, now: number): Rank {
    return now - since > this.#limits.waitMs / 2 ? 'screen' : rank
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
    this.#aloneRuns = job.alone
    job.onBegin?.()
    void job
      .start()
      .catch(job.reject)
      .then(() => this.#end(job))
  }

  #end(job: Job): void {
    const now = performance.now()
    job.party.charge(now - Math.max(job.begun, this.#since), now)
    job.party.running--
    this.#since = now
    this.#running--
    if (job.alone) this.#aloneRuns = false
    this.#pump()
    if (this.#running === 0 && this.#waiting > 0) this.#crowd.rest()
    if (this.isIdle) this.#idle?.()
  }
}

interface Candidate {
  readonly job: Job
  readonly rank: Rank
  readonly claim: number
}
const goesBefore = (one: Candidate, other: Candidate): boolean =>
  one.rank === other.rank ? one.claim < other.claim : isBefore(one.rank, other.rank)

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
