// Pages by the key of their last row: nothing is left out or repeated while others write, and the thousandth page
// costs as much as the first.
import type { Formula } from '#server/data-api/formula.ts'
import { Refusal } from '#server/errors.ts'
import { type Near, type Page, nearMark, readNear } from './near-mark.ts'
import type { Order } from './order.ts'

/** The values of the last row in the order, and how many rows are still wanted. */
export interface Token {
  readonly left: number | null
  readonly values: readonly (string | null)[]
  /** Where its values are too long for an address. */
  readonly near?: Near
  /** Of the next page, where it is not after these values. */
  readonly after?: readonly Formula[]
}

/** Characters of an address. */
export const LONGEST_URL = 8 * 1024
/** Of an address that is not a next link, so that its next link has room for a mark. */
export const LONGEST_FIRST = LONGEST_URL - 1024
const LONGEST = 4_000

const printed = (token: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url')

/** What is in a mark besides values and rows, in bytes. */
const FRAME = 80

/** @param room characters that the address has left */
export function printSkiptoken(left: number | null, given: Page, room: number): string {
  const most = Math.min(room, LONGEST)
  const whole = printed([left, ...given.row(given.count - 1).values])
  return whole.length <= most ? whole : printed([left, nearMark(given, (most * 3) / 4 - FRAME)])
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
  const near = values.length === 1 ? readNear(values[0], order) : null
  const counts = left === null || (typeof left === 'number' && Number.isSafeInteger(left) && left >= 0)
  if (counts && near !== null) return { left, values: [], near }
  if (!counts || values.length !== order.length) throw wrong
  if (!values.every((value) => value === null || (typeof value === 'string' && !value.includes('\0'))))
    throw wrong
  return { left, values: values as (string | null)[] }
}
