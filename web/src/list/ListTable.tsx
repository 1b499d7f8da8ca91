// The rows of a list, memoised: rendered again only when something in them changed.
import { type ComponentType, memo, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { DataTable, type DataTableProps } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { isNarrowed, type List, type ListColumn, type ListState, sortBy, withoutFilters } from './list.ts'
import { nameOf } from './row-name.ts'
import type { Selection } from './use-selection.ts'

/** Renders the rows; VirtualTable renders only those in view. */
export type TableComponent = ComponentType<DataTableProps<never>>

export interface ListTableProps<Row> {
  list: List<Row>
  columns: readonly ListColumn<Row>[]
  visible: readonly string[] | undefined
  rows: readonly Row[]
  state: ListState
  /** Null while unknown. */
  total: number | null
  loading: boolean
  stale: boolean
  show: (state: ListState) => void
  selection: Selection<Row> | undefined
  firstSteps: ReactNode
  table: TableComponent | undefined
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
      skeletonRows={Math.min(state.zeilen, 15)}
      empty={<NoRows list={list} state={state} total={total} show={show} firstSteps={firstSteps} />}
    />
  )
}
export const ListTable = memo(Table) as typeof Table

function NoRows<Row>({
  list,
  state,
  total,
  show,
  firstSteps,
}: Pick<ListTableProps<Row>, 'list' | 'state' | 'total' | 'show' | 'firstSteps'>) {
  const words = list.words()
  if (state.seite > 1)
    return (
      <EmptyState
        icon="search"
        title={t('Diese Seite gibt es nicht')}
        action={
          // The total, and with it the last page, may arrive later than the empty page.
          <Button
            onClick={() => show({ ...state, seite: Math.max(1, Math.ceil((total ?? 0) / state.zeilen)) })}
          >
            {total === null ? t('Zur ersten Seite') : t('Zur letzten Seite')}
          </Button>
        }
      >
        {t('Die Liste ist inzwischen kürzer.')}
      </EmptyState>
    )
  if (isNarrowed(state))
    return (
      <EmptyState
        icon="search"
        title={words.none}
        action={
          <Button onClick={() => show(withoutFilters(state))}>{t('Suche und Filter zurücksetzen')}</Button>
        }
      >
        {t(
          'Zu dieser Suche und diesen Filtern gibt es nichts. Prüfen Sie die Schreibweise oder suchen Sie mit weniger Wörtern.',
        )}
      </EmptyState>
    )
  return (
    <EmptyState icon={list.icon ?? 'inbox'} title={words.empty} action={firstSteps}>
      {words.emptyHint}
    </EmptyState>
  )
}
