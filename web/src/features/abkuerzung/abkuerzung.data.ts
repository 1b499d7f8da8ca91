// Queries and mutations for abbreviations.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Abkuerzung, NewAbkuerzung } from '#contract/abkuerzung.ts'
import { eq } from '../../data/addresses.ts'
import { rpc } from '../../data/rpc.ts'
import { insert, removeOne, updateOne } from '../../data/rows.ts'

export const KEY = ['abkuerzungen', 'list'] as const
export const loadAbkuerzungen = (signal: AbortSignal): Promise<Abkuerzung[]> =>
  rpc('a_get_acronyms', {}, { signal })

function useChange<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: ['abkuerzungen'] }),
  })
}

export interface Saving {
  /** Null for a new one. `version` is the version the change is based on. */
  readonly row: Pick<Abkuerzung, 'id' | 'version'> | null
  readonly values: NewAbkuerzung
}
export const useSaveAbkuerzung = () =>
  useChange(({ row, values }: Saving) =>
    row === null
      ? insert<Abkuerzung>('abkuerzung', values)
      : updateOne<Abkuerzung>('abkuerzung', [eq('id', row.id)], values, { version: row.version }),
  )
export const useRemoveAbkuerzung = () =>
  useChange(({ id }: Abkuerzung) => removeOne('abkuerzung', [eq('id', id)]))
/** Undoes a deletion by inserting the same values again. */
export const useRestoreAbkuerzung = () =>
  useChange(({ abk, bedeutung, gruppe }: Abkuerzung) =>
    insert<Abkuerzung>('abkuerzung', { abk, bedeutung, gruppe }),
  )
