// The rows of a list and their number, for both kinds of sources.
import {
  keepPreviousData,
  queryOptions,
  usePrefetchQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Ahead } from '../data/ahead.ts'
import { selectPage } from '../data/rows.ts'
import { type ArrayList, arrange } from './array-source.ts'
import { type List, type ListState, queryKeyOf } from './list.ts'
import { type Asking, countRead, MOST_COUNTED, pageRead, type TableList } from './table-source.ts'
import { firstState } from './use-list-state.ts'

export interface ListRows<Row> {
  /** Rows of the current page. */
  readonly rows: readonly Row[]
  /** All matching rows, if they are in the browser. */
  readonly all: readonly Row[] | undefined
  /** Null while unknown, and if there are more than the server counts. */
  readonly total: number | null
  /** More than the server counts. */
  readonly isBeyond: boolean
  readonly loading: boolean
  /** True while old rows are shown and the new ones are being fetched. */
  readonly stale: boolean
  /** Set only if there are no rows to show. */
  readonly error: unknown
  readonly retry: () => void
}

const scopeOf = ({ source }: Asking) => (source.scope ?? []).map(({ key, inner }) => [key, inner].join(' '))

/** One page of the list; the previous one stays visible until it arrives. */
export const pageQuery = <Row>(list: TableList<Row>, state: ListState) =>
  queryOptions({
    queryKey: [...queryKeyOf(list), 'rows', scopeOf(list), state],
    queryFn: async ({ signal }) => {
      const { rows } = await selectPage<Row>(list.source.table, { ...pageRead(list, state), signal })
      const shown = rows.slice(0, state.zeilen)
      const complete =
        list.source.complete && shown.length > 0 ? await list.source.complete(shown, signal) : shown
      return { rows: complete, hasNext: rows.length > state.zeilen }
    },
    placeholderData: keepPreviousData,
  })

/**
 * The total. Requested separately so that rows need not wait for it; after three seconds the list does
 * without.
 */
const countQuery = (list: Asking & Pick<List<never>, 'name' | 'queryKey'>, state: ListState) => {
  const read = countRead(list, state)
  return queryOptions({
    queryKey: [...queryKeyOf(list), 'count', read.filters?.map(({ key, inner }) => `${key} ${inner}`)],
    queryFn: async ({ signal }) =>
      (await selectPage(list.source.table, { ...read, signal, timeoutMs: 3_000 })).total,
    staleTime: 60_000,
    retry: false,
  })
}

export const arrayQuery = <Row>(list: ArrayList<Row>) =>
  queryOptions({
    queryKey: [...queryKeyOf(list), 'all', list.source.scope ?? []],
    queryFn: ({ signal }) => list.source.load(signal),
  })

/** For a page with this list: asks for its rows as soon as its code is there, before the frame is rendered. */
export const rowsAhead =
  <Row>(list: List<Row>): Ahead =>
  (client, search) => {
    if (list.source.kind === 'array') return void client.prefetchQuery(arrayQuery(list as ArrayList<Row>))
    const [table, state] = [list as TableList<Row>, firstState(list, search)]
    void client.prefetchQuery(pageQuery(table, state))
    return void client.prefetchQuery(countQuery(table, state))
  }

/** Rows and their number; also prefetches the next page. */
function useTableRows<Row>(list: TableList<Row>, state: ListState): ListRows<Row> {
  const client = useQueryClient()
  // Starts the request before the list's frame is rendered.
  usePrefetchQuery(pageQuery(list, state))
  const query = useQuery(pageQuery(list, state))
  const here = query.isPlaceholderData ? undefined : query.data
  // On the last page the total follows from the rows.
  const known =
    here && !here.hasNext && (here.rows.length > 0 || state.seite === 1)
      ? (state.seite - 1) * state.zeilen + here.rows.length
      : null
  const count = useQuery({
    ...countQuery(list, state),
    enabled: here !== undefined && known === null,
    placeholderData: keepPreviousData,
  })
  const total = known ?? count.data ?? null
  const isBeyond = total !== null && total > MOST_COUNTED
  const hasNext = here?.hasNext ?? false
  useEffect(() => {
    if (hasNext) void client.prefetchQuery(pageQuery(list, { ...state, seite: state.seite + 1 }))
  }, [client, list, state, hasNext])
  return {
    rows: query.data?.rows ?? NO_ROWS,
    all: undefined,
    total: isBeyond ? null : total,
    isBeyond,
    loading: query.isPending,
    stale: query.isPlaceholderData,
    error: query.isError && query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
  }
}

function useArrayRows<Row>(list: ArrayList<Row>, state: ListState): ListRows<Row> {
  usePrefetchQuery(arrayQuery(list))
  const query = useQuery(arrayQuery(list))
  const { data } = query
  const { suche, filter, sort, isDescending } = state
  const all = useMemo(
    () => (data ? arrange(list, data, { suche, filter, sort, isDescending, seite: 1, zeilen: 25 }) : NO_ROWS),
    [list, data, suche, filter, sort, isDescending],
  )
  const from = (state.seite - 1) * state.zeilen
  const rows = useMemo(() => all.slice(from, from + state.zeilen), [all, from, state.zeilen])
  return {
    rows,
    all,
    total: data ? all.length : null,
    isBeyond: false,
    loading: query.isPending,
    stale: false,
    error: query.isError && data === undefined ? query.error : null,
    retry: () => void query.refetch(),
  }
}
const NO_ROWS: readonly never[] = []

/** Choosing the hook is safe, because a list never changes its kind while mounted. */
export function useListRows<Row>(list: List<Row>, state: ListState): ListRows<Row> {
  const useRows = list.source.kind === 'table' ? useTableRows<Row> : useArrayRows<Row>
  return useRows(list as TableList<Row> & ArrayList<Row>, state)
}
