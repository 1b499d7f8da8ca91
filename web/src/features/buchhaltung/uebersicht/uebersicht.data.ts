// What the overview asks. Its keys begin with those of the documents, so that whatever changes one of them has it asked anew.
import { queryOptions } from '@tanstack/react-query'
import type { Schritt } from '#domain/cashflow.ts'
import { rpc } from '../../../data/rpc.ts'

/** Null: the present year. */
export const buchhaltungQuery = (jahr: number | null) =>
  queryOptions({
    queryKey: ['rechnung', 'uebersicht', jahr],
    queryFn: ({ signal }) => rpc('a_get_buchhaltung', jahr === null ? {} : { jahr }, { signal }),
    staleTime: 0,
  })
export interface Ausblick {
  readonly von: string
  readonly bis: string
  readonly schritt: Schritt
  readonly anfang: string
}
export const cashflowQuery = (ausblick: Ausblick) =>
  queryOptions({
    queryKey: ['rechnung', 'cashflow', ausblick],
    queryFn: ({ signal }) => rpc('a_get_cashflow', { ...ausblick }, { signal }),
    staleTime: 0,
  })
