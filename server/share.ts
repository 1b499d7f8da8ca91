// Whose share of the server a request counts against. A human has one, whatever they sign in with: their own screen
// and their keys take turns within it. All who have no account, or have not said yet who they are, have one together,
// in which networks take turns: the server's own work is only what nobody asks for.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subnetOf } from './subnet.ts'

export interface Share {
  /** Who has the share. */
  readonly party: string
  /** Which of those within it asks; empty: the human themselves. */
  readonly row: string
}

/** Of everybody without an account together. */
export const STRANGERS = 'ohne Anmeldung'

/** In no name of ours. */
const WITHIN = '\n'

/** How queues call a key of a person. */
export const keyOf = (person: string, key: number): string => `${person}${WITHIN}key ${key}`
/** How queues call somebody without an account. */
export const strangerAt = (address: string): string => `${STRANGERS}${WITHIN}${subnetOf(address)}`

export function shareOf(name: string): Share {
  const at = name.indexOf(WITHIN)
  return at < 0 ? { party: name, row: '' } : { party: name.slice(0, at), row: name.slice(at + 1) }
}

/**
 * How many requests of a share may wait is bounded. When all places are taken, the one with most of them
 * loses the last to somebody of the same share who has fewer; null: that would not be fairer.
 */
export function longestBut<Row>(rows: Iterable<Row>, own: Row, lengthOf: (row: Row) => number): Row | null {
  let longest: Row | null = null
  for (const row of rows)
    if (lengthOf(row) > (longest === null ? lengthOf(own) + 1 : lengthOf(longest))) longest = row
  return longest
}

const current = new AsyncLocalStorage<string | undefined>()

/** For work whose statements are not made in the name of a caller, such as those of the sign-in. */
export const inShareOf = <T>(person: string | undefined, work: () => T): T => current.run(person, work)

/** Who asked for what is being done; undefined: nobody, it is the server's own work. */
export const asking = (): { readonly person?: string } => {
  const person = current.getStore()
  return person === undefined ? {} : { person }
}
