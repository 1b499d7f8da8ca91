// The inputs of a headquarters and of its switches by the kind of their fields: what they show of a value, how
// they are checked, and what is saved.
import * as z from 'zod/mini'
import type { Field } from '#domain/fields.ts'
import { type HqField, hqField, type SwitchField } from '#domain/hq-fields.ts'
import { parseNumber } from '#domain/import-values.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { textOf } from '../declared.ts'
import { line, tidy } from '../input-checks.ts'

type Column = HqField | SwitchField
type Input = string | boolean

/** Hectares as displayed in inputs. */
export const areaText = (hectares: number | string | null): string => formatNumber(hectares)
/** Hectares of a validated input; null if empty. */
export const hectaresOf = (text: string): number | null =>
  text.trim() === '' ? null : Number(parseNumber(text))

/** What is wrong with typed hectares; undefined if nothing is. */
export function areaFault(field: Field, text: string): string | undefined {
  if (text.trim() === '') return undefined
  const number = parseNumber(text)
  if (number === null) return t('Bitte eine Zahl in Hektar, zum Beispiel 1.234,5.')
  if (Number(number) < (field.atLeast ?? -Infinity)) return t('Eine Fläche ist nicht negativ.')
  if (Number(number) > (field.atMost ?? Infinity))
    return t('Diese Fläche ist zu groß. Ist die Einheit Hektar?')
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

const without = (fault: (text: string) => string | undefined) =>
  z
    .string()
    .check(z.refine((text) => fault(text) === undefined, { error: ({ input }) => fault(String(input)) }))

/** The check of an input. */
export function checkOf(column: Column): z.ZodMiniType<Input, Input> {
  const field = hqField(column)
  switch (field.kind) {
    case 'boolean':
      return z.boolean()
    case 'date':
      return without(dayFault)
    case 'area':
      return without((text) => areaFault(field, text))
    default: {
      const missing = field.missing === undefined ? undefined : () => textOf(field, 'missing') ?? ''
      return line(field.longest ?? 0, missing)
    }
  }
}

/** What an input shows of a stored value. */
export function inputOf(column: Column, value: unknown): Input {
  if (typeof value === 'boolean') return value
  if (value === null) return ''
  switch (hqField(column).kind) {
    case 'date':
      return formatDate(String(value))
    case 'area':
      return areaText(Number(value))
    default:
      return String(value)
  }
}

/** What is stored of a validated input. */
export function storedOf(column: Column, input: Input): Input | number | null {
  if (typeof input === 'boolean') return input
  switch (hqField(column).kind) {
    case 'date':
      return dayOf(input)
    case 'area':
      return hectaresOf(input)
    default:
      return tidy(input) || null
  }
}
