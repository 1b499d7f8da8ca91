// Saving by procedures that refuse an older version: on refusal the current row is loaded, as updateOne in
// data/rows.ts does for tables.
import { ApiError, errorText } from '../../data/api-error.ts'
import type { Versioned } from '../../data/rows.ts'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export async function saveVersioned<Answer, Row extends Versioned>(
  save: () => Promise<Answer>,
  fresh: () => Promise<Row | undefined>,
): Promise<Answer> {
  try {
    return await save()
  } catch (error) {
    if (!(error instanceof ApiError) || error.rule !== 'changed_meanwhile') throw error
    const current = await fresh()
    if (current === undefined) throw new ApiError('not_found', errorText('not_found'), { status: 404 })
    const message = t('Inzwischen geändert von {who} am {when}. Ihre Änderung wurde nicht gespeichert.', {
      who: current.geaendert_von ?? t('einer anderen Person'),
      when: formatDateTime(current.geaendert_am),
    })
    throw new ApiError('changed_meanwhile', message, { status: 409, current })
  }
}
