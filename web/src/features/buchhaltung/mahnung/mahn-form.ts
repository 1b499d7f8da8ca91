// What is typed for the reminders of some invoices: fee and due day of each, and the text of each level. Pure.
// The values are named as their inputs are.
import type { MahnListRow } from '#contract/zahlung.ts'
import { addDays, nextWorkday } from '#domain/day.ts'
import {
  add,
  compare,
  decimal,
  formatAmount,
  formatCents,
  formatDecimal,
  NULL,
  parseNumberInput,
  sign,
  subtract,
  sum,
} from '#domain/geld.ts'
import {
  type BaseRate,
  type InterestPeriod,
  interestPeriods,
  interestSum,
  LUMP_SUM,
  missingHalfYear,
} from '#domain/interest.ts'
import { MAHN_TEXT, type MahnLevel } from '#domain/mahnung.ts'
import { type Checked, type FaultTexts, unlessFaulty } from '../../../record/dialog-form.ts'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { appendBlock, filledTextFault } from '../filled-text.ts'
import { numberFault } from '../number-words.ts'
import type { Requested } from './mahnung.data.ts'

const FEE = { decimals: 2, integerDigits: 6 } as const
const LEVELS: readonly MahnLevel[] = [1, 2, 3]

/** Switches are '' or 'ja'. */
export type MahnValues = Readonly<Record<string, string>>
export const ON = 'ja'
export const feeName = (row: MahnListRow): string => `gebuehr-${row.rechnung_id}`
export const dayName = (row: MahnListRow): string => `faellig-${row.rechnung_id}`
export const interestName = (row: MahnListRow): string => `zinsen-${row.rechnung_id}`
export const sinceName = (row: MahnListRow): string => `zinsen_ab-${row.rechnung_id}`
export const lumpName = (row: MahnListRow): string => `pauschale-${row.rechnung_id}`
export const textName = (level: MahnLevel): string => `text-${level}`

export const levelOf = ({ naechste }: MahnListRow): MahnLevel => naechste ?? 3
export const levelsOf = (rows: readonly MahnListRow[]): MahnLevel[] =>
  LEVELS.filter((level) => rows.some((row) => levelOf(row) === level))

/** Fee and period of the level, and the standard texts. */
export const startMahnungen = (rows: readonly MahnListRow[], today: string): MahnValues =>
  Object.fromEntries([
    ...rows.flatMap((row) => [
      [feeName(row), formatAmount(row.gebuehr ?? '0.00')],
      [dayName(row), formatDate(nextWorkday(addDays(today, row.frist)))],
      // Both are demanded by choice only, also at the higher levels.
      [interestName(row), ''],
      [sinceName(row), row.zinsen_ab === null ? '' : formatDate(row.zinsen_ab)],
      [lumpName(row), ''],
    ]),
    ...LEVELS.map((level) => [textName(level), MAHN_TEXT[level]]),
  ])

function feeFault(text: string): string | undefined {
  const fee = parseNumberInput(text, FEE)
  return typeof fee === 'string' ? numberFault(fee, 2) : undefined
}
function dayFault(text: string, today: string): string | undefined {
  const day = parseDay(text)
  if (day === null) return dayExpected()
  return day <= today || day > addDays(today, 365)
    ? t('Nach heute und höchstens ein Jahr danach.')
    : undefined
}

/** The text of a level with a text block: it takes the place of the usual text, but follows one that was typed. */
export function withBlock(values: MahnValues, level: MahnLevel, block: string): string {
  const text = values[textName(level)] ?? ''
  return text === MAHN_TEXT[level] ? block : appendBlock(text, block)
}

const wantsInterest = (values: MahnValues, row: MahnListRow): boolean => values[interestName(row)] === ON
export const takesLump = (row: MahnListRow): boolean => !row.privat && sign(decimal(row.pauschale)) === 0
function sinceFault(values: MahnValues, row: MahnListRow, today: string): string | undefined {
  if (!wantsInterest(values, row)) return undefined
  const day = parseDay(values[sinceName(row)] ?? '')
  if (day === null) return dayExpected()
  return day < row.zinsen_fruehestens || day > today
    ? t('Von {von} bis heute.', { von: formatDate(row.zinsen_fruehestens) })
    : undefined
}

/** Interest as it will be demanded. `fehlt`: the half-year without a base rate; null: none or no day. */
export function interestOf(
  values: MahnValues,
  row: MahnListRow,
  rates: readonly BaseRate[],
  today: string,
): { readonly fehlt: string } | { readonly zeilen: readonly InterestPeriod[] } | null {
  const from = parseDay(values[sinceName(row)] ?? '')
  if (!wantsInterest(values, row) || from === null || sinceFault(values, row, today) !== undefined)
    return null
  const missing = missingHalfYear(rates, from, today)
  if (missing !== null) return { fehlt: missing }
  return {
    zeilen: interestPeriods(row.posten, rates, { von: from, bis: today, isPrivate: row.privat }) ?? [],
  }
}

/** What can be asked for with this row; null while one of its fields cannot be read. */
export function requestOf(values: MahnValues, row: MahnListRow): Requested | null {
  const level = levelOf(row)
  const fee = parseNumberInput(values[feeName(row)] ?? '', FEE)
  const day = parseDay(values[dayName(row)] ?? '')
  const text = values[textName(level)] ?? ''
  const since = wantsInterest(values, row) ? parseDay(values[sinceName(row)] ?? '') : null
  if (typeof fee === 'string' || day === null || filledTextFault(text) !== undefined) return null
  if (wantsInterest(values, row) && since === null) return null
  return {
    zeile: row,
    stufe: level,
    faellig: day,
    gebuehr: formatDecimal(fee),
    text,
    zinsen_ab: since,
    pauschale: takesLump(row) && values[lumpName(row)] === ON,
  }
}
export const requestsOf = (values: MahnValues, rows: readonly MahnListRow[]): Requested[] =>
  rows.map((row) => requestOf(values, row)).filter((request) => request !== null)

export function checkMahnungen(
  values: MahnValues,
  rows: readonly MahnListRow[],
  today: string,
): Checked<readonly Requested[]> {
  const faults: FaultTexts = Object.fromEntries([
    ...rows.flatMap((row) => [
      [feeName(row), feeFault(values[feeName(row)] ?? '')],
      [dayName(row), dayFault(values[dayName(row)] ?? '', today)],
      [sinceName(row), sinceFault(values, row, today)],
    ]),
    ...levelsOf(rows).map((level) => [textName(level), filledTextFault(values[textName(level)] ?? '')]),
  ])
  return unlessFaulty(requestsOf(values, rows), faults)
}

/**
 * What the customer is asked to pay: what is open, earlier fees and this one, interest and lump sum; null while
 * the fee cannot be read.
 */
export function claimOf(
  values: MahnValues,
  row: MahnListRow,
  interest: ReturnType<typeof interestOf> = null,
): string | null {
  const fee = parseNumberInput(values[feeName(row)] ?? '', FEE)
  if (typeof fee === 'string') return null
  const lump = takesLump(row) && values[lumpName(row)] === ON ? LUMP_SUM : row.pauschale
  const interestAmount = interest !== null && 'zeilen' in interest ? interestSum(interest.zeilen) : '0.00'
  const costs = add(sum([row.gebuehren, lump, interestAmount].map(decimal)), fee)
  const paid = decimal(row.kosten_gezahlt)
  return formatCents(add(decimal(row.offen), compare(paid, costs) < 0 ? subtract(costs, paid) : NULL))
}
