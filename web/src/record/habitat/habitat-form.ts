// Validation of a tree's form, with texts for the person typing; the database checks the same
// (db/nouns/habitat.sql) and has the last word.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as z from 'zod/mini'
import { parseNumber } from '#domain/import-values.ts'
import type { RecordKind } from '../record-kind.ts'
import type { HistoryWords } from '../history-lines.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'
import type { Tree, TreeField, TreeValues } from './tree.ts'
import {
  kindText,
  fieldLabel,
  MARKS,
  markName,
  METHODS,
  methodName,
  STATUS,
  statusName,
  LOSSES,
  lossName,
  STATES,
  stateName,
} from './habitat-words.ts'
import { structureNames, structuresOf } from './structures-text.ts'
import { HABITAT_SPECIES } from '#domain/habitat/species.ts'

export const TREE_FIELDS = [
  'nummer',
  'art',
  'art_text',
  'bhd_cm',
  'hoehe_m',
  'zustand',
  'status',
  'strukturen',
  'markierung_art',
  'markierung_datum',
  'lat',
  'lon',
  'genauigkeit_m',
  'lage_methode',
  'sLVL01',
  'sLVL02',
  'sLVL03',
  'sLVL04',
  'sLVL05',
  'iSTAND',
  'erfasst_am',
  'erfasser',
  'kawm',
  'bemerkung',
  'verlust_datum',
  'verlust_grund',
] as const satisfies readonly TreeField[]
export type TreeFormField = (typeof TREE_FIELDS)[number]
export type TreeFormValues = Record<Exclude<TreeFormField, 'kawm'>, string> & { kawm: boolean }

const DAYS = ['markierung_datum', 'erfasst_am', 'verlust_datum'] as const
const NUMBERS = ['bhd_cm', 'hoehe_m', 'genauigkeit_m', 'iSTAND'] as const
const isDay = (field: string): boolean => (DAYS as readonly string[]).includes(field)
const isNumber = (field: string): boolean => (NUMBERS as readonly string[]).includes(field)

const tidy = (text: string): string => text.normalize('NFC').trim()

/** 51,1234567 and 51.1234567°; null if these are no degrees. A dot is never a thousands separator here. */
export function parseDegrees(text: string): number | null {
  const plain = text.trim().replace(/\s*°$/, '').replace(',', '.')
  if (!/^\d{1,3}(?:\.\d{1,15})?$/.test(plain)) return null
  return Math.round(Number(plain) * 1e7) / 1e7
}
export const degreesText = (grad: number): string => String(grad).replace('.', ',')

const line = (longest: number) =>
  z.string().check(
    z.overwrite<string>(tidy),
    z.refine((text) => Array.from(text).length <= longest, {
      error: () => t('Höchstens {n} Zeichen.', { n: longest }),
    }),
    z.refine((text) => !/\p{Cc}/u.test(text), {
      error: () => t('Bitte ohne Zeilenumbruch und Steuerzeichen.'),
    }),
  )
const choice = (list: readonly string[], missing = () => t('Bitte wählen Sie einen Eintrag der Liste.')) =>
  z.string().check(z.refine((text) => list.includes(text), { error: missing }))
const amount = (from: number, to: number, digits: number, fault: () => string) =>
  z.string().check(
    z.refine(
      (text) => {
        if (text.trim() === '') return true
        const number = Number(parseNumber(text) ?? Number.NaN)
        return (
          number >= from &&
          number <= to &&
          Math.abs(number - Math.round(number * 10 ** digits) / 10 ** digits) < 1e-9
        )
      },
      { error: fault },
    ),
  )
/** Allows tomorrow too, because the clocks of person and server may differ around midnight. */
const day = (needed: boolean) =>
  z.string().check(
    z.refine((text) => !needed || text.trim() !== '', { error: () => t('Diese Angabe fehlt.'), abort: true }),
    z.refine((text) => text.trim() === '' || parseDay(text) !== null, {
      error: () => dayExpected(),
      abort: true,
    }),
    z.refine(
      (text) => text.trim() === '' || (parseDay(text)! >= '1950-01-01' && parseDay(text)! <= dayAhead(1)),
      {
        error: () => t('Bitte einen Tag zwischen 1950 und heute.'),
      },
    ),
  )
