// Fields of a draft's form: what may be typed, and how it becomes what the database stores. Amounts stay
// decimal strings throughout.
import type { Resolver } from 'react-hook-form'
import type { PositionInput } from '#contract/buchhaltung.ts'
import { decimal, formatDecimal, formatGerman, parseNumberInput, roundTo } from '#domain/geld.ts'
import type { RecordKind, RecordRow } from '../../record/record-kind.ts'
import { formatDate } from '../../ui/format.ts'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import {
  hasFaults,
  parseLines,
  positionValues,
  type PositionValues,
  printLines,
  rowOf,
} from './position/line.ts'
import { numberFault } from './number-words.ts'

/** What a field holds in the database, and its limits. */
export type FieldKind =
  | { readonly kind: 'zeile'; readonly longest: number; readonly leer?: null }
  | { readonly kind: 'text'; readonly longest: number }
  | { readonly kind: 'tag'; readonly required?: true }
  | {
      readonly kind: 'zahl'
      readonly decimals: number
      readonly integerDigits: number
      readonly most?: number
      /** Below zero as well, as far as `most`. */
      readonly allowNegative?: true
      readonly required?: true
    }
  | { readonly kind: 'ganz'; readonly most: number }
  | { readonly kind: 'wahl'; readonly werte: readonly string[] }
  | { readonly kind: 'skonto' }
  | { readonly kind: 'positionen' }

export interface FieldDef {
  readonly art: FieldKind
  readonly label: () => string
}
type Value = string | number | null
export type FieldTexts<F extends string> = Record<F, string>

/** Discount tiers as typed: days and per cent. */
export type SkontoText = readonly (readonly [tage: string, prozent: string])[]
/** Empty means the customer's. */
export function parseSkontoText(text: string): SkontoText | null {
  return text === '' ? null : (JSON.parse(text) as SkontoText)
}
export const printSkontoText = (tiers: SkontoText | null): string =>
  tiers === null ? '' : JSON.stringify(tiers)
const PERCENT = { decimals: 2, integerDigits: 2 }
const filled = (tiers: SkontoText): SkontoText =>
  tiers.filter(([days, percent]) => days.trim() !== '' || percent.trim() !== '')
export function skontoFault(text: string): string | null {
  const tiers = filled(parseSkontoText(text) ?? [])
  for (const [days, percent] of tiers) {
    if (!/^[1-9]\d{0,2}$/.test(days.trim())) return t('Tage: eine ganze Zahl von 1 bis 999.')
    const value = parseNumberInput(percent, PERCENT)
    if (typeof value === 'string') return numberFault(value, 2)
    if (value.wert === 0n) return t('Skonto: mehr als 0 und weniger als 100 %.')
  }
  return new Set(tiers.map(([days]) => days.trim())).size === tiers.length
    ? null
    : t('Zweimal dieselbe Zahl von Tagen.')
}
const skontoWire = (text: string): string | null => {
  const tiers = parseSkontoText(text)
  if (tiers === null) return null
  return JSON.stringify(
    filled(tiers)
      .map(([days, percent]) => {
        const value = parseNumberInput(percent, PERCENT)
        return {
          tage: Number(days),
          prozent: typeof value === 'string' ? '0.00' : formatDecimal(roundTo(value, 2)),
        }
      })
      .toSorted((a, b) => a.tage - b.tage),
  )
}

/** What is wrong with the typed text; null if nothing is. */
export function fieldFault(art: FieldKind, text: string): string | null {
  const typed = text.trim()
  switch (art.kind) {
    case 'zeile':
    case 'text':
      return [...typed].length > art.longest ? t('Höchstens {n} Zeichen.', { n: art.longest }) : null
    case 'tag':
      if (typed === '') return art.required ? t('Diese Angabe fehlt.') : null
      return parseDay(typed) === null ? t('Bitte ein Datum wie 31.12.2026.') : null
    case 'zahl': {
      if (typed === '' && !art.required) return null
      const value = parseNumberInput(typed, art)
      if (typeof value === 'string') return numberFault(value, art.decimals)
      if (art.most === undefined) return null
      const most = BigInt(art.most) * 10n ** BigInt(art.decimals)
      if (value.wert > most) return t('Höchstens {n}.', { n: String(art.most) })
      return value.wert < -most ? t('Mindestens {n}.', { n: `−${art.most}` }) : null
    }
    case 'ganz':
      if (typed === '') return null
      return /^\d{1,4}$/.test(typed) && Number(typed) <= art.most
        ? null
        : t('Eine ganze Zahl von 0 bis {n}.', { n: art.most })
    case 'wahl':
      return typed === '' || art.werte.includes(typed) ? null : t('Bitte wählen Sie einen Eintrag der Liste.')
    case 'skonto':
      return skontoFault(text)
    case 'positionen':
      return hasFaults(parseLines(text)) ? t('In den Positionen sind Angaben zu prüfen.') : null
  }
}

