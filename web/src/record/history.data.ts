// Queries the history of one or more records: newest first, older pages by key.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { HistoryEntry } from '#contract/history.ts'
import { type Filter, lt } from '../data/addresses.ts'
import { selectPage } from '../data/rows.ts'

const HISTORY_PAGE = 20

/**
 * `key` begins with the record's own query key, so that invalidating the record refetches its history too.
 */
export const historyQuery = (key: readonly unknown[], filters: readonly Filter[]) =>
  infiniteQueryOptions({
    queryKey: [...key, 'verlauf'],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) => {
      const { rows } = await selectPage<HistoryEntry>('verlauf', {
        filters: [...filters, ...(pageParam === null ? [] : [lt('id', pageParam)])],
        order: [{ column: 'id', descending: true }],
        limit: HISTORY_PAGE + 1,
        count: 'none',
        signal,
      })
      return { rows: rows.slice(0, HISTORY_PAGE), hasNext: rows.length > HISTORY_PAGE }
    },
    getNextPageParam: ({ rows, hasNext }) => (hasNext ? (rows.at(-1)?.id ?? null) : null),
  })
