// The inputs of a tree by the kind of their fields: how they are checked, what they show of a value, and what is
// saved.
import * as z from 'zod/mini'
import type { Field } from '#domain/fields.ts'
import { HABITAT_SPECIES } from '#domain/habitat/species.ts'
import { type HABITATBAUM_FIELDS, type TreeField, treeField } from '#domain/habitatbaum-fields.ts'
import { parseNumber } from '#domain/import-values.ts'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead } from '../../ui/today.ts'
import { textOf } from '../declared.ts'
import { line, tidied, tidy } from '../input-checks.ts'

type Input = string | boolean

/** 51,1234567 and 51.1234567°; null if these are no degrees. A dot is never a thousands separator here. */
export function parseDegrees(text: string): number | null {
  const plain = text.trim().replace(/\s*°$/, '').replace(',', '.')
  if (!/^\d{1,3}(?:\.\d{1,15})?$/.test(plain)) return null
  return Math.round(Number(plain) * 1e7) / 1e7
}
export const degreesText = (grad: number): string => String(grad).replace('.', ',')

const refusal = (field: Field) => () => textOf(field, 'refused') ?? ''
const missing = (field: Field) =>
  z.refine<string>((text) => field.missing === undefined || text.trim() !== '', {
    error: () => textOf(field, 'missing') ?? '',
    abort: true,
  })
const isWithin = ({ atLeast = -Infinity, atMost = Infinity }: Field, number: number): boolean =>
  number >= atLeast && number <= atMost

const choice = (list: readonly string[], field: Field) =>
  z.string().check(
    z.refine((text) => list.includes(text), {
      error: () => textOf(field, 'missing') ?? t('Bitte wählen Sie einen Eintrag der Liste.'),
    }),
  )
function number(field: Field) {
  const digits = 10 ** (field.decimals ?? 0)
  const isRight = (text: string): boolean => {
    if (text.trim() === '') return true
    const value = Number(parseNumber(text) ?? Number.NaN)
    return isWithin(field, value) && Math.abs(value - Math.round(value * digits) / digits) < 1e-9
  }
  return z.string().check(z.refine(isRight, { error: refusal(field) }))
}
/** Allows tomorrow too, because the clocks of person and server may differ around midnight. */
const day = (field: Field) =>
  z.string().check(
    missing(field),
    z.refine((text) => text.trim() === '' || parseDay(text) !== null, {
      error: () => dayExpected(),
      abort: true,
    }),
    z.refine(
      (text) => text.trim() === '' || (parseDay(text)! >= '1950-01-01' && parseDay(text)! <= dayAhead(1)),
      { error: () => t('Bitte einen Tag zwischen 1950 und heute.') },
    ),
  )
const degrees = (field: Field) =>
  z.string().check(
    missing(field),
    z.refine((text) => parseDegrees(text) !== null, {
      error: () => t('Bitte Grad mit Nachkommastellen, zum Beispiel 51,1234567.'),
      abort: true,
    }),
    z.refine((text) => isWithin(field, parseDegrees(text)!), { error: refusal(field) }),
  )
const severalLines = ({ longest = 0 }: Field) =>
  z.string().check(
    tidied(),
    z.refine((text) => Array.from(text).length <= longest, {
      error: () => t('Höchstens {n} Zeichen.', { n: formatNumber(longest) }),
    }),
    // oxlint-disable-next-line no-control-regex
    z.refine((text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text), {
      error: () => t('Bitte ohne Steuerzeichen.'),
    }),
  )

export type InputKind = (typeof HABITATBAUM_FIELDS)[TreeField]['kind']
const CHECKS: Readonly<Record<InputKind, (field: Field) => z.ZodMiniType<Input, Input>>> = {
  line: ({ longest = 0 }) => line(longest),
  text: severalLines,
  species: (field) =>
    choice(
      HABITAT_SPECIES.map(({ code }) => code),
      field,
    ),
  choice: (field) => choice([...(field.nullable ? [''] : []), ...Object.keys(field.choices ?? {})], field),
  structures: () => z.string(),
  amount: number,
  number,
  degrees,
  date: day,
  boolean: () => z.boolean(),
  // Never typed.
  moment: () => z.string(),
}
/** The check of an input. */
export const checkOf = (column: TreeField) => CHECKS[treeField(column).kind as InputKind](treeField(column))

/** What is wrong with the text of an input; undefined if nothing is. */
export const faultOf = (column: TreeField, text: string): string | undefined =>
  checkOf(column).safeParse(text).error?.issues[0]?.message

/** What an input shows of a value. */
export function inputOf(column: TreeField, value: unknown): Input {
  if (typeof value === 'boolean') return value
  if (value === null || value === undefined) return ''
  switch (treeField(column).kind) {
    case 'date':
      return formatDate(value as string)
    case 'degrees':
      return degreesText(Number(value))
    case 'amount':
      return formatNumber(value as number)
    default:
      return String(value)
  }
}

/** What is stored of a validated input. */
export function storedOf(column: TreeField, input: Input): Input | number | null {
  if (typeof input === 'boolean') return input
  const typed = tidy(input)
  const { kind } = treeField(column)
  // None are an empty text in forms.
  if (kind === 'structures') return typed
  if (typed === '') return null
  switch (kind) {
    case 'date':
      return parseDay(typed)
    case 'degrees':
      return parseDegrees(typed)
    case 'amount':
    case 'number':
      return Number(parseNumber(typed))
    default:
      return typed
  }
}
