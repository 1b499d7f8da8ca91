// One customer or one holding at a glance, in one call each.
import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../../data/rpc.ts'

export const SUMMARIES = ['summary'] as const

// Always stale: a person who comes back from a new invoice wants to see it.
export const kundeSummary = (client_id: number) =>
  queryOptions({
    queryKey: [...SUMMARIES, 'kunde', client_id],
    queryFn: ({ signal }) => rpc('__o_get_kunde_summary', { client_id }, { signal }),
    staleTime: 0,
  })
export const hqSummary = (hq_id: number) =>
  queryOptions({
    queryKey: [...SUMMARIES, 'hq', hq_id],
    queryFn: ({ signal }) => rpc('__o_get_hq_summary', { hq_id }, { signal }),
    staleTime: 0,
  })
