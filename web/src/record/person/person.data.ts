// Saving personal data: as a whole, and never over what somebody else has changed meanwhile.
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { NutzerRecord } from '#contract/nutzer.ts'
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
  /** Under which the page keeps the record. */
  readonly queryKey: QueryKey
  /** After a save: everything else that shows the person. */
  readonly tellOthers: (client: QueryClient, id: string) => unknown
}

/** Saves personal data as a whole; rejects with changed_meanwhile when the record has another version by now. */
export function useSavePerson({ id, queryKey, tellOthers }: PersonSource) {
  const client = useQueryClient()
  return async ({ changes, version }: RecordSave<PersonField, NutzerRecord>): Promise<NutzerRecord> => {
    const fresh = () => selectOne<NutzerRecord>('benutzer', [eq('user_id', id)])
    const keep = async (row: NutzerRecord) => {
      // What was asked for before is older than this and must not arrive after it.
      await client.cancelQueries({ queryKey, exact: true })
      client.setQueryData(queryKey, row)
      return row
    }
    const kept = client.getQueryData<NutzerRecord>(queryKey)
    // What is left out of the changes is sent as it stands in the very version that they are based on.
    const base = kept?.version === version ? kept : await keep(await fresh())
    if (base.version !== version) throw changedMeanwhile(base)
    const { first_name, last_name, mail, geb, geschlecht } = { ...base, ...changes }
    try {
      await rpc('a_update_user', { user_id: id, first_name, last_name, mail, geb, geschlecht, version })
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
