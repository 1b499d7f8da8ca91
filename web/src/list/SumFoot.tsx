// The last line of a list: the sums of all its rows, also of those on other pages.
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import type { List, ListColumn, ListState } from './list.ts'
import { type Sums, sumsOfRows, sumsQuery } from './sums.ts'
import type { TableList } from './table-source.ts'

export interface SumFootProps<Row> {
  list: List<Row>
  columns: readonly ListColumn<Row>[]
  /** The columns in sight. */
  shown: readonly { readonly key: string; readonly title: string; readonly align?: 'start' | 'end' }[]
  state: ListState
  /** All matching rows, if they are in the browser. */
  all: readonly Row[] | undefined
  total: number | null
  /** Cells in front of the columns. */
  lead: number
}

export function SumFoot<Row>(props: SumFootProps<Row>) {
  return props.list.source.kind === 'table' ? (
    <AskedFoot {...props} list={props.list as TableList<Row>} />
  ) : (
    <Foot {...props} sums={sumsOfRows(props.columns, props.all ?? [])} />
  )
}

function AskedFoot<Row>({ list, ...props }: SumFootProps<Row> & { list: TableList<Row> }) {
  const { data, isError } = useQuery(sumsQuery(list, props.columns, props.state))
  // Without sums the list is still whole.
  return isError ? null : <Foot {...props} list={list} sums={data} />
}

function Foot<Row>({
  columns,
  shown,
  sums,
  total,
  lead,
}: SumFootProps<Row> & {
  /** undefined: still asked for. */
  sums: Sums | undefined
}) {
  const texts = new Map(
    columns.map(({ key, sum }) => {
      const value = sums?.[key]
      return [key, value === null || value === undefined ? null : (sum?.show(value) ?? null)]
    }),
  )
  return (
    <tfoot>
      <tr>
        {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
        {lead > 0 && <td className="cell-tick" />}
        {shown.map(({ key, title, align }, at) =>
          at === 0 ? (
            <th key={key} scope="row" title={t('Summe aller Zeilen, auch der auf anderen Seiten')}>
              {total === null || total === 1 ? t('Summe') : t('Summe aller {n}', { n: formatNumber(total) })}
            </th>
          ) : (
            <td key={key} className={align === 'end' ? 'cell-end nums' : undefined} data-title={title}>
              {texts.get(key)}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  )
}
