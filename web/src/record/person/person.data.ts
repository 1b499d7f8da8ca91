// Saves personal data: as a whole, and never over somebody else's change.
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { PERSON_INPUTS } from '#domain/benutzer-fields.ts'
import { pickColumns } from '#domain/fields.ts'
import { ApiError } from '../../data/api-error.ts'
import { eq } from '../../data/addresses.ts'
import { selectOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { RecordSave } from '../use-record-form.ts'
import type { PersonField } from './person-kind.ts'

export const changedMeanwhile = (current: NutzerRecord) =>
  new ApiError(
    'changed_meanwhile',
    t('Inzwischen geändert von {who} am {when}. Ihre Änderung wurde nicht gespeichert.', {
      who: current.geaendert_von ?? t('einer anderen Person'),
      when: formatDateTime(current.geaendert_am),
    }),
    { status: 409, current },
  )

export interface PersonSource {
  readonly id: string
  /** Key under which the page caches the record. */
  readonly queryKey: QueryKey
  /** Called after a save, to refresh everything else that shows the person. */
  readonly tellOthers: (client: QueryClient, id: string) => unknown
}

/** Saves personal data as a whole; rejects with changed_meanwhile if the record has a newer version. */
export function useSavePerson({ id, queryKey, tellOthers }: PersonSource) {
  const client = useQueryClient()
  return async ({ changes, version }: RecordSave<PersonField, NutzerRecord>): Promise<NutzerRecord> => {
    const fresh = () => selectOne<NutzerRecord>('benutzer', [eq('user_id', id)])
    const keep = async (row: NutzerRecord) => {
      // A pending earlier request must not overwrite this row.
      await client.cancelQueries({ queryKey, exact: true })
      client.setQueryData(queryKey, row)
      return row
    }
    const kept = client.getQueryData<NutzerRecord>(queryKey)
    // Unchanged fields are sent with the values of the version that the changes are based on.
    const base = kept?.version === version ? kept : await keep(await fresh())
    if (base.version !== version) throw changedMeanwhile(base)
    const wanted = pickColumns({ ...base, ...changes }, PERSON_INPUTS)
    try {
      await rpc('a_update_user', { user_id: id, ...wanted, version })
    } catch (error) {
      if (error instanceof ApiError && error.rule === 'changed_meanwhile')
        throw changedMeanwhile(await keep(await fresh()))
      throw error
    }
    const row = await keep(await fresh())
    void tellOthers(client, id)
    return row
  }
}
