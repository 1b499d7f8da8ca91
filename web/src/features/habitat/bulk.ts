// The fields sent when changing many trees: only the chosen ones.
import { LEVEL_FIELDS } from '#domain/habitatbaum-fields.ts'
import type { HabitatBulkFields, HabitatStatus, HabitatState, MarkKind } from '#contract/habitat.ts'
import { parseNumber } from '#domain/import-values.ts'
import { faultOf } from '../../record/habitat/tree-values.ts'
import { parseDay } from '../../ui/parse-day.ts'

type LevelField = (typeof LEVEL_FIELDS)[number]
/** '' leaves a field unchanged. */
export interface BulkValues extends Record<LevelField, string> {
  readonly status: HabitatStatus | ''
  readonly zustand: HabitatState | ''
  readonly kawm: 'ja' | 'nein' | ''
  readonly markierung: MarkKind | 'keine' | ''
  readonly markierung_datum: string
  readonly adresse: boolean
  readonly iSTAND: string
}
export const EMPTY_BULK: BulkValues = {
  status: '',
  zustand: '',
  kawm: '',
  markierung: '',
  markierung_datum: '',
  adresse: false,
  sLVL01: '',
  sLVL02: '',
  sLVL03: '',
  sLVL04: '',
  sLVL05: '',
  iSTAND: '',
}
const textOf = (text: string): string | null => (text.trim() === '' ? null : text.normalize('NFC').trim())

/** The address changes as a whole or not at all: half an old and half a new one would not be a place. */
export const bulkFieldsOf = (values: BulkValues): HabitatBulkFields => ({
  ...(values.status !== '' && { status: values.status }),
  ...(values.zustand !== '' && { zustand: values.zustand }),
  ...(values.kawm !== '' && { kawm: values.kawm === 'ja' }),
  ...(values.markierung === 'keine' && { markierung_art: null, markierung_datum: null }),
  ...(values.markierung !== '' &&
    values.markierung !== 'keine' && {
      markierung_art: values.markierung,
      markierung_datum: values.markierung_datum.trim() === '' ? null : parseDay(values.markierung_datum),
    }),
  ...(values.adresse && {
    ...(Object.fromEntries(LEVEL_FIELDS.map((field) => [field, textOf(values[field])])) as Record<
      LevelField,
      string | null
    >),
    iSTAND: values.iSTAND.trim() === '' ? null : Number(parseNumber(values.iSTAND)),
  }),
})

/** Checks only what is sent. */
export const bulkFaults = (
  values: BulkValues,
): { markierung_datum: string | undefined; iSTAND: string | undefined } => ({
  markierung_datum:
    values.markierung !== '' && values.markierung !== 'keine'
      ? faultOf('markierung_datum', values.markierung_datum)
      : undefined,
  iSTAND: values.adresse ? faultOf('iSTAND', values.iSTAND) : undefined,
})
