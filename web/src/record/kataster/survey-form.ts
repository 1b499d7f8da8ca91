// The inputs of a survey object: texts as people type them, and the values of the imports' field table.
import { isMeasured, type MeasuredFix } from '#domain/gnss/fix.ts'
import { type DataField, fieldsOf, type Table } from '#domain/vermessung/fields.ts'
import { parseNumber } from '#domain/import-values.ts'
import { fixName } from './kataster-words.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead } from '../../ui/today.ts'
import type { SurveyValues } from './survey-values.ts'

/** By field; ja_nein is 'ja', 'nein' or empty. */
export type SurveyInputs = Readonly<Record<string, string>>

export const inputOf = (
  { art, decimals = 0 }: DataField,
  value: SurveyValues[string] | undefined,
): string => {
  if (value === null || value === undefined) return ''
  if (art === 'ja_nein') return value === true ? 'ja' : 'nein'
  if (art === 'tag') return formatDate(String(value))
  if (art === 'zahl')
    return String(Math.round(Number(value) * 10 ** decimals) / 10 ** decimals).replace('.', ',')
  return String(value)
}
export const inputsOf = (table: Table, values: Partial<SurveyValues>): SurveyInputs =>
  Object.fromEntries(fieldsOf(table).map((field) => [field.name, inputOf(field, values[field.name])]))

const OLDEST_DAY = '1700-01-01'
/** The value of an input, or what is wrong with it. */
export function parseInput(
  field: DataField,
  text: string,
): { value: SurveyValues[string] } | { fault: string } {
  const typed = text.trim()
  if (typed === '') return { value: null }
  const { art, laengste = Infinity, atLeast = -Infinity, atMost = Infinity, decimals = 0 } = field
  switch (art) {
    case 'ja_nein':
      return { value: typed === 'ja' }
    case 'tag': {
      const day = parseDay(typed)
      if (day === null) return { fault: dayExpected() }
      return day >= OLDEST_DAY && day <= dayAhead(1)
        ? { value: day }
        : { fault: t('Bitte einen Tag zwischen 1700 und heute.') }
    }
    case 'ganz':
    case 'zahl': {
      const number = Number(parseNumber(typed) ?? Number.NaN)
      const rounded = Math.round(number * 10 ** decimals) / 10 ** decimals
      return rounded >= atLeast && rounded <= atMost && Math.abs(rounded - number) < 1e-9
        ? { value: rounded }
        : { fault: rangeText(field) }
    }
    case 'wahl':
      return isMeasured(typed) ? { value: typed } : { fault: t('Diese Lösung gibt es nicht.') }
    default:
      return typed.length <= laengste
        ? { value: typed }
        : { fault: t('Höchstens {n} Zeichen.', { n: laengste }) }
  }
}
const rangeText = ({ atLeast, atMost, decimals = 0 }: DataField): string =>
  decimals === 0
    ? t('Bitte eine ganze Zahl zwischen {a} und {b}.', {
        a: formatNumber(atLeast ?? 0),
        b: formatNumber(atMost ?? 0),
      })
    : t('Bitte eine Zahl zwischen {a} und {b} mit höchstens {n} Stellen nach dem Komma.', {
        a: formatNumber(atLeast ?? 0),
        b: formatNumber(atMost ?? 0),
        n: decimals,
      })

export interface Parsed {
  readonly values: SurveyValues
  /** By field; empty if all is right. */
  readonly faults: Readonly<Record<string, string>>
}
export function parseInputs(table: Table, inputs: SurveyInputs): Parsed {
  const values: Record<string, SurveyValues[string]> = {}
  const faults: Record<string, string> = {}
  for (const field of fieldsOf(table)) {
    const parsed = parseInput(field, inputs[field.name] ?? '')
    if ('fault' in parsed) faults[field.name] = parsed.fault
    else values[field.name] = parsed.value
  }
  return { values, faults }
}

/** As it is shown; empty if there is none. */
export function showSurveyValue(table: Table, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (name === 'geloescht') return value === true ? t('ja') : t('nein')
  const field = fieldsOf(table).find((one) => one.name === name)
  if (field?.art === 'wahl' && isMeasured(String(value))) return fixName(value as MeasuredFix)
  return field === undefined ? String(value) : inputOf(field, value as SurveyValues[string])
}
