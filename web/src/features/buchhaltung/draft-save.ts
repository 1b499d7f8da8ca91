// Saves a draft: head, terms and lines in one procedure, all or nothing. On a version conflict it loads the
// current row.
import { type UseQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Rpc } from '#contract/rpc.ts'
import { rpc } from '../../data/rpc.ts'
import type { Versioned } from '../../data/rows.ts'
import type { RecordRow } from '../../record/record-kind.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { type DraftKey, forgetBelege } from './beleg.data.ts'
import { inputsOf } from './draft-fields.ts'
import { saveVersioned } from './versioned.ts'

type Takes = Rpc['a_save_beleg']['takes']
export type Values = Takes['werte']

export function useSaveDraft<F extends string, Row extends RecordRow<F> & Versioned & { positionen: string }>(
  query: UseQueryOptions<Row, Error, Row, DraftKey>,
  fieldValuesOf: (changes: Partial<Row>) => Values,
): (what: RecordSave<F, Row>) => Promise<Row> {
  const client = useQueryClient()
  const [art, , id] = query.queryKey
  return useCallback(
    async ({ changes, version }) => {
      const { positionen, ...fields } = changes as Partial<Row> & { positionen?: string }
      const stored = client.getQueryData<Row>(query.queryKey)?.positionen ?? '[]'
      const takes = {
        art,
        id,
        version,
        werte: fieldValuesOf(fields as Partial<Row>),
        ...(positionen !== undefined && { positionen: inputsOf(positionen, stored) }),
      } as Takes
      const fresh = () => client.fetchQuery({ ...query, staleTime: 0 })
      await saveVersioned(() => rpc('a_save_beleg', takes), fresh)
      const now = await fresh()
      void forgetBelege(client)
      return now
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- art and id identify the query
    [client, art, id, fieldValuesOf],
  )
}
