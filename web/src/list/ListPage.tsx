// A list on screen: count, actions, toolbar, chips, table, pages. ListPage is a whole page; ListCard is the
// part below the heading, for use in other pages.
import { type ReactNode, useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { ApiError } from '../data/api-error.ts'
import { doubtRights } from '../data/rights-doubt.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Display.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { formatNumber } from '../ui/format.ts'
import { MOST_COUNTED } from './table-source.ts'
import { Page, type PageProps, Toolbar } from '../ui/Page.tsx'
import { ErrorState } from '../ui/States.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { useStoredColumns } from '../ui/stored-columns.ts'
import { t } from '../ui/text.ts'
import type { BulkAction } from './bulk.ts'
import './list.css'
import type { ListModel } from './list-model.ts'
import { ListTable, type TableComponent } from './ListTable.tsx'
import {
  countFilters,
  isNarrowed,
  type List,
  type ListColumn,
  PAGE_SIZES,
  plainState,
  withoutFilters,
} from './list.ts'
import { useListRows } from './use-list-rows.ts'
import { useListState, useSearchText } from './use-list-state.ts'
import { useSelection } from './use-selection.ts'

// Loaded only when needed.
const Chips = splitOff(async () => (await import('./Chips.tsx')).Chips)
const Pagination = splitOff(async () => (await import('../ui/Pagination.tsx')).Pagination)
const FilterPanel = splitOff(async () => (await import('./FilterPanel.tsx')).FilterPanel)
const BulkBar = splitOff(
  async () => (await import('./BulkBar.tsx')).BulkBar,
) as typeof import('./BulkBar.tsx').BulkBar

const GroupedRows = splitOff(
  async () => (await import('./GroupedRows.tsx')).GroupedRows,
) as typeof import('./GroupedRows.tsx').GroupedRows
const SumFoot = splitOff(
  async () => (await import('./SumFoot.tsx')).SumFoot,
) as typeof import('./SumFoot.tsx').SumFoot
const ListTools = splitOff(
  async () => (await import('./ListTools.tsx')).ListTools,
  <ToolButtons />,
) as typeof import('./ListTools.tsx').ListTools

/** The model behind a list, for pages that show more of it than ListPage does. */
export function useList<Row>(list: List<Row>): ListModel<Row> {
  const control = useListState(list)
  const columns = useMemo(() => list.columns(), [list])
  const known = useMemo(() => columns.map(({ key }) => key), [columns])
  const [visible, choose] = useStoredColumns(list.name, known)
  const ofStandard = control.opening?.spalten
  useEffect(() => {
    if (ofStandard) choose(ofStandard)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per opening
  }, [ofStandard])
  // Controls update at once; the rows follow in a render that another click may interrupt.
  const shown = useDeferredValue(control.state)
  const rows = useListRows(list, shown)
  return { ...control, list, columns, visible, choose, rows, shown }
}

export interface ListOptions<Row> {
  /** Buttons shown in an empty list. */
  firstSteps?: ReactNode
  /** Actions on selected rows; without any, rows have no checkboxes. */
  bulk?: readonly BulkAction<Row>[]
  /** VirtualTable for thousands of rows without pages. */
  table?: TableComponent
  /** Additional toolbar buttons. */
  tools?: ReactNode
}

export interface ListPageProps<Row>
  extends ListOptions<Row>,
    Pick<PageProps, 'title' | 'record' | 'actions'> {
  list: List<Row>
  /** Between heading and list. */
  children?: ReactNode
}

export function ListPage<Row>({ list, title, record, actions, children, ...options }: ListPageProps<Row>) {
  const model = useList(list)
  return (
    <Page title={title} record={record} actions={actions} subtitle={countText(model)}>
      {children}
      <ListCard model={model} {...options} />
    </Page>
  )
}

/** "500 Kunden" or "12 Treffer"; a blank while unknown, so that the layout does not shift. */
export function countText<Row>({ list, state, rows: { total, isBeyond } }: ListModel<Row>): string {
  if (total === null && !isBeyond) return '\u00a0'
  const { one, many } = list.words()
  const n = total === null ? t('mehr als {n}', { n: formatNumber(MOST_COUNTED) }) : formatNumber(total)
  if (isNarrowed(state)) return total === 1 ? t('1 Treffer') : t('{n} Treffer', { n })
  return total === 1 ? one : many(n)
}

interface ListToolbarProps<Row> {
  model: ListModel<Row>
  tools: ReactNode
}
/** Search and filters; what waits for the rows is in ListTools. */
function ListToolbar<Row>({ model, tools }: ListToolbarProps<Row>) {
  const { list, state, show, setFilter, rows } = model
  const filters = countFilters(state)
  const [filterOpen, setFilterOpen] = useState(false)
  const filterId = useId()
  const { filters: kinds = [] } = list
  const reset = () => show(withoutFilters(state))
  return (
    <>
      <Toolbar label={t('Suche und Ansicht')}>
        <ListSearch model={model} />
        {kinds.length > 0 && (
          <Button
            icon="filter"
            aria-expanded={filterOpen}
            aria-controls={filterId}
            onClick={() => setFilterOpen(!filterOpen)}
          >
            {filters === 0 ? t('Filter') : t('Filter ({n})', { n: filters })}
          </Button>
        )}
        <span className="toolbar-push" />
        {tools}
        {rows.loading ? <ToolButtons /> : <ListTools model={model} />}
      </Toolbar>
      {kinds.length > 0 && (
        <div id={filterId} hidden={!filterOpen}>
          {filterOpen && <FilterPanel filters={kinds} state={state} onFilter={setFilter} onReset={reset} />}
        </div>
      )}
      {state.suche !== '' && <p className="list-print">{t('Suche: {text}', { text: state.suche })}</p>}
      {filters > 0 && (
        <Chips
          filters={kinds}
          state={state}
          onFilter={setFilter}
          onReset={() => show({ ...withoutFilters(state), suche: state.suche })}
        />
      )}
    </>
  )
}

function ListSearch<Row>({ model: { list, state, change } }: { model: ListModel<Row> }) {
  const words = list.words()
  const [text, setText] = useSearchText(state.suche, change)
  const { source } = list
  const searchable = source.kind === 'table' ? source.search !== false : source.text !== false
  if (!searchable) return null
  return (
    <SearchField
      label={words.search ?? t('{title} suchen', { title: words.title })}
      {...(words.searchHint !== undefined && { placeholder: words.searchHint })}
      value={text}
      onValue={setText}
      maxLength={100}
    />
  )
}

export function ListCard<Row>({
  model,
  firstSteps,
  bulk,
  table,
  tools,
}: ListOptions<Row> & { model: ListModel<Row> }) {
  const { list, state, rows, shown } = model
  const selection = useSelection(list, state)
  const whole = table !== undefined && rows.all !== undefined
  const { total } = rows
  // A list in use rarely becomes empty at once; more likely row security now hides it because rights have
  // changed.
  const isEmpty = total === 0 && !isNarrowed(shown)
  useEffect(() => {
    if (isEmpty) doubtRights()
  }, [isEmpty])
  return (
    <Card flush>
      <div className="list-toolbar">
        <ListToolbar model={model} tools={tools} />
        {bulk && selection.rows.size > 0 && (
          <BulkBar
            list={list}
            state={state}
            selection={selection}
            actions={bulk}
            all={rows.all}
            total={total}
            isBeyond={rows.isBeyond}
          />
        )}
      </div>
      <ListRowsShown
        model={model}
        drawn={whole ? (rows.all ?? rows.rows) : rows.rows}
        selection={bulk && selection}
        firstSteps={firstSteps}
        table={table}
      />
      {total !== 0 && !whole && shown.gruppe === undefined && <Pages model={model} />}
    </Card>
  )
}

function Pages<Row>({ model: { state, change, rows, shown } }: { model: ListModel<Row> }) {
  return (
    <Pagination
      page={state.seite}
      pageSize={state.zeilen}
      total={rows.total}
      shown={rows.rows.length}
      first={(shown.seite - 1) * shown.zeilen + 1}
      onPage={(page) => change({ seite: page })}
      onPageSize={(size) => change({ zeilen: PAGE_SIZES.find((known) => known === size) ?? 25 })}
    />
  )
}

/** The table, or why there is none. */
function ListRowsShown<Row>({
  model,
  drawn,
  ...table
}: {
  model: ListModel<Row>
  drawn: readonly Row[]
  selection: ReturnType<typeof useSelection<Row>> | undefined
  firstSteps: ReactNode
  table: TableComponent | undefined
}) {
  const { list, show, columns, visible, rows, shown } = model
  const shownVisible = useDeferredValue(visible)
  const { error, total, all } = rows
  const lead = table.selection ? 1 : 0
  const foot = useMemo(
    () =>
      columns.some(({ sum }) => sum)
        ? (inSight: readonly ListColumn<Row>[]) => (
            <SumFoot {...{ list, columns, shown: inSight, state: shown, all, total, lead }} />
          )
        : undefined,
    [list, columns, shown, all, total, lead],
  )
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={rows.retry}
        action={
          error instanceof ApiError &&
          error.code === 'bad_filter' && (
            <Button onClick={() => show(plainState(list))}>{t('Alle Filter zurücksetzen')}</Button>
          )
        }
      />
    )
  const grouping = list.groups?.find(({ key }) => key === shown.gruppe)
  if (grouping && total !== 0) return <GroupedRows model={model} grouping={grouping} foot={foot} />
  return (
    <ListTable
      {...table}
      list={list}
      columns={columns}
      visible={shownVisible}
      rows={drawn}
      state={shown}
      total={drawn.length === 0 ? total : null}
      loading={rows.loading}
      stale={rows.stale}
      show={show}
      foot={foot}
    />
  )
}

/** Placeholders until the code is loaded, which waits for the rows. */
function ToolButtons() {
  return (
    <>
      <Button icon="file" disabled>
        {t('Ansichten')}
      </Button>
      <Button icon="columns" disabled>
        {t('Spalten')}
      </Button>
      <Button icon="download" disabled>
        {t('Export')}
      </Button>
    </>
  )
}
