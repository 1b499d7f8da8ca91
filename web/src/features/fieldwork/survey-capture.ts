// A survey object waiting to be sent (capture-rules.ts), and how the person sees it.
import type { SurveyCapture, SurveyRow } from '#contract/vermessung.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import { BORDERS } from './border-capture.ts'
import { type CaptureKind, CaptureRules, emptyEntry, type Who } from './capture-rules.ts'
import { TREES } from './capture.ts'
import type {
  AnyCapture,
  CaptureState,
  EntryTable,
  FieldworkObject,
  Identifier,
  ObjectCapture,
} from './fieldwork-db.ts'
import {
  NO_VALUES,
  SURVEY_INPUTS,
  surveyFieldsOf,
  surveyValuesOf,
  type SurveyValues,
} from '../../record/kataster/survey-values.ts'

/** Where it is, and what a receiver said of it. */
const PLACE: readonly string[] = ['lage', 'genauigkeit_cm', 'lage_fix', 'genauigkeit_geschaetzt']
const KIND: CaptureKind<SurveyRow, SurveyValues, SurveyCapture & { kontrollen?: [] }, ObjectCapture> = {
  fields: SURVEY_INPUTS,
  // Nobody deletes what somebody else has changed without seeing it.
  groupOf: (field) =>
    field === 'geloescht' || field === 'loeschgrund'
      ? SURVEY_INPUTS
      : PLACE.includes(field)
        ? PLACE
        : [field],
  valuesOf: surveyValuesOf,
  valuesOfSent: (sent) =>
    Object.fromEntries(
      Object.entries(sent).filter(([field]) => SURVEY_INPUTS.includes(field)),
    ) as SurveyValues,
  sentOf: ({ kennung, version, tabelle, idHQ, basis, werte }) => ({
    kennung,
    version,
    tabelle,
    ...(version === null && { client_id: -idHQ }),
    ...surveyFieldsOf(tabelle, {
      // Sent with every place: what is left out, the server takes for unknown.
      ...(basis !== null &&
        'lage' in werte &&
        pick(surveyValuesOf(basis), ['lage_fix', 'genauigkeit_geschaetzt'])),
      ...werte,
      // Captured before the device asked for a reason. It is stored, so it is in the language of the data.
      ...(werte['geloescht'] === true && { loeschgrund: werte['loeschgrund'] ?? 'ohne Angabe' }),
    }),
  }),
  seenAs: (row, values) => ({ ...row, ...values }),
  empty: NO_VALUES,
}
const pick = (values: SurveyValues, fields: readonly string[]): Partial<SurveyValues> =>
  Object.fromEntries(fields.map((field) => [field, values[field] ?? null]))
export const OBJECTS = new CaptureRules(KIND)

export const surveyNew = (who: Who, table: Table, values: Partial<SurveyValues>): ObjectCapture => ({
  ...emptyEntry(who),
  tabelle: table,
  werte: values,
})

type AnyRules = CaptureRules<{ version: number }, object, object, AnyCapture & { unterwegs: object | null }>
/** The rules of an entry's kind; the queue treats all kinds alike. */
export const rulesOf = ({ tabelle }: { readonly tabelle?: EntryTable }): AnyRules =>
  (tabelle === undefined ? TREES : tabelle === 'grenzvorschlag' ? BORDERS : OBJECTS) as unknown as AnyRules

/** An object as the person on this device sees it. */
export interface ObjectView {
  readonly kennung: Identifier
  readonly idHQ: number
  readonly tabelle: Table
  readonly werte: SurveyValues
  /** Null if nothing is pending. */
  readonly stand: CaptureState | null
}
export function objectViewOf(
  object: FieldworkObject | undefined,
  capture: ObjectCapture | undefined,
): ObjectView | null {
  const found = object ?? capture
  if (found === undefined) return null
  const { kennung, idHQ, tabelle } = found
  const fieldValues = OBJECTS.viewed(object?.baum ?? capture?.basis ?? null, capture)
  return { kennung, idHQ, tabelle, werte: fieldValues, stand: capture?.stand ?? null }
}
