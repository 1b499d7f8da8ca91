// A walked border waiting to be sent (capture-rules.ts). It is captured once and sent as a proposal: who opens it
// again before that sees it and may discard it.
import type { BorderCapture, BorderRow, BorderValues } from '#contract/border.ts'
import { t } from '../../ui/text.ts'
import { type CaptureKind, CaptureRules, emptyEntry, type Who } from './capture-rules.ts'
import type { BorderEntry } from './fieldwork-db.ts'

const FIELDS = [
  'bestand_id',
  'fassung',
  'sLVL01',
  'sLVL02',
  'sLVL03',
  'sLVL04',
  'sLVL05',
  'iSTAND',
  'lage',
  'spur',
  'toleranz_m',
  'bemerkung',
  'erfasst_am',
] as const satisfies readonly (keyof BorderValues)[]

const pick = (from: Partial<BorderValues>): Partial<BorderValues> =>
  Object.fromEntries(FIELDS.filter((field) => field in from).map((field) => [field, from[field]]))
const EMPTY: BorderValues = {
  bestand_id: null,
  fassung: null,
  lage: '',
  spur: '',
  toleranz_m: 1,
  bemerkung: null,
  erfasst_am: '',
}
const KIND: CaptureKind<BorderRow, BorderValues, BorderCapture & { kontrollen?: [] }, BorderEntry> = {
  fields: FIELDS,
  groupOf: () => FIELDS,
  // The server's answer is without the line; nothing is ever compared with it.
  valuesOf: (row) => ({ ...EMPTY, ...pick(row as unknown as BorderValues) }),
  valuesOfSent: pick,
  sentOf: ({ kennung, idHQ, werte }) => ({
    kennung,
    version: null,
    tabelle: 'grenzvorschlag',
    idHQ,
    ...EMPTY,
    ...werte,
  }),
  seenAs: (row) => row,
  empty: EMPTY,
}
export const BORDERS = new CaptureRules(KIND)

export const borderNew = (who: Who, values: BorderValues): BorderEntry => ({
  ...emptyEntry(who),
  tabelle: 'grenzvorschlag',
  werte: values,
})
export const borderValuesOf = (entry: BorderEntry): BorderValues => BORDERS.viewed(null, entry)

export function borderName({
  sLVL01,
  sLVL02,
  sLVL03,
  sLVL04,
  sLVL05,
  iSTAND,
}: Partial<BorderValues>): string {
  // As domain/bestand.ts writes an address without names of levels; the pages that name entries do not load it.
  const parts = [sLVL01, sLVL02, sLVL03, sLVL04, sLVL05, iSTAND].filter((part) => part != null && part !== '')
  return t('Grenze {stand}', { stand: parts.join(' / ') })
}
