// A list by groups (groups.ts): a line for each with its number and sums, its rows below when it is opened, some
// at a time.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import {
  type Column,
  type DataTableProps,
  HeadCell,
  moveBetweenRows,
  openRow,
  Row as TableRow,
  shownColumns,
  SkeletonRow,
} from '../ui/DataTable.tsx'
import { Notice } from '../ui/Display.tsx'
import { useFitting } from '../ui/fitting.ts'
import { formatNumber } from '../ui/format.ts'
import { Icon } from '../ui/Icon.tsx'
import { ErrorState } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { usePrinting } from '../ui/use-printing.ts'
import { type Group, groupsOfRows, groupsQuery, listOfGroup, MOST_GROUPS, type RowGroup } from './groups.ts'
import './grouped.css'
import { type Grouping, type List, type ListColumn, type ListState, sortBy } from './list.ts'
import type { ListModel } from './list-model.ts'
import type { TableList } from './table-source.ts'
import { pageQuery } from './use-list-rows.ts'

const STEP = 25

interface GroupedRowsProps<Row> {
  model: ListModel<Row>
  grouping: Grouping
  foot: DataTableProps<Row>['foot']
}

export function GroupedRows<Row>(props: GroupedRowsProps<Row>) {
  return props.model.list.source.kind === 'table' ? <AskedGroups {...props} /> : <OwnGroups {...props} />
}

function AskedGroups<Row>(props: GroupedRowsProps<Row>) {
  const { columns, list, shown: state } = props.model
  const table = list as TableList<Row>
  const query = useQuery(groupsQuery(table, columns, state, props.grouping))
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <GroupTable
      {...props}
      groups={query.data}
      rowsOf={({ value }, draw) => (
        <AskedRows list={listOfGroup(table, props.grouping, value)} state={state} draw={draw} />
      )}
    />
  )
}

function OwnGroups<Row>(props: GroupedRowsProps<Row>) {
  const { columns, rows } = props.model
  const groups = rows.all && groupsOfRows(columns, rows.all, props.grouping)
  return (
    <GroupTable
      {...props}
      groups={groups}
      allOpen={usePrinting()}
      rowsOf={(group, draw) => <OwnRows group={group as RowGroup<Row>} draw={draw} />}
    />
  )
}

/** Draws rows and, if there are more of them, what asks for these; no rows: they are on their way. */
type Draw<Row> = (rows: readonly Row[] | undefined, more?: (() => void) | false) => ReactNode

function OwnRows<Row>({ group: { rows }, draw }: { group: RowGroup<Row>; draw: Draw<Row> }) {
  const [most, setMost] = useState(STEP)
  if (usePrinting()) return draw(rows)
  return draw(rows.slice(0, most), rows.length > most && (() => setMost(most + 4 * STEP)))
}

function AskedRows<Row>({ list, state, draw }: { list: TableList<Row>; state: ListState; draw: Draw<Row> }) {
  const [pages, setPages] = useState(1)
  return Array.from({ length: pages }, (_, at) => (
    <AskedPage
      key={at}
      list={list}
      state={{ ...state, seite: at + 1, zeilen: STEP }}
      draw={draw}
      more={at + 1 === pages && (() => setPages(pages + 1))}
    />
  ))
}

function AskedPage<Row>({
  list,
  state,
  draw,
  more,
}: {
  list: TableList<Row>
  state: ListState
  draw: Draw<Row>
  more: (() => void) | false
}) {
  const { placeholderData: _, ...page } = pageQuery(list, state)
  const query = useQuery(page)
  if (query.isError)
    return (
      <tr>
        <td colSpan={99}>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </td>
      </tr>
    )
  return draw(query.data?.rows, query.data?.hasNext === true && more)
}

interface GroupTableProps<Row> extends GroupedRowsProps<Row> {
  groups: readonly Group[] | undefined
  /** On paper, where no group can be opened; only of rows that are here. */
  allOpen?: boolean
  rowsOf: (group: Group, draw: Draw<Row>) => ReactNode
}