const degrees = (from: number, to: number, fault: () => string) =>
  z.string().check(
    z.refine((text) => text.trim() !== '', {
      error: () => t('Diese Angabe fehlt. Tippen Sie auf die Karte oder geben Sie Grad ein.'),
      abort: true,
    }),
    z.refine((text) => parseDegrees(text) !== null, {
      error: () => t('Bitte Grad mit Nachkommastellen, zum Beispiel 51,1234567.'),
      abort: true,
    }),
    z.refine((text) => parseDegrees(text)! >= from && parseDegrees(text)! <= to, { error: fault }),
  )

export const TreeSchema = z
  .object({
    nummer: line(40),
    art: choice(
      HABITAT_SPECIES.map(({ code }) => code),
      () => t('Bitte wählen Sie die Baumart.'),
    ),
    art_text: line(100),
    bhd_cm: amount(0.1, 500, 1, () =>
      t('Bitte Zentimeter von 0,1 bis 500 mit höchstens einer Nachkommastelle.'),
    ),
    hoehe_m: amount(0.1, 80, 1, () => t('Bitte Meter von 0,1 bis 80 mit höchstens einer Nachkommastelle.')),
    zustand: choice(STATES),
    status: choice(STATUS),
    strukturen: z.string(),
    markierung_art: choice(['', ...MARKS]),
    markierung_datum: day(false),
    lat: degrees(45, 57, () =>
      t('Die Breite liegt hier zwischen 45 und 57 Grad. Vielleicht sind Länge und Breite vertauscht.'),
    ),
    lon: degrees(3, 18, () =>
      t('Die Länge liegt hier zwischen 3 und 18 Grad. Vielleicht sind Länge und Breite vertauscht.'),
    ),
    genauigkeit_m: amount(0, 99_999, 2, () => t('Bitte Meter ab 0, zum Beispiel 2,5.')),
    lage_methode: choice(METHODS),
    sLVL01: line(60),
    sLVL02: line(60),
    sLVL03: line(60),
    sLVL04: line(60),
    sLVL05: line(60),
    iSTAND: amount(0, 1_000_000, 0, () => t('Bitte eine ganze Zahl von 0 bis 1.000.000.')),
    erfasst_am: day(true),
    erfasser: line(200),
    kawm: z.boolean(),
    bemerkung: z.string().check(
      z.overwrite<string>(tidy),
      z.refine((text) => Array.from(text).length <= 2000, {
        error: () => t('Höchstens {n} Zeichen.', { n: '2.000' }),
      }),
      // oxlint-disable-next-line no-control-regex
      z.refine((text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text), {
        error: () => t('Bitte ohne Steuerzeichen.'),
      }),
    ),
    verlust_datum: day(false),
    verlust_grund: choice(['', ...LOSSES]),
  })
  .check(
    z.refine(({ art, art_text }) => art !== 'sonstige' || art_text !== '', {
      path: ['art_text'],
      error: () => t('Bitte schreiben Sie dazu, welche Baumart es ist.'),
    }),
    z.refine(
      ({ markierung_art, markierung_datum }) => markierung_datum.trim() === '' || markierung_art !== '',
      {
        path: ['markierung_art'],
        error: () => t('Zum Datum der Markierung gehört ihre Art.'),
      },
    ),
    z.refine(({ verlust_datum, verlust_grund }) => verlust_grund === '' || verlust_datum.trim() !== '', {
      path: ['verlust_datum'],
      error: () => t('Zum Grund des Verlusts gehört sein Datum.'),
    }),
    z.refine(({ verlust_datum, verlust_grund }) => verlust_datum.trim() === '' || verlust_grund !== '', {
      path: ['verlust_grund'],
      error: () => t('Zum Datum des Verlusts gehört sein Grund.'),
    }),
  )
