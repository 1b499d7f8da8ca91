// Decides who works next: each person has a share of the places and of the waiting room, and persons are
// served in turn, not requests in the order they came. Long work (rank.ts) comes after what people wait for, and nobody
// waits who would not be served in time (crowd.ts).
import { Crowd } from './crowd.ts'
import { CrowdedFault, PoolTimeoutFault, ShareFault } from './database.ts'
import { isBefore, placesOf, type Rank } from '#server/rank.ts'

export interface Shares {
  /** How many work at a time. */
  readonly places: number
  /** How many of these one person may hold. */
  readonly perPerson: number
  /** How many of these all persons together may hold; the rest is reserved for the server's own work. */
  readonly persons: number
  /** How many requests of one person may wait. */
  readonly waitingPerPerson: number
  /** How many may wait in total. */
  readonly waiting: number
  /** Longest wait. */
  readonly waitMs: number
}

/**
 * A person may hold half of the places. With three or more places, one is reserved for the server's own work.
 */
export function sharesOf(places: number, more: Partial<Shares> = {}): Shares {
  const perPerson = Math.max(1, Math.floor(places / 2))
  return {
    places,
    perPerson,
    persons: places < 3 ? places : places - 1,
    waitingPerPerson: 64,
    waiting: 1000,
    waitMs: 10_000,
    ...more,
  }
}

interface Waiter {
  readonly row: Row
  readonly since: number
  resolve(): void
  reject(fault: Error): void
  timer: NodeJS.Timeout | undefined
}

/** What one person does in one rank. */
interface Row {
  readonly party: Party
  readonly rank: Rank
  working: number
  /** In order of arrival. */
  readonly waiters: Set<Waiter>
}

/** A person, or the server itself; the share is one for all ranks. */
interface Party {
  /** Undefined: the server. */
  readonly person: string | undefined
  readonly rows: Map<Rank, Row>
  working: number
  waiting: number
}

const partyNamed = (person: string | undefined): Party => ({
  person,
  rows: new Map(),
  working: 0,
  waiting: 0,
})

export class FairQueue {
  readonly #shares: Shares
  /** Persons with working or waiting requests. */
  readonly #parties = new Map<string, Party>()
  /** Rows that wait, the next one first; without that of the server's own work of the moment. */
  readonly #turns = new Set<Row>()
  readonly #server = partyNamed(undefined)
  readonly #own = rowIn(this.#server, 'screen')
  readonly #crowd = new Crowd()
  #working = 0
  #personsWorking = 0
  /** Of long and of nightly work. */
  readonly #behind = { long: 0, nightly: 0 }
  #waiting = 0
  /** The server's own work went last, so a person goes next: neither waits long for the other. */
  #ownWentLast = false

  constructor(shares: Shares) {
    this.#shares = shares
  }

