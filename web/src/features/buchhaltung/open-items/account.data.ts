// A customer's account between two days.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { rpc } from '../../../data/rpc.ts'
import type { DayRange } from '../audit/Period.tsx'

/** Below the key of invoices, so that every action on one refetches this too. */
export const accountQuery = (client_id: string, { von, bis }: DayRange) =>
  queryOptions({
    queryKey: ['rechnung', 'kundenkonto', client_id, von, bis],
    queryFn: ({ signal }) => rpc('a_get_kundenkonto', { client_id, von, bis }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
