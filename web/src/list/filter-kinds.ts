// The kinds of filters. A filter's value is its text in the address, in one canonical form; '' filters
// nothing. Per kind: how to normalise a text, which conditions to send to the data API, whether a row in the
// browser matches. What a person sees of it is in filter-chips.ts, the fields in FilterPanel.tsx.
import { eq, type Filter, gte, isNull, lt, lte, oneOf, or, startsWith } from '../data/addresses.ts'
import type { Option } from '../ui/Field.tsx'

interface Base<Row> {
  /** Its query key. */
  readonly key: string
  readonly label: () => string
  /** Column of the data API, or of a row in the browser; defaults to the key. */
  readonly column?: string
  /**
   * Value of a row in the browser; defaults to the column's value. If there are several, one of them must
   * match.
   */
  readonly of?: (row: Row) => unknown
  /** Replaces the kind's conditions for the data API. */
  readonly filters?: (values: readonly string[]) => readonly Filter[]
  /** Keys of the filters that depend on this one and are reset when it changes. */
  readonly frees?: readonly string[]
  /** Replaces the kind's test of a row in the browser. */
  readonly fits?: (row: Row, values: readonly string[]) => boolean
}
interface Choices {
  readonly options: () => readonly Option[]
  /** Value of the choice for rows without a value. */
  readonly none?: string
  /** Accepts values beyond the options, because the options depend on the data. */
  readonly open?: boolean
  /** The choices to offer, given the values of the other filters. */
  readonly left?: (values: Readonly<Record<string, string>>) => readonly Option[]
}
/** Several values of a list: a,b (a comma within a value is written as %2C). */
export interface ManyFilter<Row> extends Base<Row>, Choices {
  readonly kind: 'many'
}
/** One value of a list. */
export interface OneFilter<Row> extends Base<Row>, Choices {
  readonly kind: 'one'
}
/** Yes, no or either. */
export interface FlagFilter<Row> extends Base<Row> {
  readonly kind: 'flag'
  /** Words for yes and no in the address; default: ja and nein. */
  readonly words?: readonly [yes: string, no: string]
  readonly texts?: () => readonly [yes: string, no: string]
}
/** Start of a text. */
export interface PrefixFilter<Row> extends Base<Row> {
  readonly kind: 'prefix'
  readonly maxLength: number
  /** Digits only: compared without escaping. */
  readonly digits?: boolean
  /** A value of this length must match entirely. */
  readonly whole?: number
  readonly placeholder?: () => string
}
/** A range of days, both ends included: 2026-01-01..2026-12-31, 2026-01-01.., ..2026-12-31. */
export interface DaysFilter<Row> extends Base<Row> {
  readonly kind: 'days'
  /** Offers only one end, written without dots in the address. */
  readonly only?: 'from' | 'to'
  /** The column holds timestamps; days begin at midnight local time. */
  readonly time?: boolean
}
/** A range of numbers, both ends included: 1..5, 1.., ..5, 1.5..1.5. */
export interface RangeFilter<Row> extends Base<Row> {
  readonly kind: 'range'
  readonly unit?: string
  readonly min?: number
  readonly max?: number
}
/** A record, found by typing; its value is the record's number. */
export interface RecordFilter<Row> extends Base<Row> {
  readonly kind: 'record'
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Option[]>
  /** Name of the record; null if it does not exist. */
  readonly name: (id: string, signal: AbortSignal) => Promise<string | null>
}
export type ListFilter<Row> =
  | ManyFilter<Row>
  | OneFilter<Row>
  | FlagFilter<Row>
  | PrefixFilter<Row>
  | DaysFilter<Row>
  | RangeFilter<Row>
  | RecordFilter<Row>
export type AnyFilter = ListFilter<never>

const MOST_VALUES = 50

export function isIsoDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900-01-01') return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const encode = (value: string): string => value.replaceAll('%', '%25').replaceAll(',', '%2C')
const decode = (value: string): string => value.replaceAll('%2C', ',').replaceAll('%25', '%')
/**
 * Normalises text for open choices and prefixes: a single line without control characters or lone surrogates.
 */
