// Display names and values of a customer's fields. Used by form, list, export, history and conflict dialog.
import type { Kunde } from '#contract/kunde.ts'
import { epsgName } from '#domain/epsg.ts'
import { t } from '../../ui/text.ts'

/** Fields that are saved together, in page sequence. */
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
/** Saved one by one, each with its own procedure. */
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

/** A column's German name; unknown columns keep their own. */
export const fieldLabel = (field: string): string => labels()[field] ?? field

export const contactName = (kunde: Pick<Kunde, 'ap_gender' | 'ap_vorname' | 'ap_nachname'>): string =>
  [kunde.ap_gender === 'divers' ? null : kunde.ap_gender, kunde.ap_vorname, kunde.ap_nachname]
    .filter((part) => part !== null && part !== '')
    .join(' ')

export const katasterName = (on: boolean): string => (on ? t('an') : t('aus'))

/** A value as displayed; empty if there is none. */
export function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (field === 'epsg') return epsgName(Number(value))
  if (typeof value === 'boolean') return katasterName(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
