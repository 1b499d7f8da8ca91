// A list on screen: count, actions, toolbar, chips, table, pages. ListPage is a whole page; ListCard is the
// part below the heading, for use in other pages.
import { type ReactNode, useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { ApiError } from '../data/api-error.ts'
import { doubtRights } from '../data/rights-doubt.ts'
import { Button } from '../ui/Button.tsx'
import { ColumnChooser, shownColumns } from '../ui/DataTable.tsx'
import { Card } from '../ui/Display.tsx'
import { SearchField } from '../ui/Field.tsx'
import { formatNumber } from '../ui/format.ts'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Page, type PageProps, Toolbar } from '../ui/Page.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { ErrorState } from '../ui/States.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { useStoredColumns } from '../ui/stored-columns.ts'
import { t } from '../ui/text.ts'
import type { BulkAction } from './bulk.ts'
import { Chips } from './Chips.tsx'
import type { ExportFormat } from './ExportDialog.tsx'
import './list.css'
import {
  countFilters,
  isNarrowed,
  type List,
  type ListColumn,
  type ListState,
  PAGE_SIZES,
  plainState,
  withoutFilters,
} from './list.ts'
import { ListTable, type TableComponent } from './ListTable.tsx'
import { type ListRows, useListRows } from './use-list-rows.ts'
import { type ListControl, useListState, useSearchText } from './use-list-state.ts'
import { useSelection } from './use-selection.ts'

// Loaded only when needed.
const FilterPanel = splitOff(async () => (await import('./FilterPanel.tsx')).FilterPanel)
const ExportDialog = splitOff(
  async () => (await import('./ExportDialog.tsx')).ExportDialog,
) as typeof import('./ExportDialog.tsx').ExportDialog
const BulkBar = splitOff(
  async () => (await import('./BulkBar.tsx')).BulkBar,
) as typeof import('./BulkBar.tsx').BulkBar

const ViewsMenu = splitOff(
  async () => (await import('./ViewsMenu.tsx')).ViewsMenu,
  <ViewsButton />,
) as typeof import('./ViewsMenu.tsx').ViewsMenu

export interface ListModel<Row> extends ListControl {
  readonly list: List<Row>
  readonly columns: readonly ListColumn<Row>[]
  /** Keys of the chosen columns; undefined for the default ones. */
  readonly visible: readonly string[] | undefined
  readonly choose: (columns: readonly string[] | undefined) => void
  readonly rows: ListRows<Row>
  /** The state that `rows` belong to; the controls may be briefly ahead of it. */
  readonly shown: ListState
}

/** The model behind a list, for pages that show more of it than ListPage does. */
export function useList<Row>(list: List<Row>): ListModel<Row> {
  const control = useListState(list)
  const columns = useMemo(() => list.columns(), [list])
  const [visible, choose] = useStoredColumns(
    list.name,
    columns.map(({ key }) => key),
  )
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
export function countText<Row>({ list, state, rows: { total } }: ListModel<Row>): string {
  if (total === null) return '\u00a0'
  const { one, many } = list.words()
  if (isNarrowed(state)) return total === 1 ? t('1 Treffer') : t('{n} Treffer', { n: formatNumber(total) })
  return total === 1 ? one : many(formatNumber(total))
}

export function ListCard<Row>({
  model,
  firstSteps,
  bulk,
  table,
  tools,
}: ListOptions<Row> & { model: ListModel<Row> }) {
  const { list, state, show, change, setFilter, columns: all, visible, choose, rows, shown } = model
  const words = list.words()
  const [text, setText] = useSearchText(state.suche, change)
  const shownVisible = useDeferredValue(visible)
  const columns = shownColumns(all, visible) as readonly ListColumn<Row>[]
  const selection = useSelection(list, state)
  const [format, setFormat] = useState<ExportFormat | null>(null)
  const filters = countFilters(state)
  const [filterOpen, setFilterOpen] = useState(false)
  const filterId = useId()
  const { source, filters: kinds = [] } = list
  const searchable = source.kind === 'table' ? source.search !== false : source.text !== false
  const whole = table !== undefined && rows.all !== undefined
  const reset = () => show(withoutFilters(state))
  const { error, total } = rows
  // A list in use rarely becomes empty at once; more likely row security now hides it because rights have
  // changed.
  const isEmpty = total === 0 && !isNarrowed(shown)
  useEffect(() => {
    if (isEmpty) doubtRights()
  }, [isEmpty])
  const drawn = whole ? (rows.all ?? rows.rows) : rows.rows
  return (
    <Card flush>
      <div className="list-toolbar">
        <Toolbar label={t('Suche und Ansicht')}>
          {searchable && (
            <SearchField
              label={words.search ?? t('{title} suchen', { title: words.title })}
              {...(words.searchHint !== undefined && { placeholder: words.searchHint })}
              value={text}
              onValue={setText}
              maxLength={100}
            />
          )}
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
          {rows.loading ? (
            <ViewsButton />
          ) : (
            <ViewsMenu
              list={list}
              state={state}
              columns={columns.map(({ key }) => key)}
              show={show}
              choose={choose}
            />
          )}
          <ColumnChooser columns={all} visible={visible} onChange={choose} />
          <Menu
            label={t('Export')}
            align="end"
            trigger={
              <>
                <Icon name="download" />
                {t('Export')}
              </>
            }
            items={[
              { key: 'xlsx', label: t('Excel (XLSX)'), onSelect: () => setFormat('xlsx') },
              { key: 'csv', label: t('CSV für Excel'), onSelect: () => setFormat('csv') },
            ]}
          />
        </Toolbar>
        {kinds.length > 0 && (
          <div id={filterId} hidden={!filterOpen}>
            {filterOpen && <FilterPanel filters={kinds} state={state} onFilter={setFilter} onReset={reset} />}
          </div>
        )}
        {filters > 0 && (
          <Chips
            filters={kinds}
            state={state}
            onFilter={setFilter}
            onReset={() => show({ ...withoutFilters(state), suche: state.suche })}
          />
        )}
        {bulk && selection.rows.size > 0 && (
          <BulkBar
            list={list}
            state={state}
            selection={selection}
            actions={bulk}
            all={rows.all}
            total={total}
          />
        )}
      </div>
      {error ? (
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
      ) : (
        <ListTable
          list={list}
          columns={all}
          visible={shownVisible}
          rows={drawn}
          state={shown}
          total={drawn.length === 0 ? total : null}
          loading={rows.loading}
          stale={rows.stale}
          show={show}
          selection={bulk && selection}
          firstSteps={firstSteps}
          table={table}
        />
      )}
      {total !== 0 && !whole && (
        <Pagination
          page={state.seite}
          pageSize={state.zeilen}
          total={total}
          shown={rows.rows.length}
          first={(shown.seite - 1) * shown.zeilen + 1}
          onPage={(seite) => change({ seite })}
          onPageSize={(size) => change({ zeilen: PAGE_SIZES.find((known) => known === size) ?? 25 })}
        />
      )}
      {format && (
        <ExportDialog
          format={format}
          list={list}
          state={state}
          columns={columns}
          rows={rows.all}
          total={total}
          onClose={() => setFormat(null)}
        />
      )}
    </Card>
  )
}

/** Placeholder until the views' code is loaded, which waits for the rows. */
function ViewsButton() {
  return (
    <Button icon="file" disabled>
      {t('Ansichten')}
    </Button>
  )
}
