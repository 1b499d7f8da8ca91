// Sums below a list: of everything that its search and filters leave, not of the page. The server adds up its
// own rows; rows in the browser are added as whole numbers of their last digit.
import { queryOptions } from '@tanstack/react-query'
import { selectRows } from '../data/rows.ts'
import { type ListColumn, type ListState, queryKeyOf } from './list.ts'
import { filtersOf, type TableList } from './table-source.ts'

/** Decimal texts by the key of their column; null: there is nothing to add. */
export type Sums = Readonly<Record<string, string | null>>

type Summed<Row> = ListColumn<Row> & Required<Pick<ListColumn<Row>, 'sum'>>
export const summedColumns = <Row>(columns: readonly ListColumn<Row>[]): Summed<Row>[] =>
  columns.filter((column): column is Summed<Row> => column.sum !== undefined)

/** Exact: '0.1' and '0.2' are '0.3'. */
export function addDecimals(values: readonly (string | number | null)[], digits: number): string | null {
  const present = values.filter((value) => value !== null)
  if (present.length === 0) return null
  const scaled = (value: string | number) => BigInt(Number(value).toFixed(digits).replace('.', ''))
  const total = present.reduce((sum, value) => sum + scaled(value), 0n)
  const figures = String(total < 0n ? -total : total).padStart(digits + 1, '0')
  const whole = figures.slice(0, figures.length - digits)
  const rest = digits === 0 ? '' : `.${figures.slice(-digits)}`
  return `${total < 0n ? '-' : ''}${whole}${rest}`
}

export const sumsOfRows = <Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[]): Sums =>
  Object.fromEntries(
    summedColumns(columns).map(({ key, sum }) => [key, addDecimals(rows.map(sum.of), sum.digits)]),
  )

/** Items of a select for the data API; the names are those of readSums. */
export const sumItems = <Row>(columns: readonly ListColumn<Row>[]): string[] =>
  summedColumns(columns).map(({ sum }, at) => `summe${at}:${sum.column}.sum()`)

/**
 * The server adds numeric columns exactly; a double holds the result with two decimals up to
 * 90,000,000,000,000.00.
 */
export const readSums = <Row>(
  columns: readonly ListColumn<Row>[],
  answer: Readonly<Record<string, unknown>>,
): Sums =>
  Object.fromEntries(
    summedColumns(columns).map(({ key, sum }, at) => {
      const total = answer[`summe${at}`]
      return [key, typeof total === 'number' ? total.toFixed(sum.digits) : null]
    }),
  )

export const sumsQuery = <Row>(
  list: TableList<Row>,
  columns: readonly ListColumn<Row>[],
  state: ListState,
) => {
  const filters = filtersOf(list, state)
  return queryOptions({
    queryKey: [...queryKeyOf(list), 'sums', filters.map(({ key, inner }) => `${key} ${inner}`)],
    queryFn: async ({ signal }) => {
      const [answer = {}] = await selectRows<Record<string, unknown>>(list.source.table, {
        select: sumItems(columns),
        filters,
        signal,
      })
      return readSums(columns, answer)
    },
  })
}