  get working(): number {
    return this.#working
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Takes a place at once, or returns false. */
  tryEnter(person: string | undefined, rank: Rank = 'screen'): boolean {
    if (this.#waiting > 0 && this.#next() !== null) return false
    const row = this.#rowOf(person, rank)
    if (!this.#mayWork(row)) {
      this.#forget(row)
      return false
    }
    this.#count(row, 1)
    return true
  }

  /** Resolves with a place, to be given back with leave(). */
  async enter(person: string | undefined, rank: Rank = 'screen'): Promise<void> {
    if (this.tryEnter(person, rank)) return
    const row = this.#rowOf(person, rank)
    try {
      this.#makeRoom(row)
    } catch (fault) {
      this.#forget(row)
      throw fault
    }
    const { waitMs } = this.#shares
    await new Promise<void>((resolve, reject) => {
      const since = performance.now()
      const waiter: Waiter = { row, since, resolve, reject, timer: undefined }
      waiter.timer = setTimeout(
        () => this.#drop(waiter, new PoolTimeoutFault(`no place became free within ${waitMs} ms`)),
        waitMs,
      )
      row.waiters.add(waiter)
      row.party.waiting++
      if (this.#waiting++ === 0) this.#crowd.begin(since)
      if (row !== this.#own) this.#turns.add(row)
    })
  }

  leave(person: string | undefined, rank: Rank = 'screen'): void {
    const row = this.#rowOf(person, rank)
    this.#count(row, -1)
    this.#forget(row)
    for (let next = this.#next(); next !== null; next = this.#next()) this.#serve(next)
    if (this.#waiting > 0 && this.#hasRoom()) this.#crowd.rest()
  }

  #hasRoom(): boolean {
    return this.#working < this.#shares.places && this.#personsWorking < this.#shares.persons
  }

  rejectAll(fault: Error): void {
    for (const row of [this.#own, ...this.#turns]) for (const waiter of row.waiters) this.#drop(waiter, fault)
  }

  #rowOf(person: string | undefined, rank: Rank): Row {
    if (person === undefined) return rowIn(this.#server, rank)
    let party = this.#parties.get(person)
    if (party === undefined) {
      party = partyNamed(person)
      this.#parties.set(person, party)
    }
    return rowIn(party, rank)
  }

  #forget({ party, rank, working, waiters }: Row): void {
    if (party.person === undefined || working > 0 || waiters.size > 0) return
    party.rows.delete(rank)
    if (party.rows.size === 0) this.#parties.delete(party.person)
  }

  #mayWork({ party, rank }: Row): boolean {
    const { places, perPerson, persons } = this.#shares
    if (this.#working >= places) return false
    if (rank !== 'screen' && this.#behind[rank] >= placesOf(rank, places)) return false
    return party === this.#server || (party.working < perPerson && this.#personsWorking < persons)
  }

  #count(row: Row, change: 1 | -1): void {
    row.working += change
    row.party.working += change
    this.#working += change
    if (row.party !== this.#server) this.#personsWorking += change
    if (row.rank !== 'screen') this.#behind[row.rank] += change
  }

  /** Whose turn it is among those who wait and may work now. */
  #next(): Row | null {
    const own = this.#own.waiters.size > 0 && this.#mayWork(this.#own)
    if (own && !this.#ownWentLast) return this.#own
    let behind: Row | null = null
    for (const row of this.#turns) {
      if (!this.#mayWork(row)) continue
      if (row.rank === 'screen' || this.#isOverdue(row)) return row
      if (behind === null || isBefore(row.rank, behind.rank)) behind = row
    }
    return own ? this.#own : behind
  }

  /** Long work has stood back for half of the time it may wait. */
  #isOverdue({ waiters }: Row): boolean {
    const [first] = waiters
    return first !== undefined && performance.now() - first.since > this.#shares.waitMs / 2
  }

  #serve(row: Row): void {
    const [waiter] = row.waiters
    if (waiter === undefined) return
    this.#ownWentLast = row === this.#own
    this.#count(row, 1)
    const now = performance.now()
    if (row.rank === 'screen') this.#crowd.served(now - waiter.since, now)
    this.#remove(waiter)
    // Goes behind all others who wait.
    if (this.#turns.delete(row) && row.waiters.size > 0) this.#turns.add(row)
    waiter.resolve()
  }

  #drop(waiter: Waiter, fault: Error): void {
    if (!this.#remove(waiter)) return
    if (waiter.row.waiters.size === 0) this.#turns.delete(waiter.row)
    this.#forget(waiter.row)
    waiter.reject(fault)
  }

  #remove(waiter: Waiter): boolean {
    clearTimeout(waiter.timer)
    if (!waiter.row.waiters.delete(waiter)) return false
    waiter.row.party.waiting--
    if (--this.#waiting === 0) this.#crowd.end()
    return true
  }

  /**
   * When all places to wait are taken, the person with most of them loses their last one to somebody who has
   * fewer. The server's own work waits whoever else does.
   */
  #makeRoom(row: Row): void {
    const isPerson = row.party !== this.#server
    if (isPerson && row.party.waiting >= this.#shares.waitingPerPerson)
      throw new ShareFault(row.party.waiting)
    // Long work has come so far through a queue of its own, and would be for nothing.
    const isFree = !isPerson || row.rank !== 'screen'
    if (!isFree && !this.#crowd.admits((goingOn) => this.#aheadOf(row, goingOn))) throw new CrowdedFault()
    if (this.#waiting < this.#shares.waiting) return
    const longest = this.#longestButServer()
    const last = longest && [...longest.waiters].at(-1)
    const isFairer = longest !== null && (!isPerson || longest.waiters.size > row.waiters.size + 1)
    if (!isFairer || !last) throw new CrowdedFault()
    this.#drop(last, new ShareFault(longest.waiters.size))
  }

  #longestButServer(): Row | null {
    let longest: Row | null = null
    for (const row of this.#turns)
      if (row.party !== this.#server && row.waiters.size > (longest?.waiters.size ?? 0)) longest = row
    return longest
  }

  /** How many others are served before the next request of this person: one of each in every turn. */
  #aheadOf(row: Row, goingOn: boolean): number {
    const turns = row.waiters.size + 1
    let ahead = Math.min(this.#own.waiters.size, turns)
    // Whose share is used up gets no turn now.
    for (const other of this.#turns)
      if (other !== row && other.rank === 'screen' && other.party.working < this.#shares.perPerson)
        ahead += goingOn ? turns : Math.min(other.waiters.size, turns)
    return ahead
  }
}

function rowIn(party: Party, rank: Rank): Row {
  let row = party.rows.get(rank)
  if (row === undefined) {
    row = { party, rank, working: 0, waiters: new Set() }
    party.rows.set(rank, row)
  }
  return row
}
