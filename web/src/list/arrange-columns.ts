// Changes of a person's choice of columns (column-choice.ts): which, in which order, how wide.
import { keyOfEntry } from '../ui/column-choice.ts'
import type { ListColumn } from './list.ts'

export type Entries = readonly string[]
/** Columns as a person has arranged them. */
export interface Arrangement<Row> {
  columns: readonly ListColumn<Row>[]
  entries: Entries
  /** False: it is the default. */
  isChosen: boolean
  /** undefined: back to the default. */
  onChange: (entries: Entries | undefined) => void
}
export const NARROWEST = 48
export const WIDEST = 900
/** How much one press changes a width. */
export const WIDTH_STEP = 16

const find = (entries: Entries, key: string) => entries.findIndex((entry) => keyOfEntry(entry) === key)

export const widthIn = (entries: Entries, key: string): number | undefined =>
  Number(entries[find(entries, key)]?.split(':')[1]) || undefined

/** Shown after the nearest of its neighbours in the list's own order, or not any more. */
export function toggleColumn(entries: Entries, key: string, order: readonly string[]): Entries {
  const at = find(entries, key)
  if (at >= 0) return entries.toSpliced(at, 1)
  const before = order
    .slice(0, order.indexOf(key))
    .map((other) => find(entries, other))
    .findLast((place) => place >= 0)
  return entries.toSpliced((before ?? -1) + 1, 0, key)
}

/** Puts a column at a place; the first one is the name of the row and stays. */
export function moveColumn(entries: Entries, key: string, to: number): Entries {
  const at = find(entries, key)
  const place = Math.min(Math.max(to, 1), entries.length - 1)
  const entry = entries[at]
  if (entry === undefined || at === 0 || place === at) return entries
  return entries.toSpliced(at, 1).toSpliced(place, 0, entry)
}

/** undefined: as wide as its content. */
export const setWidth = (entries: Entries, key: string, width: number | undefined): Entries =>
  entries.map((entry) =>
    keyOfEntry(entry) === key
      ? width === undefined
        ? key
        : `${key}:${Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)))}`
      : entry,
  )
