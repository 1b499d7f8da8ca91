// A customer's fields as people know them: name, section, how they are written, what is allowed. Form, list, export, history and the comparison after a conflict read this table.
import type { Kunde } from '#contract/kunde.ts'
import { epsgName } from '#domain/epsg.ts'
import { t } from '../../ui/text.ts'

/** Fields that are saved together, in the order in which they stand on the page. */
export const FORM_FIELDS = [
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'bundesland',
  'ap_gender',
  'ap_vorname',
  'ap_nachname',
  'ap_tel',
  'epsg',
] as const satisfies readonly (keyof Kunde)[]
export type FormField = (typeof FORM_FIELDS)[number]
/** Switched one by one, each by its own procedure. */
export const SETTING_FIELDS = ['kataster_status', 'ordner'] as const satisfies readonly (keyof Kunde)[]
export const CONTACT_FIELDS = [
  'ap_gender',
  'ap_vorname',
  'ap_nachname',
  'ap_tel',
] as const satisfies readonly FormField[]

const labels = (): Readonly<Record<string, string>> => ({
  client_id: t('Kundennummer'),
  name: t('Name'),
  name_zusatz: t('Namenszusatz'),
  strasse: t('Straße und Hausnummer'),
  plz: t('PLZ'),
  ort: t('Ort'),
  bundesland: t('Bundesland'),
  epsg: t('Koordinatensystem'),
  ap_gender: t('Anrede'),
  ap_vorname: t('Vorname'),
  ap_nachname: t('Nachname'),
  ap_tel: t('Telefon'),
  ordner: t('Projektordner'),
  kataster_status: t('Kataster'),
  geaendert_am: t('Geändert am'),
  geaendert_von: t('Geändert von'),
})

/** A column's German name; a column that this page does not know yet keeps its own. */
export const fieldLabel = (field: string): string => labels()[field] ?? field

export const contactName = (kunde: Pick<Kunde, 'ap_gender' | 'ap_vorname' | 'ap_nachname'>): string =>
  [kunde.ap_gender === 'divers' ? null : kunde.ap_gender, kunde.ap_vorname, kunde.ap_nachname]
    .filter((part) => part !== null && part !== '')
    .join(' ')

export const katasterName = (on: boolean): string => (on ? t('an') : t('aus'))

/** A value as it is read on screen; empty text where there is none. */
export function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field === 'epsg') return epsgName(Number(value))
  if (typeof value === 'boolean') return katasterName(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