export const treeResolver = standardSchemaResolver(TreeSchema)

function textOf(field: TreeFormField, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isDay(field)) return formatDate(value as string)
  if (field === 'lat' || field === 'lon') return degreesText(Number(value))
  if (field === 'iSTAND') return String(value)
  return isNumber(field) ? formatNumber(value as number) : String(value)
}
function valueOf(field: TreeFormField, text: string): string | number | null {
  const typed = tidy(text)
  if (field === 'strukturen') return typed
  if (typed === '') return null
  if (isDay(field)) return parseDay(typed)
  if (field === 'lat' || field === 'lon') return parseDegrees(typed)
  return isNumber(field) ? Number(parseNumber(typed)) : typed
}
export const toTreeValues = (values: TreeFormValues): TreeValues =>
  Object.fromEntries(
    TREE_FIELDS.map((field) => [field, field === 'kawm' ? values.kawm : valueOf(field, values[field])]),
  ) as unknown as TreeValues
export const toTreeFormValues = (baum: TreeValues): TreeFormValues =>
  Object.fromEntries(
    TREE_FIELDS.map((field) => [field, field === 'kawm' ? baum.kawm : textOf(field, baum[field])]),
  ) as TreeFormValues

export const newTree = (erfasser: string): TreeFormValues => ({
  ...(Object.fromEntries(TREE_FIELDS.map((field) => [field, ''])) as Omit<TreeFormValues, 'kawm'>),
  zustand: 'lebend',
  status: 'baum',
  lage_methode: 'karte',
  erfasst_am: formatDate(today()),
  erfasser,
  kawm: true,
})

export function showValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  const text = String(value)
  if (field === 'strukturen')
    return structureNames(typeof value === 'string' ? structuresOf(value) : (value as never))
  if (field === 'art') return kindText(text, null)
  if (field === 'zustand') return stateName(text as never)
  if (field === 'status') return statusName(text as never)
  if (field === 'markierung_art') return markName(text as never)
  if (field === 'lage_methode') return methodName(text as never)
  if (field === 'verlust_grund') return lossName(text as never)
  if (field === 'kawm') return value === true ? t('ja') : t('nein')
  if (field === 'lat' || field === 'lon') return `${degreesText(Number(value))}°`
  if (isDay(field)) return formatDate(text)
  if (field === 'bhd_cm') return `${formatNumber(text)} cm`
  if (field === 'hoehe_m' || field === 'genauigkeit_m') return `${formatNumber(text)} m`
  return text
}

export const checkText = (field: string): string | undefined =>
  ({
    bhd_cm: t('Bitte Zentimeter von 0,1 bis 500 mit höchstens einer Nachkommastelle.'),
    hoehe_m: t('Bitte Meter von 0,1 bis 80 mit höchstens einer Nachkommastelle.'),
  })[field]

export const treeKind = (ebenen: readonly string[]): RecordKind<TreeFormField, Tree, TreeFormValues> => ({
  draftOf: ({ id }) => `habitatbaum/${id}`,
  fields: TREE_FIELDS,
  resolver: treeResolver,
  toValues: (baum) => toTreeFormValues(baum as TreeValues),
  toFields: (values) => toTreeValues(values) as Pick<Tree, TreeFormField>,
  label: (field) => fieldLabel(field, ebenen),
  show: showValue,
  check: checkText,
  changedBy: (values) =>
    t(
      '{who} hat diesen Habitatbaum am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
})

export const treeWords = (ebenen: readonly string[]): HistoryWords => ({
  order: TREE_FIELDS,
  hidden: [
    'id',
    'kennung',
    'client_id',
    'idHQ',
    'lage',
    'g3857',
    'struktur_suche',
    'sortname',
    'suchtext',
    'angelegt_am',
    'angelegt_von',
  ],
  label: (field) => fieldLabel(field, ebenen),
  show: showValue,
})
