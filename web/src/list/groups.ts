// A list by groups: one row for each value of a simple field, with the number of its rows and their sums. The
// server groups and adds its own rows, so that thousands of them cost one line each.
import { queryOptions } from '@tanstack/react-query'
import { eq, type Filter, isNull } from '../data/addresses.ts'
import { selectRows } from '../data/rows.ts'
import { t } from '../ui/text.ts'
import { type Grouping, type ListColumn, type ListState, queryKeyOf } from './list.ts'
import { readSums, sumItems, type Sums, sumsOfRows } from './sums.ts'
import { filtersOf, type TableList } from './table-source.ts'

export type GroupValue = string | number | boolean | null
export interface Group {
  readonly value: GroupValue
  readonly name: string
  readonly count: number
  readonly sums: Sums
}

/** More groups are no overview; the list says so. */
export const MOST_GROUPS = 500

const valueOf = (value: unknown): GroupValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

function nameOf(
  { text, named }: Grouping,
  row: Readonly<Record<string, unknown>>,
  value: GroupValue,
): string {
  const name = named === undefined ? value : row[named]
  if (name === null || name === undefined || name === '') return t('ohne Angabe')
  return text?.(valueOf(name)) ?? String(name)
}

/** One group more than are shown tells that there are more. */
export const groupsQuery = <Row>(
  list: TableList<Row>,
  columns: readonly ListColumn<Row>[],
  state: ListState,
  grouping: Grouping,
) => {
  const { column = grouping.key, named } = grouping
  const filters = filtersOf(list, state)
  const scope = filters.map(({ key, inner }) => `${key} ${inner}`)
  return queryOptions({
    queryKey: [...queryKeyOf(list), 'groups', grouping.key, scope],
    queryFn: async ({ signal }) => {
      const answer = await selectRows<Record<string, unknown>>(list.source.table, {
        select: [
          column,
          ...(named === undefined ? [] : [named]),
          `anzahl:${list.source.key}.count()`,
          ...sumItems(columns),
        ],
        filters,
        order: [{ column: named ?? column }],
        limit: MOST_GROUPS + 1,
        signal,
      })
      return answer.map((row): Group => {
        const value = valueOf(row[column])
        return {
          value,
          name: nameOf(grouping, row, value),
          count: Number(row['anzahl']),
          sums: readSums(columns, row),
        }
      })
    },
  })
}

/** The list of one group's rows. */
export const listOfGroup = <Row>(
  list: TableList<Row>,
  { key, column = key }: Grouping,
  value: GroupValue,
): TableList<Row> => {
  const only: Filter = value === null ? isNull(column) : eq(column, value)
  return { ...list, source: { ...list.source, scope: [...(list.source.scope ?? []), only] } }
}

export interface RowGroup<Row> extends Group {
  readonly rows: readonly Row[]
}

/** The same for rows in the browser, which keep their order. */
export function groupsOfRows<Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  grouping: Grouping,
): readonly RowGroup<Row>[] {
  const { column = grouping.key } = grouping
  const byValue = new Map<GroupValue, Row[]>()
  for (const row of rows) {
    const value = valueOf((row as Readonly<Record<string, unknown>>)[column])
    const group = byValue.get(value) ?? []
    group.push(row)
    byValue.set(value, group)
  }
  return [...byValue]
    .map(([value, members]) => ({
      value,
      name: nameOf(grouping, members[0] as Readonly<Record<string, unknown>>, value),
      count: members.length,
      sums: sumsOfRows(columns, members),
      rows: members,
    }))
    .toSorted(
      (a, b) => Number(a.value === null) - Number(b.value === null) || a.name.localeCompare(b.name, 'de'),
    )
}
