// A customer's fields as people know them: name, section, how they are written, what is allowed. Form, list, export, history and the comparison after a conflict read this table.
import type { Kunde } from '#contract/kunde.ts'
import { t } from '../../ui/text.ts'
import { epsgName } from './kunde-values.ts'

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
export const CONTACT_FIELDS = ['ap_gender', 'ap_vorname', 'ap_nachname', 'ap_tel'] as const satisfies readonly FormField[]

const LABELS: Readonly<Record<string, string>> = {
  client_id: 'Kundennummer',
  name: 'Name',
  name_zusatz: 'Namenszusatz',
  strasse: 'Straße und Hausnummer',
  plz: 'PLZ',
  ort: 'Ort',
  bundesland: 'Bundesland',
  epsg: 'Koordinatensystem',
  ap_gender: 'Anrede',
  ap_vorname: 'Vorname',
  ap_nachname: 'Nachname',
  ap_tel: 'Telefon',
  ordner: 'Projektordner',
  kataster_status: 'Kataster',
  geaendert_am: 'Geändert am',
  geaendert_von: 'Geändert von',
}

/** A column's German name; a column that this page does not know yet keeps its own. */
export const fieldLabel = (field: string): string => t(LABELS[field] ?? field)

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
