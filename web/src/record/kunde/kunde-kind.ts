// The customer for forms, conflict dialog and history.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Kunde } from '#contract/kunde.ts'
import type { RecordKind } from '../record-kind.ts'
import type { HistoryWords } from '../history-lines.ts'
import { t } from '../../ui/text.ts'
import { FORM_FIELDS, type FormField, fieldLabel, SETTING_FIELDS, showValue } from './kunde-fields.ts'
import { KundeSchema, type KundeValues, toFields, toValues } from './kunde-form.ts'

/** The failed database check of a field, explained for the person who typed. */
const checkText = (field: FormField): string | undefined =>
  ({
    name: t('Ein Name hat 1 bis 200 Zeichen und keinen Zeilenumbruch.'),
    strasse: t('Straße und Hausnummer haben 1 bis 200 Zeichen und keinen Zeilenumbruch.'),
    plz: t('Eine Postleitzahl hat fünf Ziffern, zum Beispiel 01067.'),
    ort: t('Ein Ort hat 1 bis 200 Zeichen und keinen Zeilenumbruch.'),
    bundesland: t('Bitte wählen Sie ein Bundesland der Liste.'),
    epsg: t('Dieses Koordinatensystem wird nicht unterstützt. Bitte wählen Sie eines der Liste.'),
    ap_tel: t('Bitte 3 bis 40 Zeichen: Ziffern, Leerzeichen und + ( ) / . -'),
  })[field as string]

export const KUNDE: RecordKind<FormField, Kunde, KundeValues> = {
  draftOf: ({ client_id }) => `kunde/${client_id}`,
  fields: FORM_FIELDS,
  resolver: standardSchemaResolver(KundeSchema),
  toValues,
  toFields,
  label: fieldLabel,
  show: showValue,
  check: checkText,
  changedBy: (values) =>
    t(
      '{who} hat diesen Kunden am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}

export const KUNDE_WORDS: HistoryWords = {
  order: [...FORM_FIELDS, ...SETTING_FIELDS],
  hidden: ['client_id'],
  label: fieldLabel,
  show: showValue,
}
