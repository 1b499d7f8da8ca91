// Queries of the overview. Their keys begin with those of the documents, so that a change to any document
// refetches them.
import { queryOptions } from '@tanstack/react-query'
import type { Step } from '#domain/cashflow.ts'
import { rpc } from '../../../data/rpc.ts'

/** Null for the current year. */
export const buchhaltungQuery = (year: number | null) =>
  queryOptions({
    queryKey: ['rechnung', 'uebersicht', year],
    queryFn: ({ signal }) => rpc('a_get_buchhaltung', year === null ? {} : { jahr: year }, { signal }),
    staleTime: 0,
  })
export interface Outlook {
  readonly von: string
  readonly bis: string
  readonly schritt: Step
  readonly anfang: string
}
export const cashflowQuery = (outlook: Outlook) =>
  queryOptions({
    queryKey: ['rechnung', 'cashflow', outlook],
    queryFn: ({ signal }) => rpc('a_get_cashflow', { ...outlook }, { signal }),
    staleTime: 0,
  })