const oneLine = (text: string, longest: number): string =>
  Array.from(
    text
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, longest)
    .join('')
    .trim()
/** Canonical numbers only (not 007,50), so that each state has exactly one address. */
const numberText = (text: string): string => {
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(text)) return ''
  const number = Number(text)
  return number === 0 ? '0' : String(number)
}

const endsOf = (value: string): readonly [from: string, to: string] => {
  const at = value.indexOf('..')
  return at < 0 ? [value, value] : [value.slice(0, at), value.slice(at + 2)]
}
const joinEnds = (from: string, to: string): string => (from === '' && to === '' ? '' : `${from}..${to}`)

function cleanDays({ only }: DaysFilter<never>, text: string): string {
  if (only) return isIsoDay(text) ? text : ''
  if (!text.includes('..')) return ''
  const [from, to] = endsOf(text).map((day) => (isIsoDay(day) ? day : '')) as [string, string]
  return from !== '' && to !== '' && from > to ? joinEnds(to, from) : joinEnds(from, to)
}
function cleanRange(
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: RangeFilter<never>,
  text: string,
): string {
  if (!text.includes('..')) return ''
  const within = (number: string) =>
    number !== '' && Number(number) >= min && Number(number) <= max ? number : ''
  const [from, to] = endsOf(text).map((number) => within(numberText(number))) as [string, string]
  return from !== '' && to !== '' && Number(from) > Number(to) ? joinEnds(to, from) : joinEnds(from, to)
}
/** The valid choices in the order of the options, without duplicates. */
function cleanChoices({ options, open = false }: Choices, asked: readonly string[]): string[] {
  const known = options().map(({ value }) => value)
  const chosen = known.filter((value) => asked.includes(value))
  if (!open) return chosen
  const others = asked.filter(
    (value) => value !== '' && value === oneLine(value, 100) && !known.includes(value),
  )
  return [...chosen, ...[...new Set(others)].toSorted()].slice(0, MOST_VALUES)
}

/** Canonical form of a text; '' if it is invalid. Never throws. */
export function cleanFilter(filter: AnyFilter, text: string): string {
  if (text === '' || text.length > 5_000) return ''
  switch (filter.kind) {
    case 'many':
      return cleanChoices(filter, text.split(',').map(decode)).map(encode).join(',')
    case 'one':
      return cleanChoices(filter, [decode(text)]).map(encode)[0] ?? ''
    case 'flag':
      return (filter.words ?? FLAG_WORDS).includes(text) ? text : ''
    case 'prefix':
      if (filter.digits) return /^\d+$/.test(text) && text.length <= filter.maxLength ? text : ''
      return oneLine(text, filter.maxLength)
    case 'days':
      return cleanDays(filter, text)
    case 'range':
      return cleanRange(filter, text)
    case 'record':
      return /^[1-9]\d{0,17}$/.test(text) ? text : ''
  }
}
const FLAG_WORDS = ['ja', 'nein'] as const

/** The parts of a value: the chosen entries, [from, to], or just the text. */
export function valuesOf(filter: AnyFilter, value: string): readonly string[] {
  if (value === '') return []
  switch (filter.kind) {
    case 'many':
    case 'one':
      return value.split(',').map(decode)
    case 'days':
      if (filter.only === 'from') return [value, '']
      if (filter.only === 'to') return ['', value]
      return endsOf(value)
    case 'range':
      return endsOf(value)
    default:
      return [value]
  }
}

/** Inverse of valuesOf: builds the canonical value from its parts. */
export function valueFrom(filter: AnyFilter, values: readonly string[]): string {
  switch (filter.kind) {
    case 'many':
    case 'one':
      return cleanFilter(filter, values.map(encode).join(','))
    case 'days':
      return cleanFilter(filter, filter.only ? values.join('') : joinEnds(values[0] ?? '', values[1] ?? ''))
    case 'range':
      return cleanFilter(filter, joinEnds(values[0] ?? '', values[1] ?? ''))
    default:
      return cleanFilter(filter, values[0] ?? '')
  }
}

