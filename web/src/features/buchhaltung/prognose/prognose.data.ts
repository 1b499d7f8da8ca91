// Queries and mutations for forecasts.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Prognose } from '#contract/prognose.ts'
import type { PrognoseValues } from '#domain/prognose.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveVersioned } from '../versioned.ts'

export const KEY = ['prognosen', 'list'] as const
export const loadPrognosen = (signal?: AbortSignal): Promise<Prognose[]> =>
  rpc('a_get_prognose', {}, signal ? { signal } : {})

function useChange<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['prognosen'] }) })
}
export const useSavePrognose = () =>
  useChange(({ row, values }: { row: Prognose | null; values: PrognoseValues }) =>
    row === null
      ? rpc('a_insert_prognose', { ...values })
      : saveVersioned(
          () => rpc('a_update_prognose', { id: row.id, ...values, version: row.version }),
          async () => (await loadPrognosen()).find(({ id }) => id === row.id),
        ),
  )
export const useRemovePrognose = () =>
  useChange(({ id }: Prognose) => rpc('a_delete_prognose', { prognose_id: id }))
/** Undoes a deletion by inserting the same values again. */
export const useRestorePrognose = () =>
  useChange(({ datum, betrag, art, kategorie, bemerkung }: Prognose) =>
    rpc('a_insert_prognose', { datum, betrag, art, kategorie: kategorie ?? '', bemerkung: bemerkung ?? '' }),
  )
