// A refused save, told at the field it is about.
import { ApiError } from '../../data/api-error.ts'
import { t } from '../../ui/text.ts'
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'

export interface SaveFaults {
  readonly fields: Partial<Record<FormField, string>>
  /** What concerns no single field; null when the fields say it all. */
  readonly form: string | null
}

/** What the database's check of a field means to the person who typed. */
const CHECKS: Partial<Record<FormField, string>> = {
  name: 'Ein Name hat 1 bis 200 Zeichen und keinen Zeilenumbruch.',
  strasse: 'Straße und Hausnummer haben 1 bis 200 Zeichen und keinen Zeilenumbruch.',
  plz: 'Eine Postleitzahl hat fünf Ziffern, zum Beispiel 01067.',
  ort: 'Ein Ort hat 1 bis 200 Zeichen und keinen Zeilenumbruch.',
  bundesland: 'Bitte wählen Sie ein Bundesland der Liste.',
  epsg: 'Dieses Koordinatensystem wird nicht unterstützt. Bitte wählen Sie eines der Liste.',
  ap_tel: 'Bitte 3 bis 40 Zeichen: Ziffern, Leerzeichen und + ( ) / . -',
}
const isFormField = (field: string): field is FormField => (FORM_FIELDS as readonly string[]).includes(field)

/** "permission denied for columns epsg, plz of kunde" → those fields. */
function forbiddenFields(error: ApiError): FormField[] {
  if (error.rule !== 'columns') return []
  const list = /columns (.+) of kunde/.exec(error.detail ?? '')?.[1] ?? ''
  return list.split(', ').filter(isFormField)
}

export function saveFaults(error: unknown): SaveFaults {
  if (!(error instanceof ApiError)) return { fields: {}, form: t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.') }
  const forbidden = forbiddenFields(error)
  if (forbidden.length > 0)
    return { fields: Object.fromEntries(forbidden.map((field) => [field, t('Dieses Feld dürfen Sie nicht ändern.')])), form: error.message }
  const named = error.fields.filter(({ field }) => isFormField(field))
  const fields = Object.fromEntries(
    named.map(({ field, message }) => [field, error.origin === '23514' ? t(CHECKS[field as FormField] ?? message) : message]),
  )
  return { fields, form: named.length > 0 && named.length === error.fields.length ? null : error.message }
}
