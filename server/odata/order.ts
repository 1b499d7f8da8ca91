// The order of a table's rows, and which rows come after one of them.
import type { Formula } from '#server/data-api/formula.ts'
import type { OrderTerm } from '#server/data-api/request.ts'
import { columnOf, type Property, TYPE_OF } from './edm.ts'
import { apply, valueOf } from './filter.ts'

export interface Order {
  readonly property: Property
  readonly descending: boolean
}

/** Nulls come first in ascending order, as the standard says. */
export const termOf = ({ property: { name, nullable }, descending }: Order): OrderTerm => ({
  column: name,
  direction: descending ? 'desc' : 'asc',
  nulls: nullable ? (descending ? 'last' : 'first') : null,
})

const typed = ({ property }: Order, value: string): Formula =>
  valueOf(value, property.kind === 'other' ? 'text' : TYPE_OF[property.kind])

export function beyond(order: Order, value: string | null): Formula | null {
  const column = columnOf(order.property)
  if (value === null) return order.descending ? null : apply('present', column)
  const past = apply(order.descending ? 'below' : 'above', column, typed(order, value))
  return order.descending && order.property.nullable ? apply('or', past, apply('missing', column)) : past
}

export const level = (order: Order, value: string | null): Formula =>
  value === null
    ? apply('missing', columnOf(order.property))
    : apply('same', columnOf(order.property), typed(order, value))

/** The rows after the page before. */
export function afterToken(
  order: readonly Order[],
  { values }: { readonly values: readonly (string | null)[] },
): Formula[] {
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

export const NONE: Formula = { kind: 'value', value: 'false', type: 'boolean' }
