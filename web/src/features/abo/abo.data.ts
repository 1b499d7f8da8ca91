// Subscriptions of the user's own headquarters: terms, price list, vouchers.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AboModule, AboPrice, AboRow } from '#contract/abo.ts'
import { oneOf } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { Switches } from './abo-state.ts'

/** All terms of these headquarters, newest first. */
export const abosOf = (hqids: readonly number[]) =>
  queryOptions({
    queryKey: ['abo', 'own', ...hqids],
    queryFn: ({ signal }) =>
      hqids.length === 0
        ? Promise.resolve([])
        : selectRows<AboRow>('abo_liste', {
            filters: [oneOf('hqid', hqids)],
            order: [
              { column: 'beginn', descending: true },
              { column: 'id', descending: true },
            ],
            signal,
          }),
  })

/** The modules switched on for these headquarters, with or without a subscription. */
export const switchesOf = (hqids: readonly number[]) =>
  queryOptions({
    queryKey: ['hq', 'schalter', ...hqids],
    queryFn: ({ signal }) =>
      hqids.length === 0
        ? Promise.resolve([])
        : selectRows<Switches>('kunde_hq', {
            select: ['hqid', 'fe_enabled', 'basis_fe_enabled', 'kawm_enabled'],
            filters: [oneOf('hqid', hqids)],
            signal,
          }),
  })

export const priceList = queryOptions({
  queryKey: ['abo', 'preise'],
  queryFn: ({ signal }) => selectRows<AboPrice>('abo_preis', { signal }),
  staleTime: 5 * 60_000,
})

/** Not cached: every check of a code is counted, and the code may be used up a moment later. */
export const useCheckGutschein = () =>
  useMutation({ mutationFn: (code: string) => rpc('__o_check_gutschein', { code }) })

function useChange<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['abo'] }),
        client.invalidateQueries({ queryKey: ['hq'] }),
        // The pages of the modules that it switches on or off.
        client.invalidateQueries({ queryKey: ['habitat', 'list'] }),
        client.invalidateQueries({ queryKey: ['waldbestand'] }),
      ]),
  })
}
export const useStartAbo = () =>
  useChange((start: { hqid: number; modul: AboModule; code: string }) => rpc('__o_start_abo', start))
export const useCancelAbo = () => useChange((id: number) => rpc('__o_cancel_abo', { id }))
export const useResumeAbo = () => useChange((id: number) => rpc('__o_resume_abo', { id }))
