// What the overview asks. Its keys begin with those of the documents, so that whatever changes one of them has it asked anew.
import { queryOptions } from '@tanstack/react-query'
import type { Step } from '#domain/cashflow.ts'
import { rpc } from '../../../data/rpc.ts'

/** Null: the present year. */
export const buchhaltungQuery = (jahr: number | null) =>
  queryOptions({
    queryKey: ['rechnung', 'uebersicht', jahr],
    queryFn: ({ signal }) => rpc('a_get_buchhaltung', jahr === null ? {} : { jahr }, { signal }),
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
