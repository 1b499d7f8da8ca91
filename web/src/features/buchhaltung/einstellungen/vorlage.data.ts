// Templates of positions and text blocks: what is asked and changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Freitext, Positionsvorlage } from '#contract/vorlage.ts'
import type { FreitextWerte, VorlageWerte } from '#domain/vorlage.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveVersioned } from '../versioned.ts'

export const VORLAGEN_KEY = ['positionsvorlagen', 'list'] as const
export const FREITEXTE_KEY = ['freitexte', 'list'] as const

const signalled = (signal?: AbortSignal) => (signal ? { signal } : {})
export const loadVorlagen = (mit_archiv: boolean, signal?: AbortSignal): Promise<Positionsvorlage[]> =>
  rpc('a_get_position_tmpl', { mit_archiv }, signalled(signal))
export const loadFreitexte = (mit_archiv: boolean, signal?: AbortSignal): Promise<Freitext[]> =>
  rpc('a_get_all_freitexte', { mit_archiv }, signalled(signal))

function useChange<Takes, Answers>(key: string, mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: [key] }) })
}

export interface Saving<Row, Values> {
  /** Null: a new one. */
  readonly row: Row | null
  readonly values: Values
}
export const useSaveVorlage = () =>
  useChange(
    'positionsvorlagen',
    ({ row, values }: Saving<Positionsvorlage, VorlageWerte & Pick<Positionsvorlage, 'erl_on' | 'archiviert'>>) =>
      saveVersioned(
        () => rpc('a_save_position_tmpl', { ...values, ...(row && { id: row.id, version: row.version }) }),
        async () => (await loadVorlagen(true)).find(({ id }) => id === row?.id),
      ),
  )
export const useRemoveVorlage = () => useChange('positionsvorlagen', ({ id }: Positionsvorlage) => rpc('a_delete_position_tmpl', { id }))
export const useSaveFreitext = () =>
  useChange('freitexte', ({ row, values }: Saving<Freitext, FreitextWerte & Pick<Freitext, 'archiviert'>>) =>
    saveVersioned(
      () => rpc('a_save_freitext', { ...values, ...(row && { id: row.id, version: row.version }) }),
      async () => (await loadFreitexte(true)).find(({ id }) => id === row?.id),
    ),
  )
export const useRemoveFreitext = () => useChange('freitexte', ({ id }: Freitext) => rpc('a_delete_freitext', { id }))
