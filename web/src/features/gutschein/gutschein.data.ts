// Queries and mutations for vouchers.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Gutschein, NewGutschein } from '#contract/gutschein.ts'
import type { Hq } from '#contract/hq.ts'
import { eq, oneOf } from '../../data/addresses.ts'
import { insert, removeOne, selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

/** A voucher with the name of the headquarters that used it. */
export interface GutscheinRow extends Gutschein {
  readonly forstbetrieb: string | null
}
export const GUTSCHEIN_COLUMNS = [
  'id',
  'rabatt_abo',
  'rabatt_kawm',
  'expire_date',
  'laufzeit',
  'angelegt_am',
  'angelegt_von',
  'code_ausgegeben_am',
  'eingeloest_am',
  'eingeloest_von',
  'eingeloest_hqid',
] as const satisfies readonly (keyof Gutschein)[]

export async function withForstbetrieb(
  rows: readonly GutscheinRow[],
  signal: AbortSignal,
): Promise<GutscheinRow[]> {
  const ids = [...new Set(rows.flatMap(({ eingeloest_hqid }) => eingeloest_hqid ?? []))]
  const hqs =
    ids.length === 0
      ? []
      : await selectRows<Pick<Hq, 'idHQ' | 'sHQ'>>('hq', {
          select: ['idHQ', 'sHQ'],
          filters: [oneOf('idHQ', ids)],
          signal,
        })
  const names = new Map(hqs.map(({ idHQ, sHQ }) => [idHQ, sHQ]))
  return rows.map((row) => ({ ...row, forstbetrieb: names.get(row.eingeloest_hqid ?? -1) ?? null }))
}

function useChange<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['gutschein'] }) })
}
export const useAddGutschein = () => useChange((row: NewGutschein) => insert<Gutschein>('gutschein', row))
export const useRemoveGutschein = () => useChange((id: number) => removeOne('gutschein', [eq('id', id)]))
export const useIssueCode = () => useChange((id: number) => rpc('a_issue_gutschein_code', { id }))
