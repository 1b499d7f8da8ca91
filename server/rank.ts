// What comes first when the database cannot do everything at once: what a person waits for before exports and imports,
// and these before nightly work. It follows the work from where it begins, however deep its statements are.
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * `screen`: a request, or the server's own work of the moment, such as sending a mail. `long`: exports, imports,
 * reports. `nightly`: what may as well be done an hour later.
 */
export type Rank = 'screen' | 'long' | 'nightly'

const current = new AsyncLocalStorage<Rank>()

export const inRank = <T>(rank: Rank, work: () => T): T => current.run(rank, work)

const RANKS: readonly Rank[] = ['screen', 'long', 'nightly']
/** Whose turn it is: a row of requests, and one for work of each rank that is behind them. */
export interface Seat {
  /** Undefined: the server itself. */
  readonly person: string | undefined
  readonly rank: Rank
}

export const seatOf = (person: string | undefined): Seat => ({ person, rank: current.getStore() ?? 'screen' })

export const isBefore = (rank: Rank, other: Rank): boolean => RANKS.indexOf(rank) < RANKS.indexOf(other)

/** How many of so many places work of a rank may hold at a time. */
export const placesOf = (rank: Rank, places: number): number => {
  if (rank === 'screen') return places
  return Math.max(1, Math.floor(places * (rank === 'long' ? 0.75 : 0.25)))
}
