// Validation of a headquarters' form; the database checks the same (0001_stammdaten.sql) and has the last
// word.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import type { Hq } from '#contract/hq.ts'
import { parseNumber } from '#domain/import-values.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import type { RecordKind } from '../record-kind.ts'
import { HQ_FIELDS, type HqField, hqLabel, showHqValue } from './hq-fields.ts'

export interface HqValues extends Record<HqField, string | boolean> {
  sHQ: string
  fb_enabled: boolean
  /** As typed; empty means none. */
  dtFE: string
  dcFLAEHB: string
}
export type HqFields = Pick<Hq, HqField>

/** Hectares as displayed in inputs. */
export const areaText = (hectares: number | string | null): string => formatNumber(hectares)
/** Hectares of a validated input; null if empty. */
export const hectaresOf = (text: string): number | null =>
  text.trim() === '' ? null : Number(parseNumber(text))

export const MOST_HECTARES = 1_000_000
/** What is wrong with typed hectares; undefined if nothing is. */
export function areaFault(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const number = parseNumber(text)
  if (number === null) return t('Bitte eine Zahl in Hektar, zum Beispiel 1.234,5.')
  if (Number(number) < 0) return t('Eine Fläche ist nicht negativ.')
  if (Number(number) >= MOST_HECTARES) return t('Diese Fläche ist zu groß. Ist die Einheit Hektar?')
  return undefined
}
/** What is wrong with a typed day; undefined if nothing is. */
export function dayFault(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const day = parseDay(text)
  if (day === null) return dayExpected()
  return day >= '1900-01-01' && day < '2100-01-01' ? undefined : t('Bitte einen Tag zwischen 1900 und 2099.')
}
/** ISO day of a validated input; null if empty. */
export const dayOf = (text: string): string | null => (text.trim() === '' ? null : parseDay(text))

const tidy = (text: string): string => text.normalize('NFC').trim()
export const HqSchema = z.object({
  sHQ: z.string().check(
    z.overwrite<string>(tidy),
    z.refine((text) => text !== '', {
      error: () => t('Bitte geben Sie den Namen des Forstbetriebs ein.'),
      abort: true,
    }),
    z.refine((text) => Array.from(text).length <= 200, {
      error: () => t('Höchstens {n} Zeichen.', { n: 200 }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  ),
  fb_enabled: z.boolean(),
  dtFE: z
    .string()
    .check(
      z.refine((text) => dayFault(text) === undefined, { error: ({ input }) => dayFault(String(input)) }),
    ),
  dcFLAEHB: z
    .string()
    .check(
      z.refine((text) => areaFault(text) === undefined, { error: ({ input }) => areaFault(String(input)) }),
    ),
})

export const NEW_HQ: HqValues = { sHQ: '', fb_enabled: true, dtFE: '', dcFLAEHB: '' }

export const toHqFields = ({ sHQ, fb_enabled, dtFE, dcFLAEHB }: HqValues): HqFields => ({
  sHQ: tidy(sHQ),
  fb_enabled,
  dtFE: dayOf(dtFE),
  dcFLAEHB: hectaresOf(dcFLAEHB),
})

const checkText = (field: HqField): string | undefined =>
  ({
    sHQ: t('Ein Name hat 1 bis 200 Zeichen und keinen Zeilenumbruch.'),
    dcFLAEHB: t('Eine Fläche liegt zwischen 0 und 1.000.000 ha.'),
  })[field as string]

export const HQ: RecordKind<HqField, Hq, HqValues> = {
  draftOf: ({ idHQ }) => `hq/${idHQ}`,
  fields: HQ_FIELDS,
  resolver: standardSchemaResolver(HqSchema),
  toValues: ({ sHQ, fb_enabled, dtFE, dcFLAEHB }) => ({
    sHQ,
    fb_enabled,
    dtFE: formatDate(dtFE),
    dcFLAEHB: areaText(dcFLAEHB),
  }),
  toFields: toHqFields,
  label: hqLabel,
  show: showHqValue,
  check: checkText,
  changedBy: (values) =>
    t(
      '{who} hat diesen Forstbetrieb am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}