function GroupTable<Row>({ model, grouping, foot, groups, allOpen = false, rowsOf }: GroupTableProps<Row>) {
  const { list, columns, visible, shown: state, show } = model
  const [open, setOpen] = useState<ReadonlySet<Group['value']>>(new Set())
  const scroller = useRef<HTMLElement>(null)
  const captionId = useId()
  const shown = useFitting(
    shownColumns(columns, visible),
    visible ? undefined : list.lesser,
    scroller,
    groups,
  )
  const toggle = (value: Group['value'], on: boolean) => {
    const next = new Set(open)
    if (on) next.add(value)
    else next.delete(value)
    setOpen(next)
  }
  const title = t('{title} nach {group}', { title: list.words().title, group: grouping.label() })
  return (
    <div className="table-frame">
      {groups && groups.length > MOST_GROUPS && (
        <Notice tone="warning">
          {t(
            'Gezeigt werden die ersten {n} Gruppen. Bitte suchen oder filtern Sie, um die anderen zu sehen.',
            {
              n: formatNumber(MOST_GROUPS),
            },
          )}
        </Notice>
      )}
      <section
        ref={scroller}
        className="table-scroll"
        aria-labelledby={captionId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the keyboard
        tabIndex={0}
      >
        {/* The keyboard uses the links and buttons inside; this is a mouse shortcut. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table
          className="table table-cards table-grouped"
          aria-busy={groups === undefined}
          onClick={openRow}
          onAuxClick={openRow}
          onKeyDown={(event) => {
            moveBetweenGroups(event)
            moveBetweenRows(event)
          }}
        >
          <caption id={captionId} className="visually-hidden">
            {title}
          </caption>
          <thead>
            <tr>
              {shown.map((column, at) => (
                <HeadCell
                  key={column.key}
                  column={column}
                  sort={{ column: state.sort, descending: state.isDescending }}
                  onSort={({ column: key }) => show(sortBy(list, state, key))}
                  at={at + 1}
                />
              ))}
            </tr>
          </thead>
          {groups === undefined ? (
            <tbody>
              {Array.from({ length: 6 }, (_, at) => (
                <SkeletonRow key={at} cells={shown.length} />
              ))}
            </tbody>
          ) : (
            groups.slice(0, MOST_GROUPS).map((group) => (
              <tbody key={String(group.value)}>
                <GroupHead
                  group={group}
                  columns={columns}
                  shown={shown}
                  open={allOpen || open.has(group.value)}
                  onOpen={(on) => toggle(group.value, on)}
                />
                {(allOpen || open.has(group.value)) &&
                  rowsOf(group, (rows, more) => <Drawn {...{ list, shown, rows, more }} />)}
              </tbody>
            ))
          )}
          {groups && foot?.(shown)}
        </table>
      </section>
    </div>
  )
}

/** Its name over the columns that have no sum. */
function GroupHead<Row>({
  group: { name, count, sums },
  columns,
  shown,
  open,
  onOpen,
}: {
  group: Group
  columns: readonly ListColumn<Row>[]
  shown: readonly Column<Row>[]
  open: boolean
  onOpen: (open: boolean) => void
}) {
  const sumOf = new Map(columns.map(({ key, sum }) => [key, sum]))
  const first = shown.findIndex(({ key }) => sumOf.get(key) !== undefined)
  const span = first < 1 ? shown.length : first
  return (
    <tr className="row-group">
      <th scope="rowgroup" colSpan={span}>
        <button
          type="button"
          className="group-button"
          aria-expanded={open}
          data-group
          onClick={() => onOpen(!open)}
        >
          <Icon name={open ? 'chevronDown' : 'chevronRight'} size={16} />
          {name} <span className="soft">({formatNumber(count)})</span>
        </button>
      </th>
      {shown.slice(span).map(({ key, title }) => {
        const value = sums[key]
        return (
          <td key={key} className="cell-end nums" data-title={title}>
            {value === null || value === undefined ? null : sumOf.get(key)?.show(value)}
          </td>
        )
      })}
    </tr>
  )
}

function Drawn<Row>({
  list,
  shown,
  rows,
  more,
}: {
  list: List<Row>
  shown: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  more: (() => void) | false | undefined
}) {
  if (!rows) return <SkeletonRow cells={shown.length} />
  const { rowKey, rowHref, rowTone } = list
  return (
    <>
      {rows.map((row) => (
        <TableRow
          key={rowKey(row)}
          caption=""
          columns={shown}
          rows={rows}
          row={row}
          shown={shown}
          rowKey={rowKey}
          {...(rowHref && { rowHref })}
          {...(rowTone && { rowTone })}
        />
      ))}
      {more && (
        <tr>
          <td colSpan={shown.length}>
            <Button size="small" onClick={more}>
              {t('Weitere Zeilen zeigen')}
            </Button>
          </td>
        </tr>
      )}
    </>
  )
}

/** Up and down lead from group to group; right opens one, left closes it. */
function moveBetweenGroups(event: KeyboardEvent<HTMLElement>) {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-group]')) return
  const groups = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-group]')]
  const at = groups.indexOf(target)
  const isOpen = target.getAttribute('aria-expanded') === 'true'
  if ((key === 'ArrowRight' && !isOpen) || (key === 'ArrowLeft' && isOpen)) target.click()
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: groups.length - 1 }[key]
  if (next === undefined) return
  event.preventDefault()
  groups[next]?.focus()
}