export const isYes = (filter: FlagFilter<never>, value: string) => value === (filter.words ?? FLAG_WORDS)[0]

let midnight = (day: string): Date => new Date(`${day}T00:00:00`)
/** Where a day begins, if not at midnight local time: the server's is not that of the people. */
export function beginDaysAt(given: typeof midnight) {
  midnight = given
}
const startOfDay = (day: string): string => midnight(day).toISOString()
function startOfNextDay(day: string): string {
  const next = new Date(Date.parse(day) + 86_400_000)
  return startOfDay(next.toISOString().slice(0, 10))
}

/** The data API's conditions for a value. */
export function apiFilters(filter: AnyFilter, value: string): readonly Filter[] {
  const values = valuesOf(filter, value)
  if (values.length === 0) return []
  if (filter.filters) return filter.filters(values)
  const column = filter.column ?? filter.key
  switch (filter.kind) {
    case 'many':
    case 'one': {
      const named = values.filter((entry) => entry !== filter.none)
      if (named.length === 0) return [isNull(column)]
      const among = filter.kind === 'one' ? eq(column, named[0]!) : oneOf(column, named)
      return [named.length < values.length ? or(isNull(column), among) : among]
    }
    case 'flag':
      return [eq(column, isYes(filter, value))]
    case 'prefix':
      if (filter.whole === value.length) return [eq(column, value)]
      return [
        filter.digits
          ? { key: column, value: `like.${value}*`, inner: `${column}.like.${value}*` }
          : startsWith(column, value),
      ]
    case 'days': {
      const [from, to] = values as [string, string]
      const asTime = filter.time ?? false
      return [
        ...(from === '' ? [] : [gte(column, asTime ? startOfDay(from) : from)]),
        ...(to === '' ? [] : [asTime ? lt(column, startOfNextDay(to)) : lte(column, to)]),
      ]
    }
    case 'range': {
      const [from, to] = values as [string, string]
      return [...(from === '' ? [] : [gte(column, from)]), ...(to === '' ? [] : [lte(column, to)])]
    }
    case 'record':
      return [eq(column, value)]
  }
}

const all = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value])
const isMissing = (value: unknown) => value === null || value === undefined || value === ''

function test(filter: AnyFilter, values: readonly string[], given: unknown): boolean {
  switch (filter.kind) {
    case 'many':
    case 'one':
      return isMissing(given) || (Array.isArray(given) && given.length === 0)
        ? filter.none !== undefined && values.includes(filter.none)
        : all(given).some((one) => values.includes(String(one)))
    case 'flag':
      return (given === true) === isYes(filter, values[0]!)
    case 'prefix':
      return all(given).some(
        (one) => !isMissing(one) && String(one).toLowerCase().startsWith(values[0]!.toLowerCase()),
      )
    case 'record':
      return all(given).some((one) => String(one) === values[0])
    case 'days':
    case 'range':
      return (
        !isMissing(given) && isBetween(filter, values as readonly [string, string], given as string | number)
      )
  }
}
function isBetween(
  filter: DaysFilter<never> | RangeFilter<never>,
  [from, to]: readonly [string, string],
  given: string | number,
): boolean {
  if (filter.kind === 'range')
    return (from === '' || Number(given) >= Number(from)) && (to === '' || Number(given) <= Number(to))
  const value = String(given)
  if (!filter.time)
    return (from === '' || value.slice(0, 10) >= from) && (to === '' || value.slice(0, 10) <= to)
  const time = Date.parse(value)
  return (
    (from === '' || time >= Date.parse(startOfDay(from))) &&
    (to === '' || time < Date.parse(startOfNextDay(to)))
  )
}

/** Test for rows in the browser; undefined if every row passes. */
export function rowTest<Row>(filter: ListFilter<Row>, value: string): ((row: Row) => boolean) | undefined {
  const values = valuesOf(filter, value)
  if (values.length === 0) return undefined
  const { fits, of } = filter
  if (fits) return (row) => fits(row, values)
  const column = filter.column ?? filter.key
  const read = of ?? ((row: Row) => (row as Record<string, unknown>)[column])
  return (row) => test(filter, values, read(row))
}
