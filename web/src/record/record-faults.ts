// Assigns the faults of a refused save to their fields.
import { ApiError } from '../data/api-error.ts'
import { t } from '../ui/text.ts'

export interface SaveFaults<F extends string> {
  readonly fields: Partial<Record<F, string>>
  /** Faults that belong to no single field; null if there are none. */
  readonly form: string | null
}

export const saveFailed = (): string =>
  t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.')
/** A general message, if there is no field to show it at. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : saveFailed()

/** "permission denied for columns epsg, plz of kunde" → those fields. */
function forbiddenFields(error: ApiError): string[] {
  if (error.rule !== 'columns') return []
  return (/columns (.+) of \w+/.exec(error.detail ?? '')?.[1] ?? '').split(', ')
}

export function saveFaults<F extends string>(
  error: unknown,
  formFields: readonly F[],
  check: (field: F) => string | undefined,
): SaveFaults<F> {
  if (!(error instanceof ApiError)) return { fields: {}, form: saveFailed() }
  const isFormField = (field: string): field is F => (formFields as readonly string[]).includes(field)
  const forbidden = forbiddenFields(error).filter(isFormField)
  if (forbidden.length > 0)
    return {
      fields: Object.fromEntries(
        forbidden.map((field) => [field, t('Dieses Feld dürfen Sie nicht ändern.')]),
      ) as Partial<Record<F, string>>,
      form: error.message,
    }
  const told: Partial<Record<F, string>> = {}
  for (const { field, message } of error.fields)
    if (isFormField(field)) told[field] = error.origin === '23514' ? (check(field) ?? message) : message
  const named = error.fields.filter(({ field }) => isFormField(field)).length
  return { fields: told, form: named > 0 && named === error.fields.length ? null : error.message }
}
