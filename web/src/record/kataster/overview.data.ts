// Query of a customer's survey overview, for every page that shows it.
import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../../data/rpc.ts'

export const overviewQuery = (kunde: number) =>
  queryOptions({
    queryKey: ['kataster', kunde, 'uebersicht'],
    queryFn: ({ signal }) => rpc('a_get_kataster_overview', { client_id: kunde }, { signal }),
    staleTime: 60_000,
  })
