// What waits, figures and growth for the start page, in one call.
import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../../data/rpc.ts'

export const deskQuery = queryOptions({
  queryKey: ['desk'],
  queryFn: ({ signal }) => rpc('__o_get_desk', {}, { signal }),
  staleTime: 60_000,
})
