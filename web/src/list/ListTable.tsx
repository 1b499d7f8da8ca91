// The rows of a list, memoised: rendered again only when something in them changed.
import { type ComponentType, memo } from 'react'
import { DataTable, type DataTableProps } from '../ui/DataTable.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { type ListColumn, sortBy } from './list.ts'
import type { NoRowsProps } from './NoRows.tsx'
import { nameOf } from './row-name.ts'
import type { Selection } from './use-selection.ts'

// Loaded only when needed.
const NoRows = splitOff(
  async () => (await import('./NoRows.tsx')).NoRows,
) as typeof import('./NoRows.tsx').NoRows

/** Renders the rows; VirtualTable renders only those in view. */
export type TableComponent = ComponentType<DataTableProps<never>>

interface ListTableProps<Row> extends NoRowsProps<Row> {
  columns: readonly ListColumn<Row>[]
  visible: readonly string[] | undefined
  rows: readonly Row[]
  loading: boolean
  stale: boolean
  selection: Selection<Row> | undefined
  table: TableComponent | undefined
  foot: DataTableProps<Row>['foot']
}

function Table<Row>({
  list,
  columns,
  visible,
  rows,
  state,
  total,
  loading,
  stale,
  show,
  selection,
  firstSteps,
  table,
  foot,
}: ListTableProps<Row>) {
  const { source, rowKey, rowHref, rowTone, lesser } = list
  const Drawn = (table ?? DataTable) as ComponentType<DataTableProps<Row>>
  return (
    <Drawn
      caption={list.words().title}
      columns={columns}
      visible={visible}
      rows={rows}
      rowKey={rowKey}
      lesser={lesser}
      {...(rowHref && { rowHref })}
      {...(rowTone && { rowTone })}
      {...(source.kind === 'array' && source.group && { groupOf: source.group })}
      {...(selection && {
        selection: {
          chosen: selection.rows,
          nameOf: (row: Row) => nameOf(list, row),
          onRow: (row: Row, range: boolean) => selection.toggle(row, rows, range),
          onAll: (chosen: boolean) => selection.set(rows, chosen),
        },
      })}
      sort={{ column: state.sort, descending: state.isDescending }}
      onSort={({ column }) => show(sortBy(list, state, column))}
      loading={loading}
      stale={stale}
      foot={foot}
      skeletonRows={Math.min(state.zeilen, 15)}
      empty={<NoRows list={list} state={state} total={total} show={show} firstSteps={firstSteps} />}
    />
  )
}
export const ListTable = memo(Table) as typeof Table
