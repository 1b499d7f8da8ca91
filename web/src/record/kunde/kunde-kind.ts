// The customer for forms, conflict dialog and history.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import type { Kunde } from '#contract/kunde.ts'
import { countryName } from '#domain/countries.ts'
import { kundeField } from '#domain/kunde-fields.ts'
import { textOf } from '../declared.ts'
import type { RecordKind } from '../record-kind.ts'
import type { HistoryWords } from '../history-lines.ts'
import { t } from '../../ui/text.ts'
import { FORM_FIELDS, type FormField, fieldLabel, SETTING_FIELDS, showValue } from './kunde-fields.ts'
import { KundeSchema, type KundeValues, plzFault, toFields, toValues } from './kunde-form.ts'

/** Lists show no country and load no names of countries. */
const show = (field: string, value: unknown): string =>
  field === 'land' ? countryName(String(value)) : showValue(field, value)

const checked = standardSchemaResolver(KundeSchema)
/** The schema leaves out what concerns two fields while another one is empty. */
const resolver: Resolver<KundeValues> = async (values, context, options) => {
  const read = await checked(values, context, options)
  const message = plzFault(values)
  if (message === null || 'plz' in read.errors) return read
  return { values: {}, errors: { ...read.errors, plz: { type: 'land', message } } }
}

export const KUNDE: RecordKind<FormField, Kunde, KundeValues> = {
  draftOf: ({ client_id }) => `kunde/${client_id}`,
  fields: FORM_FIELDS,
  resolver,
  toValues,
  toFields,
  label: fieldLabel,
  show,
  check: (field) => textOf(kundeField(field), 'refused'),
  changedBy: (values) =>
    t(
      '{who} hat diesen Kunden am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}

export const KUNDE_WORDS: HistoryWords = {
  order: [...FORM_FIELDS, ...SETTING_FIELDS],
  hidden: ['client_id'],
  label: fieldLabel,
  show,
}
