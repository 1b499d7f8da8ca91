// Who shares the embedded engine: what each used of it, which of those within a share goes next, and who pauses.
import { isBefore, type Rank } from '#server/rank.ts'
import { STRANGERS } from '#server/share.ts'

export interface Job {
  readonly party: Party
  readonly row: Row
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

export interface Candidate {
  readonly job: Job
  readonly rank: Rank
  readonly claim: number
}

/** How many of them people wait for. */
export const screensOf = (jobs: readonly Job[]): number => jobs.filter(({ rank }) => rank === 'screen').length

export const goesBefore = (one: Candidate, other: Candidate): boolean =>
  one.rank === other.rank ? one.claim < other.claim : isBefore(one.rank, other.rank)

/** After this long, used time counts half. */
const HALF_LIFE_MS = 10_000
/**
 * Waiting makes up for time used: among persons who all used about the same, the order in which they came decides.
 */
const WAITING_COUNTS = 0.1
/** The server's own work benefits everybody, so it counts less; those who sign in are many. */
const OWN_WEIGHT = 0.25
const STRANGERS_WEIGHT = 0.5
/**
 * Pauses for a person whose statement had to be ended; they get longer each time while the person goes on.
 */
const PAUSES_MS = [2_000, 5_000, 10_000, 20_000, 40_000, 60_000]
const FORGIVEN_AFTER_MS = 60_000

/** Engine time used; the older it is, the less it counts. */
class Usage {
  #usedMs = 0
  #usedAt = 0

  at(now: number): number {
    return this.#usedMs * 0.5 ** ((now - this.#usedAt) / HALF_LIFE_MS)
  }

  charge(ms: number, now: number): void {
    this.#usedMs = this.at(now) + ms
    this.#usedAt = now
  }
}

/** The pause after statements that had to be ended. */
class Pause {
  until = 0
  #strikes = 0
  #struckAt = 0

  strike(now: number): void {
    this.#strikes = now - this.#struckAt > FORGIVEN_AFTER_MS ? 1 : this.#strikes + 1
    this.#struckAt = now
    this.until = now + (PAUSES_MS[Math.min(this.#strikes, PAUSES_MS.length) - 1] ?? 0)
  }

  isForgiven(now: number): boolean {
    return now - this.#struckAt > FORGIVEN_AFTER_MS
  }
}

/** One of those within a share. */
export interface Row {
  /** Of the human themselves, or of the server. */
  readonly isSelf: boolean
  readonly jobs: Job[]
  readonly usage: Usage
  running: number
}

/** One person, everybody without an account, or the server itself. */
export class Party {
  readonly name: string | undefined
  readonly rows = new Map<string, Row>()
  running = 0
  /** Mean duration of their statements, weighted towards the latest; unknown at first. */
  meanMs: number | null = null
  readonly #usage = new Usage()
  readonly #keysUsage = new Usage()
  /** What a key did must not shut out the screen of its owner. */
  readonly #pause = new Pause()
  readonly #keysPause = new Pause()

  constructor(name: string | undefined) {
    this.name = name
  }

  rowOf(name: string): Row {
    let row = this.rows.get(name)
    if (row === undefined) {
      const now = performance.now()
      for (const [old, other] of this.rows) if (isForgettable(other, now)) this.rows.delete(old)
      row = { isSelf: name === '', jobs: [], usage: new Usage(), running: 0 }
      this.rows.set(name, row)
    }
    return row
  }

  get waiting(): number {
    let waiting = 0
    for (const { jobs } of this.rows.values()) waiting += jobs.length
    return waiting
  }

  usedMs(now: number): number {
    return this.#usage.at(now)
  }

  pausedUntil({ isSelf }: Row): number {
    return isSelf ? this.#pause.until : Math.max(this.#pause.until, this.#keysPause.until)
  }

  /** Whose turn it is within the share, and when one of those who pause may go on. */
  next(now: number, overdueMs: number): { readonly candidate: Candidate | null; readonly wakeAt: number } {
    let self: Candidate | null = null
    let other: Candidate | null = null
    let wakeAt = Number.POSITIVE_INFINITY
    for (const row of this.rows.values()) {
      const job = headOf(row, now, overdueMs)
      if (job === undefined) continue
      const pausedUntil = this.pausedUntil(row)
      if (pausedUntil > now) {
        wakeAt = Math.min(wakeAt, pausedUntil)
        continue
      }
      // Long work stands back for half of the time it may wait.
      const rank = now - job.since > overdueMs ? 'screen' : job.rank
      const one = { job, rank, claim: claimOf(row.usage, job, now) }
      if (row.isSelf) self = one
      else if (other === null || goesBefore(one, other)) other = one
    }
    // All keys together count as much as the screen of their owner.
    if (other !== null) other = { ...other, claim: claimOf(this.#keysUsage, other.job, now) }
    const first = self === null || (other !== null && goesBefore(other, self)) ? other : self
    const candidate = first && { ...first, claim: claimOf(this.#usage, first.job, now) }
    return { candidate, wakeAt }
  }

  charge(row: Row, ms: number, now: number): void {
    row.usage.charge(ms, now)
    if (!row.isSelf) this.#keysUsage.charge(ms, now)
    this.#usage.charge(ms * this.#weight(), now)
    this.meanMs = this.meanMs === null ? ms : this.meanMs * 0.8 + ms * 0.2
  }

  #weight(): number {
    if (this.name === undefined) return OWN_WEIGHT
    return this.name === STRANGERS ? STRANGERS_WEIGHT : 1
  }

  strike(row: Row, now: number): void {
    // Nobody without an account chooses a statement, and a pause of all would keep everybody from signing in.
    if (this.name === undefined || this.name === STRANGERS) return
    const pause = row.isSelf ? this.#pause : this.#keysPause
    pause.strike(now)
  }

  isForgettable(now: number): boolean {
    return (
      this.waiting === 0 &&
      this.running === 0 &&
      this.usedMs(now) < 1 &&
      this.#pause.isForgiven(now) &&
      this.#keysPause.isForgiven(now)
    )
  }
}

const isForgettable = ({ jobs, running, usage }: Row, now: number): boolean =>
  jobs.length === 0 && running === 0 && usage.at(now) < 1

/** Whose turn it is among the jobs of a row: long work stands back for as long as it is not overdue. */
function headOf({ jobs }: Row, now: number, overdueMs: number): Job | undefined {
  const [oldest] = jobs
  if (oldest === undefined || now - oldest.since > overdueMs) return oldest
  return jobs.reduce((best, job) => (isBefore(job.rank, best.rank) ? job : best))
}

/** Who has the smallest goes next: little used, or waiting for long. */
const claimOf = (usage: Usage, job: Job, now: number): number =>
  usage.at(now) - (now - job.since) * WAITING_COUNTS
