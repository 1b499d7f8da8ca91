// Builds a list's queries to the data API: filters, order, pages by number for the screen and by key for the
// export.
import { and, eq, type Filter, gt, gte, isNull, lt, lte, notNull, type Order, or } from '../data/addresses.ts'
import type { PageRead } from '../data/rows.ts'
import { apiFilters } from './filter-kinds.ts'
import { type List, type ListState, type TableSource, wordsOf } from './list.ts'

/** A list with rows of the data API. */
export type TableList<Row> = List<Row> & { readonly source: TableSource<Row> }
/** The parts of a list that a query needs, independent of the row type. */
export interface Asking extends Pick<List<never>, 'sorts' | 'filters'> {
  readonly source: Omit<TableSource<never>, 'complete'>
}

/**
 * Condition for one word of the search. The search text is stored in lower case, so `like` is enough and
 * takes half as long as `ilike` (100,000 rows: 48 and 116 ms). The API cannot express a literal star; "any
 * one character" is the closest.
 */
function wordFilter(column: string, word: string): Filter {
  const literal = word
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '_')
  return { key: column, value: `like.*${literal}*`, inner: `${column}.like.*${literal}*` }
}

export function filtersOf({ source, filters = [] }: Asking, state: ListState): Filter[] {
  const search = source.search ?? 'suchtext'
  return [
    ...(source.scope ?? []),
    ...(search === false ? [] : wordsOf(state.suche).map((word) => wordFilter(search, word))),
    ...filters.flatMap((filter) => apiFilters(filter, state.filter[filter.key] ?? '')),
  ]
}

/**
 * The key breaks ties, because rows could otherwise jump between pages. Its direction is that of the indexes.
 */
export function orderOf(
  { source, sorts }: Asking,
  { sort, isDescending }: ListState,
): [Required<Order>, ...Required<Order>[]] {
  const { column = sort, keyAgainst = false } = sorts[sort] ?? {}
  const main = { column, descending: isDescending }
  return column === source.key
    ? [main]
    : [main, { column: source.key, descending: keyAgainst ? !isDescending : isDescending }]
}

/**
 * Query for one page. It asks for one row more than is shown, to find out without counting whether there is a
 * next page.
 */
export const pageRead = (list: Asking, state: ListState): PageRead => ({
  select: list.source.select,
  filters: filtersOf(list, state),
  order: orderOf(list, state),
  limit: state.zeilen + 1,
  offset: (state.seite - 1) * state.zeilen,
  count: 'none',
})

/** Counting on would cost more than reading: the server stops one row beyond (server/data-api/limits.ts). */
export const MOST_COUNTED = 10_000

/** Query for the total, of which one row is enough. */
export const countRead = (list: Asking, state: ListState): PageRead => ({
  select: [list.source.key],
  filters: filtersOf(list, state),
  limit: 1,
  count: 'estimated',
})

/** Position of an export: sort value and key of its last row. */
export interface Mark {
  readonly value: string | number | boolean | null
  readonly key: string | number
}

export function markOf(list: Asking, state: ListState, row: object): Mark {
  const values = row as Readonly<Record<string, Mark['value']>>
  return {
    value: values[orderOf(list, state)[0].column] ?? null,
    key: values[list.source.key] as string | number,
  }
}

/**
 * Conditions for the rows after a mark in the list's order. Rows without a value come last in ascending and
 * first in descending order, as in PostgreSQL.
 */
function afterMark(list: Asking, state: ListState, { value, key: keyValue }: Mark): Filter[] {
  const [{ column, descending }, key] = orderOf(list, state)
  const beyond = descending ? lt : gt
  if (key === undefined) return [beyond(column, keyValue)]
  const keyBeyond = (key.descending ? lt : gt)(key.column, keyValue)
  if (value === null) {
    const rest = and(isNull(column), keyBeyond)
    return [descending ? or(rest, notNull(column)) : rest]
  }
  const later = [beyond(column, value), and(eq(column, value), keyBeyond)]
  if (!descending && list.sorts[state.sort]?.nullable) return [or(...later, isNull(column))]
  // The separate, redundant bound lets the index scan start at the mark (5 instead of 32 ms in the middle of
  // 100,000 rows).
  return [(descending ? lte : gte)(column, value), or(...later)]
}

/**
 * Query for one chunk of an export. Paging by key neither repeats nor skips rows while others make changes.
 */
export function stretchRead(list: Asking, state: ListState, mark: Mark | null, limit: number): PageRead {
  const order = orderOf(list, state)
  const more = order.map(({ column }) => column).filter((column) => !list.source.select.includes(column))
  return {
    select: [...list.source.select, ...more],
    filters: [...filtersOf(list, state), ...(mark === null ? [] : afterMark(list, state, mark))],
    order,
    limit,
    count: 'none',
  }
}
