// Queries and mutations for position templates and text blocks.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TextModule, PositionTemplate } from '#contract/template.ts'
import type { TextModuleValues, TemplateValues } from '#domain/template.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveVersioned } from '../versioned.ts'

export const TEMPLATES_KEY = ['positionsvorlagen', 'list'] as const
export const TEXT_MODULES_KEY = ['freitexte', 'list'] as const

const signalled = (signal?: AbortSignal) => (signal ? { signal } : {})
export const fetchTemplates = (archived: boolean, signal?: AbortSignal): Promise<PositionTemplate[]> =>
  rpc('a_get_position_tmpl', { mit_archiv: archived }, signalled(signal))
export const fetchTextModules = (archived: boolean, signal?: AbortSignal): Promise<TextModule[]> =>
  rpc('a_get_all_freitexte', { mit_archiv: archived }, signalled(signal))

function useChange<Takes, Answers>(key: string, mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: [key] }) })
}

export interface Saving<Row, Values> {
  /** Null for a new one. */
  readonly row: Row | null
  readonly values: Values
}
export const useSaveTemplate = () =>
  useChange(
    'positionsvorlagen',
    ({
      row,
      values,
    }: Saving<PositionTemplate, TemplateValues & Pick<PositionTemplate, 'erl_on' | 'archiviert'>>) =>
      saveVersioned(
        () => rpc('a_save_position_tmpl', { ...values, ...(row && { id: row.id, version: row.version }) }),
        async () => (await fetchTemplates(true)).find(({ id }) => id === row?.id),
      ),
  )
export const useRemoveTemplate = () =>
  useChange('positionsvorlagen', ({ id }: PositionTemplate) => rpc('a_delete_position_tmpl', { id }))
export const useSaveTextModule = () =>
  useChange(
    'freitexte',
    ({ row, values }: Saving<TextModule, TextModuleValues & Pick<TextModule, 'archiviert'>>) =>
      saveVersioned(
        () => rpc('a_save_freitext', { ...values, ...(row && { id: row.id, version: row.version }) }),
        async () => (await fetchTextModules(true)).find(({ id }) => id === row?.id),
      ),
  )
export const useRemoveTextModule = () =>
  useChange('freitexte', ({ id }: TextModule) => rpc('a_delete_freitext', { id }))
