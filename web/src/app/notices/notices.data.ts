// Notices of the signed-in person: the number unread, the list.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PersonalNotice } from '#contract/notice.ts'
import { isNull } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

const POLL_MS = 60_000

/** Refetched every minute while the window is visible, and when it becomes visible again. */
export const unreadCount = queryOptions({
  queryKey: ['meldung', 'anzahl'],
  queryFn: ({ signal }) => rpc('__o_count_meldungen', {}, { signal }),
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
  // A background request: errors are reported where the user does something.
  retry: false,
})

/** Newest first. */
export const notices = (limit: number) =>
  queryOptions({
    queryKey: ['meldung', 'liste', limit],
    queryFn: ({ signal }) =>
      selectPage<PersonalNotice>('meldung', {
        select: ['id', 'art', 'params', 'ziel', 'erstellt', 'gelesen_am'],
        order: [{ column: 'id', descending: true }],
        limit,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Newest first. */
export const unreadNotices = queryOptions({
  queryKey: ['meldung', 'ungelesen'],
  queryFn: ({ signal }) =>
    selectPage<PersonalNotice>('meldung', {
      select: ['id', 'art', 'params', 'ziel', 'erstellt', 'gelesen_am'],
      filters: [isNull('gelesen_am')],
      order: [{ column: 'id', descending: true }],
      limit: 5,
      count: 'none',
      signal,
    }),
  retry: false,
})
