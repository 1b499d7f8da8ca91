// Asks for the history of one or more records: newest first, older ones by key.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Verlauf } from '#contract/verlauf.ts'
import { type Filter, lt } from '../data/addresses.ts'
import { selectPage } from '../data/rows.ts'

const VERLAUF_PAGE = 20

/** `key` begins with the record's own query key, so that invalidating the record asks for its history as well. */
export const verlaufQuery = (key: readonly unknown[], filters: readonly Filter[]) =>
  infiniteQueryOptions({
    queryKey: [...key, 'verlauf'],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) => {
      const { rows } = await selectPage<Verlauf>('verlauf', {
        filters: [...filters, ...(pageParam === null ? [] : [lt('id', pageParam)])],
        order: [{ column: 'id', descending: true }],
        limit: VERLAUF_PAGE + 1,
        count: 'none',
        signal,
      })
      return { rows: rows.slice(0, VERLAUF_PAGE), hasNext: rows.length > VERLAUF_PAGE }
    },
    getNextPageParam: ({ rows, hasNext }) => (hasNext ? (rows.at(-1)?.id ?? null) : null),
  })
