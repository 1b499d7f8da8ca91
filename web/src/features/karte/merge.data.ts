// Sheets to merge: their results, the offsets at their seams, and the order of their mosaic.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type KarteResult, type KarteMosaicRpc, type KarteSeam, seamPath } from '#contract/karte-mosaic.ts'
import { callGeneral } from '../../data/client.ts'
import { rpc } from '../../data/rpc.ts'
import { pathOf } from './files.data.ts'
import { KARTE_LISTS } from './karte.data.ts'

export const resultsQuery = (plans: readonly number[]) =>
  queryOptions({
    queryKey: [...KARTE_LISTS, 'ergebnisse', ...plans],
    queryFn: ({ signal }) => rpc('a_get_karte_ergebnisse', { karten: [...plans] }, { signal }),
    enabled: plans.length > 1,
  })

/** One after another: the server measures one per person at a time, and keeps few waiting. */
let before: Promise<unknown> = Promise.resolve()
function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const mine = before.then(() => {
    signal.throwIfAborted()
    return work()
  })
  before = mine.catch(() => undefined)
  return mine
}
const SEAM_MS = 90_000

/** Bytes of a result never change, and so an offset does not. */
export const seamQuery = (first: KarteResult, second: KarteResult) =>
  queryOptions({
    queryKey: ['karte', 'naht', first.sha256, second.sha256],
    queryFn: ({ signal }) =>
      inTurn(signal, () =>
        callGeneral<KarteSeam>('GET', pathOf(seamPath(first.karte_id, second.karte_id)), {
          signal,
          quiet: true,
          timeoutMs: SEAM_MS,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export function useAddMosaic() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: KarteMosaicRpc['a_add_karte_mosaik']['takes']) => rpc('a_add_karte_mosaik', order),
    onSuccess: () => client.invalidateQueries({ queryKey: KARTE_LISTS }),
  })
}
