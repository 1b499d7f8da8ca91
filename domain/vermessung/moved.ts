// Known objects that an import would put elsewhere: often another object that only has the same number.
import type { Table } from './fields.ts'

/** Nearer than this it is the same object, measured or drawn better. */
export const MOVED_M = 50

export interface MovedObject {
  readonly tabelle: Table
  readonly schluessel: string
  /** How far, in whole metres. */
  readonly m: number
}
export interface Moved {
  readonly anzahl: number
  /** The farthest first. */
  readonly objekte: readonly MovedObject[]
}

const SHOWN = 20

export interface MovedTally {
  count(objects: readonly MovedObject[]): void
  /** Null if all stay where they are. */
  result(): Moved | null
}

export function createMovedTally(): MovedTally {
  let count = 0
  let farthest: readonly MovedObject[] = []
  return {
    count(objects) {
      count += objects.length
      farthest = [...farthest, ...objects].toSorted((a, b) => b.m - a.m).slice(0, SHOWN)
    },
    result: () => (count === 0 ? null : { anzahl: count, objekte: farthest }),
  }
}
