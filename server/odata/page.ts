// Pages by the key of their last row: nothing is left out or repeated while others write, and the thousandth page
// costs as much as the first.
import type { Formula } from '#server/data-api/formula.ts'
import type { OrderTerm } from '#server/data-api/request.ts'
import { Refusal } from '#server/errors.ts'
import { columnOf, type Property, TYPE_OF } from './edm.ts'
import { apply, valueOf } from './filter.ts'

export interface Order {
  readonly property: Property
  readonly descending: boolean
}

/** The values of the last row in the order, and how many rows are still wanted. */
export interface Token {
  readonly left: number | null
  readonly values: readonly (string | null)[]
  /** Number of that row, where its values are too long for an address; they are read again then. */
  readonly key?: string
}

/** Characters of an address. */
export const LONGEST_URL = 8 * 1024
/** Of an address that is not a next link, so that its next link has room for the number of a row. */
export const LONGEST_FIRST = LONGEST_URL - 128
const LONGEST = 4_000

/** Nulls come first in ascending order, as the standard says. */
export const termOf = ({ property: { name, nullable }, descending }: Order): OrderTerm => ({
  column: name,
  direction: descending ? 'desc' : 'asc',
  nulls: nullable ? (descending ? 'last' : 'first') : null,
})

const printed = (token: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url')

/** @param room characters that the address has left */
export function printSkiptoken({ left, values, key }: Required<Token>, room: number): string {
  const whole = printed([left, ...values])
  return whole.length <= Math.min(room, LONGEST) ? whole : printed([left, { key }])
}

export function readSkiptoken(text: string | undefined, order: readonly Order[]): Token | null {
  if (text === undefined) return null
  const wrong = new Refusal(
    'bad_value',
    '$skiptoken gehört nicht zu dieser Abfrage. Bitte beginnen Sie von vorn.',
  )
  if (text.length > LONGEST || !/^[\w-]+$/.test(text)) throw wrong
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw wrong
  }
  if (!Array.isArray(read)) throw wrong
  const [left, ...values] = read as unknown[]
  const [short] = values
  const key = typeof short === 'object' && short !== null && 'key' in short ? short.key : null
  const counts = left === null || (typeof left === 'number' && Number.isSafeInteger(left) && left >= 0)
  if (counts && typeof key === 'string' && /^\d{1,18}$/.test(key)) return { left, values: [], key }
  if (!counts || values.length !== order.length) throw wrong
  if (!values.every((value) => value === null || (typeof value === 'string' && !value.includes('\0'))))
    throw wrong
  return { left, values: values as (string | null)[] }
}

const typed = ({ property }: Order, value: string): Formula =>
  valueOf(value, property.kind === 'other' ? 'text' : TYPE_OF[property.kind])

function beyond(order: Order, value: string | null): Formula | null {
  const column = columnOf(order.property)
  if (value === null) return order.descending ? null : apply('present', column)
  const past = apply(order.descending ? 'below' : 'above', column, typed(order, value))
  return order.descending && order.property.nullable ? apply('or', past, apply('missing', column)) : past
}

const level = (order: Order, value: string | null): Formula =>
  value === null
    ? apply('missing', columnOf(order.property))
    : apply('same', columnOf(order.property), typed(order, value))

/** The rows after the page before. */
export function afterToken(order: readonly Order[], { values }: Token): Formula[] {
  const choices = order.flatMap((one, i) => {
    const past = beyond(one, values[i] ?? null)
    if (past === null) return []
    const before = order.slice(0, i).map((earlier, j) => level(earlier, values[j] ?? null))
    return [before.length === 0 ? past : apply('and', ...before, past)]
  })
  const [first] = order
  const value = values[0] ?? null
  // Redundant, and lets the scan of an index begin at the mark.
  const bound =
    first !== undefined && value !== null && !first.property.nullable
      ? [
          apply(
            first.descending ? 'belowOrSame' : 'aboveOrSame',
            columnOf(first.property),
            typed(first, value),
          ),
        ]
      : []
  return [...bound, choices.length === 0 ? NONE : apply('or', ...choices)]
}

const NONE: Formula = { kind: 'value', value: 'false', type: 'boolean' }
