// Decides who works next: each person has a share of the places and of the waiting room, and persons are
// served in turn, not requests in the order they came.
import { PoolTimeoutFault, ShareFault, UnavailableFault } from './database.ts'

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
  readonly party: Party
  resolve(): void
  reject(fault: Error): void
  timer: NodeJS.Timeout | undefined
}

interface Party {
  /** Undefined: the server itself. */
  readonly person: string | undefined
  working: number
  /** In order of arrival. */
  readonly waiters: Set<Waiter>
}

export class FairQueue {
  readonly #shares: Shares
  /** Persons with working or waiting requests. */
  readonly #parties = new Map<string | undefined, Party>()
  /** Persons who are waiting, the next one first. */
  readonly #turns = new Set<Party>()
  readonly #own: Party = { person: undefined, working: 0, waiters: new Set() }
  #personsWorking = 0
  #waiting = 0
  /** The server's own work went last, so a person goes next: neither waits long for the other. */
  #ownWentLast = false

  constructor(shares: Shares) {
    this.#shares = shares
  }

  get working(): number {
    return this.#own.working + this.#personsWorking
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Takes a place at once, or returns false. */
  tryEnter(person: string | undefined): boolean {
    if (this.#waiting > 0 && this.#next() !== null) return false
    const party = this.#partyOf(person)
    if (!this.#mayWork(party)) {
      this.#forget(party)
      return false
    }
    this.#begin(party)
    return true
  }

  /** Resolves with a place, to be given back with leave(). */
  async enter(person: string | undefined, waitMs: number = this.#shares.waitMs): Promise<void> {
    if (this.tryEnter(person)) return
    const party = this.#partyOf(person)
    try {
      this.#makeRoom(party)
    } catch (fault) {
      this.#forget(party)
      throw fault
    }
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { party, resolve, reject, timer: undefined }
      waiter.timer = setTimeout(
        () => this.#drop(waiter, new PoolTimeoutFault(`no place became free within ${waitMs} ms`)),
        waitMs,
      )
      party.waiters.add(waiter)
      this.#waiting++
      if (party !== this.#own) this.#turns.add(party)
    })
  }

  leave(person: string | undefined): void {
    const party = this.#partyOf(person)
    party.working--
    if (party !== this.#own) this.#personsWorking--
    this.#forget(party)
    for (let next = this.#next(); next !== null; next = this.#next()) this.#serve(next)
  }

  rejectAll(fault: Error): void {
    for (const party of [this.#own, ...this.#turns])
      for (const waiter of party.waiters) this.#drop(waiter, fault)
  }

  #partyOf(person: string | undefined): Party {
    if (person === undefined) return this.#own
    let party = this.#parties.get(person)
    if (party === undefined) {
      party = { person, working: 0, waiters: new Set() }
      this.#parties.set(person, party)
    }
    return party
  }

  #forget(party: Party): void {
    if (party.working === 0 && party.waiters.size === 0) this.#parties.delete(party.person)
  }

  #mayWork(party: Party): boolean {
    if (this.working >= this.#shares.places) return false
    return (
      party === this.#own ||
      (party.working < this.#shares.perPerson && this.#personsWorking < this.#shares.persons)
    )
  }

  #begin(party: Party): void {
    party.working++
    if (party !== this.#own) this.#personsWorking++
  }

  /** Whose turn it is among those who wait and may work now. */
  #next(): Party | null {
    const own = this.#own.waiters.size > 0 && this.#mayWork(this.#own)
    if (own && !this.#ownWentLast) return this.#own
    for (const party of this.#turns) if (this.#mayWork(party)) return party
    return own ? this.#own : null
  }

  #serve(party: Party): void {
    const [waiter] = party.waiters
    if (waiter === undefined) return
    this.#ownWentLast = party === this.#own
    this.#begin(party)
    this.#remove(waiter)
    // Goes behind all others who wait.
    if (this.#turns.delete(party) && party.waiters.size > 0) this.#turns.add(party)
    waiter.resolve()
  }

  #drop(waiter: Waiter, fault: Error): void {
    if (!this.#remove(waiter)) return
    if (waiter.party.waiters.size === 0) this.#turns.delete(waiter.party)
    this.#forget(waiter.party)
    waiter.reject(fault)
  }

  #remove(waiter: Waiter): boolean {
    clearTimeout(waiter.timer)
    if (!waiter.party.waiters.delete(waiter)) return false
    this.#waiting--
    return true
  }

  /**
   * When all places to wait are taken, the person with most of them loses their last one to somebody who has
   * fewer.
   */
  #makeRoom(party: Party): void {
    if (party !== this.#own && party.waiters.size >= this.#shares.waitingPerPerson)
      throw new ShareFault(party.waiters.size)
    if (this.#waiting < this.#shares.waiting) return
    let longest = party
    for (const other of this.#turns) if (other.waiters.size > longest.waiters.size) longest = other
    const last = [...longest.waiters].at(-1)
    const isFairer = party === this.#own ? longest !== party : longest.waiters.size > party.waiters.size + 1
    if (!isFairer || last === undefined)
      throw new UnavailableFault('too many requests are waiting for the database')
    this.#drop(last, new ShareFault(longest.waiters.size))
  }
}
