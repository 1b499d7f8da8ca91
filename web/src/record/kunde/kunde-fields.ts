// Display names and values of a customer's fields. Used by form, list, export, history and conflict dialog.
import type { Kunde } from '#contract/kunde.ts'
import { epsgName } from '#domain/epsg.ts'
import { columnsWith } from '#domain/fields.ts'
import { KUNDE_FIELDS, KUNDE_INPUTS, kundeField } from '#domain/kunde-fields.ts'
import { t } from '../../ui/text.ts'
import { labelsOf } from '../declared.ts'

/** Fields that are saved together, in page sequence. */
export const FORM_FIELDS = KUNDE_INPUTS
export type FormField = (typeof FORM_FIELDS)[number]
/** Saved one by one, each with its own procedure. */
export const SETTING_FIELDS = ['kataster_status', 'ordner'] as const satisfies readonly (keyof Kunde)[]
/** Fields that a role may change which may not change all of them. */
const fieldsChangedBy = (role: string): readonly FormField[] =>
  FORM_FIELDS.filter((field) => kundeField(field).changedBy?.includes(role))
/** The contact person's: the customer's own admins keep them up to date. */
export const CONTACT_FIELDS = fieldsChangedBy('kundenadmin')
export const TEAM_FIELDS = fieldsChangedBy('apus_team')
/** What lists of customers read. */
export const LISTED_FIELDS = columnsWith(KUNDE_FIELDS, 'label')
export type ListedKunde = Pick<Kunde, (typeof LISTED_FIELDS)[number]>

/** A column's German name; unknown columns keep their own. */
export const fieldLabel = labelsOf(KUNDE_FIELDS)

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
