// Decides who works next: each person has a share of the places and of the waiting room (share.ts), and persons are
// served in turn, not requests in the order they came; within a share its rows are. Long work (rank.ts) comes after
// what people wait for, and nobody waits who would not be served in time (crowd.ts).
import { Crowd } from './crowd.ts'
import { CrowdedFault, PoolTimeoutFault, ShareFault } from './database.ts'
import { note, observed } from '#server/observe.ts'
import { isBefore, placesOf, type Rank } from '#server/rank.ts'
import { longestBut, shareOf, STRANGERS } from '#server/share.ts'

export interface Shares {
  /** How many work at a time. */
  readonly places: number
  /** How many of these one person may hold. */
  readonly perPerson: number
  /** How many of these all persons together may hold; the rest is reserved for the server's own work. */
  readonly persons: number
  /** How many of these the keys of one person together may hold; the rest is for the person's own screen. */
  readonly perKeys: number
  /** How many of these all without an account together may hold. */
  readonly strangers: number
  /** How many requests of one person may wait. */
  readonly waitingPerPerson: number
  /** How many requests of all without an account together may wait. */
  readonly waitingStrangers: number
  /** How many may wait in total. */
  readonly waiting: number
  /** Longest wait. */
  readonly waitMs: number
}

/**
 * A person may hold half of the places, everybody without an account together a quarter. With three or more places,
 * one is reserved for the server's own work.
 */
