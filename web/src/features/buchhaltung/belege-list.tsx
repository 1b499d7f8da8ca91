// What the lists of invoices and offers share: archived ones stay out until they are asked for, and the sums of all that fits the filters.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { add, dezimal, type Dezimal, formatEuro, NULL } from '#domain/geld.ts'
import { eq } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import type { OneFilter } from '../../list/filter-kinds.ts'
import type { ArraySource, List, ListState, TableSource } from '../../list/list.ts'
import { filtersOf, type TableList } from '../../list/table-source.ts'
import { t } from '../../ui/text.ts'
import './buchhaltung.css'

/** Two places of a numeric column fit a number exactly to 90,000,000,000,000.00. */
export const centsText = (amount: number): string => formatEuro(amount.toFixed(2))

export const ARCHIV_FILTER: OneFilter<{ archiviert: boolean }> = {
  kind: 'one',
  key: 'archiv',
  label: () => t('Archiv'),
  options: () => [
    { value: 'mit', label: t('auch archivierte') },
    { value: 'nur', label: t('nur archivierte') },
  ],
  filters: ([value]) => (value === 'nur' ? [eq('archiviert', true)] : []),
}
export const ohneArchiv = <Row,>(source: TableSource<Row> | ArraySource<Row>): TableSource<Row> => ({
  ...(source as TableSource<Row>),
  scope: [eq('archiviert', false)],
})

type Betraege<K extends string> = Readonly<Record<K | 'stand', unknown>>
const MOST = 10_000

/** Of everything that fits, not of the page alone; null while unknown and where there is too much to add up. */
export function useSummen<Row, K extends keyof Row & string>(
  list: List<Row>,
  state: ListState,
  columns: readonly K[],
): { readonly ausgestellt: Readonly<Record<K, Dezimal>>; readonly entwuerfe: Readonly<Record<K, Dezimal>> } | null {
  const table = list as TableList<Row>
  const filters = filtersOf(table, state)
  const { data } = useQuery({
    queryKey: [...(list.queryKey ?? [list.name]), 'summen', filters.map(({ key, inner }) => `${key} ${inner}`)],
    queryFn: async ({ signal }) => {
      const select = ['stand', ...columns]
      const { rows } = await selectPage<Betraege<K>>(table.source.table, { select, filters, limit: MOST, count: 'none', signal })
      if (rows.length === MOST) return null
      const total = (wanted: boolean) =>
        Object.fromEntries(
          columns.map((column) => [
            column,
            rows
              .filter(({ stand }) => (stand === 'entwurf') === wanted)
              .reduce((sum, row) => add(sum, dezimal(Number(row[column]).toFixed(2))), NULL),
          ]),
        ) as Record<K, Dezimal>
      return { ausgestellt: total(false), entwuerfe: total(true) }
    },
    placeholderData: keepPreviousData,
  })
  return data ?? null
}

export function Summe({ name, value }: { name: string; value: Dezimal | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={value && value.wert < 0n ? 'buch-minus' : undefined}>{value ? formatEuro(value) : '\u00A0'}</dd>
    </div>
  )
}
