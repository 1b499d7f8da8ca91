// The fields sent when changing many trees: only the chosen ones.
import type { HabitatBulkFields, HabitatStatus, HabitatState, MarkKind } from '#contract/habitat.ts'
import { parseNumber } from '#domain/import-values.ts'
import { parseDay } from '../../ui/parse-day.ts'
import { LEVEL_FIELDS } from '../../record/habitat/habitat-words.ts'

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
export const bulkFieldsOf = (werte: BulkValues): HabitatBulkFields => ({
  ...(werte.status !== '' && { status: werte.status }),
  ...(werte.zustand !== '' && { zustand: werte.zustand }),
  ...(werte.kawm !== '' && { kawm: werte.kawm === 'ja' }),
  ...(werte.markierung === 'keine' && { markierung_art: null, markierung_datum: null }),
  ...(werte.markierung !== '' &&
    werte.markierung !== 'keine' && {
      markierung_art: werte.markierung,
      markierung_datum: werte.markierung_datum.trim() === '' ? null : parseDay(werte.markierung_datum),
    }),
  ...(werte.adresse && {
    ...(Object.fromEntries(LEVEL_FIELDS.map((feld) => [feld, textOf(werte[feld])])) as Record<
      LevelField,
      string | null
    >),
    iSTAND: werte.iSTAND.trim() === '' ? null : Number(parseNumber(werte.iSTAND)),
  }),
})

export interface Checker {
  readonly tag: (text: string) => string | undefined
  readonly stand: (text: string) => string | undefined
}
/** Checks only what is sent. */
export const bulkFaults = (
  werte: BulkValues,
  { tag, stand }: Checker,
): { markierung_datum: string | undefined; iSTAND: string | undefined } => ({
  markierung_datum:
    werte.markierung !== '' && werte.markierung !== 'keine' && werte.markierung_datum.trim() !== ''
      ? tag(werte.markierung_datum)
      : undefined,
  iSTAND: werte.adresse && werte.iSTAND.trim() !== '' ? stand(werte.iSTAND) : undefined,
})