export function fieldValue(art: FieldKind, text: string): Value {
  const typed = text.normalize('NFC').trim()
  switch (art.kind) {
    case 'zeile':
      return typed === '' && art.leer === null ? null : typed
    case 'text':
      return text.normalize('NFC').replaceAll('\r\n', '\n')
    case 'tag':
      return parseDay(typed)
    case 'zahl': {
      const value = parseNumberInput(typed === '' ? '0' : typed, art)
      return typeof value === 'string' ? '0.00' : formatDecimal(roundTo(value, art.decimals))
    }
    case 'ganz':
      return typed === '' ? null : Number(typed)
    case 'wahl':
      return typed === '' ? null : typed
    case 'skonto':
      return skontoWire(text)
    case 'positionen':
      return printValues(parseLines(text).map(positionValues))
  }
}
/** All lines as one string, so that two versions can be compared. */
export const printValues = (rows: readonly PositionValues[]): string => JSON.stringify(rows)
/** Lines from the database, printed the way the editor prints them. */
export const printPositions = (rows: readonly PositionValues[]): string =>
  printValues(rows.map((row) => positionValues(rowOf(row))))
export const parseValues = (text: string): PositionValues[] => JSON.parse(text) as PositionValues[]

/**
 * For saving: a new line has no id, nor has one that `stored` no longer has, such as a deletion undone after it
 * was saved.
 */
export function inputsOf(text: string, stored: string): PositionInput[] {
  const known = new Set(parseValues(stored).map(({ id }) => id))
  return parseValues(text).map(({ id, ...values }) =>
    id === null || !known.has(id) ? values : { id, ...values },
  )
}

let lastValues = ''
let lastLines = ''
export function fieldText(art: FieldKind, value: Value): string {
  if (value === null) return ''
  switch (art.kind) {
    case 'tag':
      return formatDate(String(value))
    case 'zahl': {
      const number = decimal(String(value))
      return number.wert === 0n && !art.required ? '' : formatGerman(number)
    }
    case 'skonto':
      return printSkontoText(
        (JSON.parse(String(value)) as { tage: number; prozent: string }[]).map(({ tage, prozent }) => [
          String(tage),
          formatGerman(decimal(prozent)),
        ]),
      )
    case 'positionen': {
      // Cached, because it runs on every key of the form and the text is as long as the document.
      if (value !== lastValues) {
        lastLines = printLines(parseValues(String(value)).map(rowOf))
        lastValues = String(value)
      }
      return lastLines
    }
    default:
      return String(value)
  }
}

/** How a value appears in the conflict dialog. */
function shown(art: FieldKind, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (art.kind === 'positionen') {
    const rows = parseValues(String(value))
    const names = rows
      .slice(0, 6)
      .map(
        ({ anzahl, einheit, bez, ep }) =>
          `${formatGerman(decimal(anzahl))} ${einheit} ${bez} à ${formatGerman(decimal(ep), { atLeast: 2 })}`,
      )
    return [
      rows.length === 1 ? t('1 Zeile') : t('{n} Zeilen', { n: rows.length }),
      ...names,
      ...(rows.length > 6 ? ['…'] : []),
    ].join('\n')
  }
  if (art.kind === 'skonto')
    return (JSON.parse(String(value)) as { tage: number; prozent: string }[])
      .map(({ tage, prozent }) =>
        t('{tage} Tage {prozent} %', { tage, prozent: formatGerman(decimal(prozent)) }),
      )
      .join(', ')
  return fieldText(art, value as Value)
}

export function draftKind<F extends string, Row extends RecordRow<F>>(
  defs: Readonly<Record<F, FieldDef>>,
  {
    draftOf,
    changedBy,
  }: Pick<RecordKind<F, Row, FieldTexts<F>>, 'changedBy'> & { draftOf: (row: Row) => string },
  more: (values: FieldTexts<F>) => Partial<Record<F, string>> = () => ({}),
): RecordKind<F, Row, FieldTexts<F>> {
  const fields = Object.keys(defs) as F[]
  const resolver: Resolver<FieldTexts<F>> = (values) => {
    const errors: Record<string, { type: string; message: string }> = {}
    for (const field of fields) {
      const message = fieldFault(defs[field].art, values[field])
      if (message !== null) errors[field] = { type: 'feld', message }
    }
    for (const [field, message] of Object.entries(more(values) as Record<string, string>))
      errors[field] ??= { type: 'feld', message }
    return Object.keys(errors).length > 0 ? ({ values: {}, errors } as never) : { values, errors: {} }
  }
  return {
    fields,
    resolver,
    draftOf,
    changedBy,
    toValues: (row) =>
      Object.fromEntries(
        fields.map((field) => [field, fieldText(defs[field].art, row[field] as Value)]),
      ) as FieldTexts<F>,
    toFields: (values) =>
      Object.fromEntries(fields.map((field) => [field, fieldValue(defs[field].art, values[field])])) as Pick<
        Row,
        F
      >,
    label: (field) => defs[field].label(),
    show: (field, value) => shown(defs[field].art, value),
    check: () => undefined,
  }
}
