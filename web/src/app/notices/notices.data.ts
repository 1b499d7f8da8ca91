// Notices of the person who is signed in: how many are unread, the list, ticking off.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PersonalNotice } from '#contract/notice.ts'
import { isNull } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

const POLL_MS = 60_000

/** Asked once a minute while the window is in sight, and when it comes back into sight. */
export const unreadCount = queryOptions({
  queryKey: ['meldung', 'anzahl'],
  queryFn: ({ signal }) => rpc('__o_count_meldungen', {}, { signal }),
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always',
  // Nobody asked for it: what goes wrong here is said where somebody does something.
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

/** Without numbers all of them. Answers which ones changed. */
export function useTickOff() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ ids, read }: { ids?: readonly number[]; read: boolean }) =>
      rpc('__o_set_meldungen_gelesen', { ...(ids && { ids }), gelesen: read }),
    onSettled: () => client.invalidateQueries({ queryKey: ['meldung'] }),
  })
}
