// What is typed for the reminders of some invoices: fee and due day of each, and the text of each level. Pure.
// The values are named as their inputs are.
import type { MahnListRow } from '#contract/zahlung.ts'
import { addDays, nextWorkday } from '#domain/day.ts'
import {
  add,
  decimal,
  formatAmount,
  formatCents,
  formatDecimal,
  parseNumberInput,
  sum,
} from '#domain/geld.ts'
import { MAHN_TEXT, type MahnLevel } from '#domain/mahnung.ts'
import { type Checked, type FaultTexts, unlessFaulty } from '../../../record/dialog-form.ts'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { filledTextFault } from '../filled-text.ts'
import { numberFault } from '../number-words.ts'
import type { Requested } from './mahnung.data.ts'

const FEE = { decimals: 2, integerDigits: 6 } as const
const LEVELS: readonly MahnLevel[] = [1, 2, 3]

export type MahnValues = Readonly<Record<string, string>>
export const feeName = (row: MahnListRow): string => `gebuehr-${row.rechnung_id}`
export const dayName = (row: MahnListRow): string => `faellig-${row.rechnung_id}`
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

/** What can be asked for with this row; null while one of its fields cannot be read. */
export function requestOf(values: MahnValues, row: MahnListRow): Requested | null {
  const level = levelOf(row)
  const fee = parseNumberInput(values[feeName(row)] ?? '', FEE)
  const day = parseDay(values[dayName(row)] ?? '')
  const text = values[textName(level)] ?? ''
  if (typeof fee === 'string' || day === null || filledTextFault(text) !== undefined) return null
  return { zeile: row, stufe: level, faellig: day, gebuehr: formatDecimal(fee), text }
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
    ]),
    ...levelsOf(rows).map((level) => [textName(level), filledTextFault(values[textName(level)] ?? '')]),
  ])
  return unlessFaulty(requestsOf(values, rows), faults)
}

/** What the customer is asked to pay: what is open, earlier fees and this one; null while the fee cannot be read. */
export function claimOf(values: MahnValues, row: MahnListRow): string | null {
  const fee = parseNumberInput(values[feeName(row)] ?? '', FEE)
  return typeof fee === 'string'
    ? null
    : formatCents(add(sum([decimal(row.offen), decimal(row.gebuehren)]), fee))
}
