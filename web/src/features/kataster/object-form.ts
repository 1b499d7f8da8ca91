// The form of a survey object in the office: the fields of the imports and the field mode, and the place. And its
// history in words.
import type { FieldErrors, Resolver } from 'react-hook-form'
import type { HistoryEntry } from '#contract/history.ts'
import type { VermessungsObject } from '#contract/vermessung.ts'
import { fieldsOf, type Table } from '#domain/vermessung/fields.ts'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { actionName, type HistoryWords } from '../../record/history-lines.ts'
import type { RecordKind } from '../../record/record-kind.ts'
import { fieldName } from '../../record/kataster/kataster-words.ts'
import { parsePlaceText, showPlaces } from './place-text.ts'
import { inputsOf, parseInputs, showSurveyValue } from '../../record/kataster/survey-form.ts'
import type { SurveyValues } from '../../record/kataster/survey-values.ts'

/** A row as the form needs it: with its place as text, and who changed it last. */
export type ObjectRow = Omit<VermessungsObject, 'geaendert_am'> & {
  readonly lage: string
  readonly geaendert_am: string
  readonly geaendert_von: string | null
} & Readonly<Record<string, unknown>>
export type ObjectFormValues = Record<string, string>

export const objectFields = (table: Table): readonly string[] => [
  ...fieldsOf(table).map(({ name }) => name),
  'lage',
]
/** Said by a receiver of the place, not typed; a place that is set by hand loses it. */
export const SAID_OF_PLACE = ['lage_fix', 'genauigkeit_geschaetzt'] as const

const labelOf = (field: string): string => (field === 'lage' ? t('Lage') : fieldName(field))
const showOf =
  (table: Table) =>
  (field: string, value: unknown): string =>
    field === 'lage' && typeof value === 'string' ? showPlaces(value) : showSurveyValue(table, field, value)

/** What nobody has touched is what is stored: an import may have brought a line that nobody could type. */
export const placeOfText = (table: Table, typed: string, stored: string) =>
  typed === showPlaces(stored) && stored !== '' ? { lage: stored } : parsePlaceText(table, typed)

const resolverOf =
  (table: Table, stored: string): Resolver<ObjectFormValues> =>
  (values) => {
    const { faults } = parseInputs(table, values)
    const place = placeOfText(table, values['lage'] ?? '', stored)
    const all: Record<string, string> = { ...faults, ...('fault' in place && { lage: place.fault }) }
    const errors = Object.fromEntries(
      Object.entries(all).map(([field, message]) => [field, { type: 'check', message }]),
    ) as FieldErrors<ObjectFormValues>
    return Object.keys(all).length === 0 ? { values, errors: {} } : { values: {}, errors }
  }

/** `stored`: its place when the form was opened. */
export const objectKind = (
  table: Table,
  stored: string,
): RecordKind<string, ObjectRow, ObjectFormValues> => ({
  draftOf: ({ kennung }) => `vermessung/${kennung}`,
  fields: objectFields(table),
  resolver: resolverOf(table, stored),
  toValues: (row) => ({
    ...inputsOf(table, row as Partial<SurveyValues>),
    lage: showPlaces(String(row['lage'] ?? '')),
  }),
  toFields: (values) => {
    const place = placeOfText(table, values['lage'] ?? '', stored)
    return {
      ...parseInputs(table, values).values,
      lage: 'lage' in place ? place.lage : '',
    } as unknown as ObjectRow
  },
  label: labelOf,
  show: showOf(table),
  check: () => undefined,
  changedBy: (values) =>
    t(
      '{who} hat dieses Objekt am {when} geändert, während Sie es bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
})

/** A place of the history, in metres of the survey's zone: POINT(380000 5930000). */
export function showGeometry(text: string): string {
  const numbers = text.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
  const [east = 0, north = 0] = numbers
  const first = t('Ost {e}, Nord {n}', { e: formatNumber(east, 2), n: formatNumber(north, 2) })
  return text.startsWith('POINT')
    ? first
    : t('Linie mit {n} Punkten, ab {first}', { n: formatNumber(numbers.length / 2), first })
}
const HIDDEN = [
  'id',
  'client_id',
  'kennung',
  'import_id',
  'karte_id',
  'laenge',
  'angelegt_am',
  'herkunft',
  'grund',
]
const objectWords = (table: Table): HistoryWords => ({
  order: ['geom', ...fieldsOf(table).map(({ name }) => name)],
  hidden: HIDDEN,
  label: (field) => (field === 'geom' ? t('Lage') : labelOf(field)),
  show: (field, value) =>
    field === 'geom' && typeof value === 'string'
      ? showGeometry(value)
      : showSurveyValue(table, field, value),
})
const PHOTO_LABELS = (): Readonly<Record<string, string>> => ({
  dateiname: t('Datei'),
  aufgenommen_am: t('Aufgenommen'),
  bemerkung: t('Bemerkung'),
})
const photoWords = (entry: HistoryEntry): HistoryWords => ({
  order: ['dateiname', 'aufgenommen_am', 'bemerkung'],
  hidden: Object.keys({ ...entry.alt, ...entry.neu }).filter((field) => !(field in PHOTO_LABELS())),
  label: (field) => PHOTO_LABELS()[field] ?? field,
  show: (field, value) =>
    value === null || value === undefined
      ? ''
      : field === 'aufgenommen_am'
        ? formatDateTime(String(value))
        : String(value),
})
export const historyWords =
  (table: Table) =>
  (entry: HistoryEntry): HistoryWords =>
    entry.tabelle === 'vermessungsbilder' ? photoWords(entry) : objectWords(table)
export const historyHeading = (entry: HistoryEntry): string =>
  entry.tabelle !== 'vermessungsbilder'
    ? typeof entry.neu?.['grund'] === 'string'
      ? t('Gelöscht, Grund: {grund}', { grund: entry.neu['grund'] })
      : actionName(entry.aktion)
    : entry.aktion === 'neu'
      ? t('Foto hinzugefügt')
      : entry.aktion === 'geloescht'
        ? t('Foto gelöscht')
        : t('Foto geändert')
