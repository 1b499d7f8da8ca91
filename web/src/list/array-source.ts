// Searches, filters and sorts rows that are in the browser, using the same list state. Sort keys are computed
// once per answer, so that sorting 10,000 rows takes less than a frame.
import { rowTest } from './filter-kinds.ts'
import { searchText, sortKey } from './fold.ts'
import { type ArraySource, type List, type ListState, wordsOf } from './list.ts'

export type ArrayList<Row> = List<Row> & { readonly source: ArraySource<Row> }

interface Index {
  text: readonly string[] | undefined
  /** Row indexes in ascending order, by sort. */
  readonly orders: Map<string, readonly number[]>
}
/** One index per answer, garbage-collected with it. */
const indexes = new WeakMap<readonly unknown[], Map<string, Index>>()
function indexOf(rows: readonly unknown[], name: string): Index {
  const byList = indexes.get(rows) ?? new Map<string, Index>()
  indexes.set(rows, byList)
  const index = byList.get(name) ?? { text: undefined, orders: new Map() }
  byList.set(name, index)
  return index
}

type Key = string | number
function keyOf(value: unknown): Key | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  if (typeof value === 'boolean') return value ? 1 : 0
  return sortKey(String(value))
}
/** Ascending: rows without a value come last. */
function compare(a: Key | null, b: Key | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}

function ascending<Row>(
  list: ArrayList<Row>,
  rows: readonly Row[],
  sort: string,
  index: Index,
): readonly number[] {
  const known = index.orders.get(sort)
  if (known) return known
  const { column = sort, of } = list.sorts[sort] ?? {}
  const read = of ?? ((row: Row) => (row as Record<string, unknown>)[column])
  const keys = rows.map((row) => keyOf(read(row)))
  const order = Array.from(rows, (_, at) => at).sort((a, b) => compare(keys[a]!, keys[b]!) || a - b)
  index.orders.set(sort, order)
  return order
}

/** The matching rows in order. Descending reverses everything, equal rows included, as the database does. */
export function arrange<Row>(list: ArrayList<Row>, rows: readonly Row[], state: ListState): readonly Row[] {
  const index = indexOf(rows, list.name)
  const order = ascending(list, rows, state.sort, index)
  const fits = fitting(list, rows, state, index)
  const found: Row[] = []
  const { length } = order
  for (let nr = 0; nr < length; nr++) {
    const at = order[state.isDescending ? length - 1 - nr : nr]!
    if (fits(at)) found.push(rows[at]!)
  }
  const { group } = list.source
  return group ? grouped(found, group) : found
}

function fitting<Row>(
  list: ArrayList<Row>,
  rows: readonly Row[],
  state: ListState,
  index: Index,
): (at: number) => boolean {
  const { text } = list.source
  const words = text === false ? [] : wordsOf(state.suche).map((word) => word.toLowerCase())
  if (words.length > 0 && text !== false) index.text ??= rows.map((row) => searchText(text(row)))
  const tests = (list.filters ?? []).flatMap(
    (filter) => rowTest(filter, state.filter[filter.key] ?? '') ?? [],
  )
  return (at) =>
    words.every((word) => index.text![at]!.includes(word)) && tests.every((fits) => fits(rows[at]!))
}

/** Groups in the order of their names; the order within a group is kept. */
function grouped<Row>(rows: readonly Row[], group: (row: Row) => string): readonly Row[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = group(row)
    const members = groups.get(name)
    if (members) members.push(row)
    else groups.set(name, [row])
  }
  return [...groups].sort(([a], [b]) => compare(sortKey(a), sortKey(b))).flatMap(([, members]) => members)
}
