// What dialog and card of corrections load. Never from the cache alone: another correction changes what is left.
import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../../../../data/rpc.ts'
import { belegKey } from '../../beleg.data.ts'

/** What is left of an issued invoice, and its corrections. */
export const korrekturQuery = (id: number) =>
  queryOptions({
    queryKey: [...belegKey('rechnung', String(id)), 'korrektur'],
    queryFn: ({ signal }) => rpc('a_get_korrektur', { invoice_id: id }, { signal }),
    staleTime: 0,
  })
/** What a draft takes back. */
export const korrekturLinesQuery = (id: number) =>
  queryOptions({
    queryKey: [...belegKey('rechnung', String(id)), 'korrektur-zeilen'],
    queryFn: ({ signal }) => rpc('a_get_korrektur_zeilen', { invoice_id: id }, { signal }),
    staleTime: 0,
  })