export function sharesOf(places: number, more: Partial<Shares> = {}): Shares {
  const perPerson = Math.max(1, Math.floor(places / 2))
  return {
    places,
    perPerson,
    persons: places < 3 ? places : places - 1,
    perKeys: Math.max(1, perPerson - 1),
    strangers: Math.max(1, Math.floor(places / 4)),
    waitingPerPerson: 64,
    waitingStrangers: 256,
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

/** What one of those within a share does in one rank. */
interface Row {
  readonly party: Party
  readonly key: string
  /** Of the human themselves, or of the server. */
  readonly isSelf: boolean
  readonly rank: Rank
  working: number
  /** In order of arrival. */
  readonly waiters: Set<Waiter>
}

/** A person, everybody without an account, or the server itself; the share is one for all ranks. */
interface Party {
  /** Undefined: the server. */
  readonly name: string | undefined
  /** The next one first. */
  readonly rows: Map<string, Row>
  working: number
  /** Of these, those of keys. */
  keysWorking: number
  waiting: number
  /** The human went last, so a key goes next: neither waits long for the other. */
  selfWentLast: boolean
}

const partyNamed = (name: string | undefined): Party => ({
  name,
  rows: new Map(),
  working: 0,
  keysWorking: 0,
  waiting: 0,
  selfWentLast: false,
})

export class FairQueue {
  readonly #shares: Shares
  /** Persons with working or waiting requests. */
  readonly #parties = new Map<string, Party>()
  /** Who waits, the next one first; of the server only its long and nightly work. */
  readonly #turns = new Set<Party>()
  readonly #server = partyNamed(undefined)
  /** The server's own work of the moment. */
  readonly #own = rowIn(this.#server, '', 'screen')
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
      note('refusal', 'database')
      throw fault
    }
    await observed({ kind: 'wait', name: 'database' }, () => this.#wait(row))
  }

  #wait(row: Row): Promise<void> {
    const { waitMs } = this.#shares
    return new Promise<void>((resolve, reject) => {
      const since = performance.now()
      const waiter: Waiter = { row, since, resolve, reject, timer: undefined }
      waiter.timer = setTimeout(
        () => this.#drop(waiter, new PoolTimeoutFault(`no place became free within ${waitMs} ms`)),
        waitMs,
      )
      row.waiters.add(waiter)
      row.party.waiting++
      if (this.#waiting++ === 0) this.#crowd.begin(since)
      if (row !== this.#own) this.#turns.add(row.party)
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
    for (const party of [this.#server, ...this.#turns])
      for (const row of party.rows.values()) for (const waiter of row.waiters) this.#drop(waiter, fault)
  }

  #rowOf(person: string | undefined, rank: Rank): Row {
    if (person === undefined) return rowIn(this.#server, '', rank)
    const { party: name, row } = shareOf(person)
    let party = this.#parties.get(name)
    if (party === undefined) {
      party = partyNamed(name)
      this.#parties.set(name, party)
    }
    return rowIn(party, row, rank)
  }

  #forget({ party, key, working, waiters }: Row): void {
    if (party.name === undefined || working > 0 || waiters.size > 0) return
    party.rows.delete(key)
    if (party.rows.size === 0) this.#parties.delete(party.name)
  }

  #mayWork({ party, rank, isSelf }: Row): boolean {
    const { places, perKeys, persons } = this.#shares
    if (this.#working >= places) return false
    if (rank !== 'screen' && this.#behind[rank] >= placesOf(rank, places)) return false
    if (party === this.#server) return true
    if (this.#personsWorking >= persons || party.working >= this.#placesOf(party)) return false
    return isSelf || party.name === STRANGERS || party.keysWorking < perKeys
  }

  #placesOf({ name }: Party): number {
    return name === STRANGERS ? this.#shares.strangers : this.#shares.perPerson
  }

  #count(row: Row, change: 1 | -1): void {
    row.working += change
    row.party.working += change
    if (!row.isSelf) row.party.keysWorking += change
    this.#working += change
    if (row.party !== this.#server) this.#personsWorking += change
    if (row.rank !== 'screen') this.#behind[row.rank] += change
  }

  /** Whose turn it is among those who wait and may work now. */
  #next(): Row | null {
    const own = this.#own.waiters.size > 0 && this.#mayWork(this.#own)
    if (own && !this.#ownWentLast) return this.#own
    const arriving = this.#arriving()
    if (arriving !== null) return arriving
    let behind: Row | null = null
    for (const party of this.#turns) {
      const row = this.#turnOf(party)
      if (row === null) continue
      if (this.#isUrgent(row)) return row
      if (behind === null || isBefore(row.rank, behind.rank)) behind = row
    }
    return own ? this.#own : behind
  }

  /** However many people there are, one of many places is for signing in. */
  #arriving(): Row | null {
    const strangers = this.#parties.get(STRANGERS)
    if (strangers === undefined || strangers.working > 0 || this.#shares.places < FEW_PLACES) return null
    return this.#turnOf(strangers)
  }

  /** Which of those within a share goes next, if it may: what is urgent, the human and their keys in turn. */
  #turnOf(party: Party): Row | null {
    let self: Row | null = null
    let other: Row | null = null
    let behind: Row | null = null
    for (const row of party.rows.values()) {
      if (row === this.#own || row.waiters.size === 0 || !this.#mayWork(row)) continue
      if (!this.#isUrgent(row)) {
        if (behind === null || isBefore(row.rank, behind.rank)) behind = row
      } else if (row.isSelf) self ??= row
      else other ??= row
    }
    return (party.selfWentLast ? (other ?? self) : (self ?? other)) ?? behind
  }

  /** Long work only when it has stood back for half of the time it may wait. */
  #isUrgent({ rank, waiters }: Row): boolean {
    if (rank === 'screen') return true
    const [first] = waiters
    return first !== undefined && performance.now() - first.since > this.#shares.waitMs / 2
  }

  #serve(row: Row): void {
    const { party } = row
    const [waiter] = row.waiters
    if (waiter === undefined) return
    this.#ownWentLast = row === this.#own
    this.#count(row, 1)
    const now = performance.now()
    if (row.rank === 'screen') this.#crowd.served(now - waiter.since, now)
    this.#remove(waiter)
    if (row !== this.#own) {
      party.selfWentLast = row.isSelf
      // Goes behind all others who wait, within its share and with it.
      party.rows.delete(row.key)
      party.rows.set(row.key, row)
      if (this.#turns.delete(party) && this.#isInTurn(party)) this.#turns.add(party)
    }
    waiter.resolve()
  }

  #isInTurn(party: Party): boolean {
    return party.waiting > (party === this.#server ? this.#own.waiters.size : 0)
  }

  #drop(waiter: Waiter, fault: Error): void {
    if (!this.#remove(waiter)) return
    if (!this.#isInTurn(waiter.row.party)) this.#turns.delete(waiter.row.party)
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
   * When all places to wait are taken, those of a share or all, the one with most of them loses its last one
   * to somebody who has fewer. The server's own work always waits.
   */
  #makeRoom(row: Row): void {
    const { party, rank } = row
    const isPerson = party !== this.#server
    const within = this.#roomWithin(row)
    // Long work has come so far through its own queue, and would be for nothing. Those who sign in are few
    // enough.
    const isFree = !isPerson || rank !== 'screen' || party.name === STRANGERS
    if (!isFree && !this.#crowd.admits((goingOn) => this.#aheadOf(row, goingOn))) throw new CrowdedFault()
    if (within !== null) {
      note('refusal', 'database')
      this.#drop(within, new ShareFault(party.waiting))
    }
    if (this.#waiting < this.#shares.waiting) return
    const longest = this.#longestButServer()
    const isFairer = longest !== null && (!isPerson || longest.waiting > party.waiting + 1)
    const last = isFairer ? lastOf([...longest.rows.values()].reduce(longerOf)) : undefined
    if (last === undefined) throw new CrowdedFault()
    note('refusal', 'database')
    this.#drop(last, new ShareFault(longest?.waiting ?? 0))
  }

  /** Who of the same share has to go; null: nobody. @throws ShareFault if it is the one who asks */
  #roomWithin(row: Row): Waiter | null {
    const { party } = row
    const { waitingPerPerson, waitingStrangers } = this.#shares
    const most = party.name === STRANGERS ? waitingStrangers : waitingPerPerson
    if (party === this.#server || party.waiting < most) return null
    // An export or an import that is under way goes on.
    const rows = [...party.rows.values()].filter(({ rank }) => rank === 'screen')
    const longest = longestBut(rows, row, ({ waiters }) => waiters.size)
    const last = longest === null ? undefined : lastOf(longest)
    if (last === undefined) throw new ShareFault(party.waiting)
    return last
  }

  #longestButServer(): Party | null {
    let longest: Party | null = null
    for (const party of this.#turns)
      if (party !== this.#server && party.waiting > (longest?.waiting ?? 0)) longest = party
    return longest
  }

  /** How many others are served before the next request of this row: one of each share in every turn. */
  #aheadOf(row: Row, goingOn: boolean): number {
    const before = row.waiters.size + 1
    let turns = before
    for (const other of row.party.rows.values())
      if (other !== row && other.rank === 'screen') turns += Math.min(other.waiters.size, before)
    let ahead = Math.min(this.#own.waiters.size, turns)
    for (const party of this.#turns) {
      // Whose share is used up gets no turn now.
      if (party === row.party || party === this.#server || party.working >= this.#placesOf(party)) continue
      const waiting = screensOf(party)
      if (waiting > 0) ahead += goingOn ? turns : Math.min(waiting, turns)
    }
    return ahead
  }
}

/** With fewer places than this, signing in takes turns like everything else. */
const FEW_PLACES = 4

const lastOf = ({ waiters }: Row): Waiter | undefined => [...waiters].at(-1)
const longerOf = (one: Row, other: Row): Row => (other.waiters.size > one.waiters.size ? other : one)

function screensOf({ rows }: Party): number {
  let waiting = 0
  for (const { rank, waiters } of rows.values()) if (rank === 'screen') waiting += waiters.size
  return waiting
}

function rowIn(party: Party, name: string, rank: Rank): Row {
  const key = `${rank} ${name}`
  let row = party.rows.get(key)
  if (row === undefined) {
    row = { party, key, isSelf: name === '', rank, working: 0, waiters: new Set() }
    party.rows.set(key, row)
  }
  return row
}
