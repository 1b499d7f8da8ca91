// Creating a headquarters, and refreshing every page that shows headquarters.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Hq } from '#contract/hq.ts'
import { insert } from '../../data/rows.ts'
import { kundeKey } from '../kunde/kunde-record.data.ts'
import { SUMMARIES } from '../summary/summary.data.ts'
import type { HqFields } from './hq-form.ts'

export const HQ_LISTS = ['hq', 'list'] as const
export const hqKey = (id: string) => ['hq', 'record', id] as const

/**
 * Call after a change: refreshes lists, the record's own parts, the customer's page, and the stands and figures
 * that its switches and areas decide.
 */
export function refreshHq(client: QueryClient, { idHQ, client_id }: Pick<Hq, 'idHQ' | 'client_id'>) {
  void client.invalidateQueries({ queryKey: HQ_LISTS })
  void client.invalidateQueries({ queryKey: hqKey(String(idHQ)) })
  void client.invalidateQueries({ queryKey: [...kundeKey(String(client_id)), 'hqs'] })
  void client.invalidateQueries({ queryKey: SUMMARIES })
  void client.invalidateQueries({ queryKey: ['hq', 'schalter'] })
  void client.invalidateQueries({ queryKey: ['waldbestand', String(idHQ)] })
  void client.invalidateQueries({ queryKey: ['habitat', 'list'] })
}

export function useAddHq() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (row: HqFields & { client_id: number }) => insert<Hq>('hq', row),
    onSuccess: (row) => refreshHq(client, row),
  })
}
