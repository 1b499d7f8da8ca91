// Lists as real tables: sortable headers, a real link in the first column, and the whole row clickable for
// the mouse.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import './table.css'
import { arranged } from './column-choice.ts'
import { useFitting } from './fitting.ts'
import { Icon } from './Icon.tsx'
import { t } from './text.ts'

export interface Column<T> {
  readonly key: string
  readonly title: string
  readonly cell: (row: T) => ReactNode
  readonly sortable?: boolean
  readonly align?: 'start' | 'end'
  /** Any CSS width; default: from the content. */
  readonly width?: string
  /** Always shown and not in the column chooser, like the first column. */
  readonly fixed?: boolean
  /** Hidden by default. */
  readonly optional?: boolean
  /** In pixels, if a person has chosen it. */
  readonly ownWidth?: number
}
export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** Checkboxes in front of the rows. */
export interface RowSelection<T> {
  readonly chosen: { readonly has: (key: string | number) => boolean }
  /** Accessible name of a checkbox: the row's name. */
  readonly nameOf: (row: T) => string
  /** `range`: Shift was held; selects everything from the last toggled row to this one. */
  readonly onRow: (row: T, range: boolean) => void
  /** Selects or deselects all rows shown. */
  readonly onAll: (chosen: boolean) => void
}

export interface DataTableProps<T> {
  /** What the table contains; read aloud, not shown. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string | number
  /** Address that a row links to; the link is in the first column. */
  rowHref?: (row: T) => string
  /** The visible columns as a person arranged them (column-choice.ts); default: all but the optional ones. */
  visible?: readonly string[] | undefined
  /**
   * Keys of the columns to hide, in this order, when there is not enough room; ignored if the user chose the
   * columns.
   */
  lesser?: readonly string[] | undefined
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** No rows yet: shows placeholders. */
  loading?: boolean
  /** True while old rows are shown and the new ones are being fetched. */
  stale?: boolean
  /** Shown if there are no rows. */
  empty?: ReactNode
  /** Number of placeholder rows. */
  skeletonRows?: number
  rowTone?: (row: T) => 'faulty' | 'soft' | undefined
  selection?: RowSelection<T>
  /** Heading above a group of rows; rows must be sorted by group. */
  groupOf?: (row: T) => string
  /** What is below the rows, for the columns in sight. */
  foot?: ((shown: readonly Column<T>[]) => ReactNode) | undefined
}

export const shownColumns = <T,>(
  columns: readonly Column<T>[],
  visible?: readonly string[],
): readonly Column<T>[] =>
  visible
    ? arranged(columns, visible)
    : columns.filter((column, index) => index === 0 || column.fixed || !column.optional)

export function DataTable<T>(props: DataTableProps<T>) {
  const {
    caption,
    columns,
    rows,
    visible,
    sort,
    onSort,
    loading = false,
    stale = false,
    empty,
    skeletonRows = 10,
    selection,
  } = props
  const scroller = useRef<HTMLElement>(null)
  const shown = useFitting(shownColumns(columns, visible), visible ? undefined : props.lesser, scroller, rows)
  const captionId = useId()
  const none = !loading && rows.length === 0
  return (
    <div className={`table-frame${stale ? ' table-stale' : ''}`}>
      {/* Scrolls horizontally on narrow screens, so it must be focusable for the keyboard. */}
      <section
        ref={scroller}
        className="table-scroll"
        aria-labelledby={captionId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the keyboard
        tabIndex={0}
        data-scroll-restoration-id={caption}
      >
        <table className="table table-cards" aria-busy={loading || stale}>
          <caption id={captionId} className="visually-hidden">
            {caption}
          </caption>
          <thead>
            <tr>
              {selection && <HeadTick {...props} selection={selection} />}
              {shown.map((column, at) => (
                <HeadCell
                  key={column.key}
                  column={column}
                  sort={sort}
                  onSort={onSort}
                  at={selection ? at + 2 : at + 1}
                />
              ))}
            </tr>
          </thead>
          {/* The keyboard uses the link in the first column; this is a mouse shortcut. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <tbody onClick={openRow} onAuxClick={openRow} onKeyDown={moveBetweenRows}>
            {loading
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  <SkeletonRow key={index} cells={shown.length + (selection ? 1 : 0)} />
                ))
              : rows.map((row, at) => (
                  <RowWithHeading
                    key={props.rowKey(row)}
                    row={row}
                    before={rows[at - 1]}
                    shown={shown}
                    {...props}
                  />
                ))}
          </tbody>
          {!loading && !none && props.foot?.(shown)}
        </table>
        {none && empty}
      </section>
    </div>
  )
}

/** Checkbox for all rows shown; indeterminate if only some are selected. */
export function HeadTick<T>({
  rows,
  rowKey,
  selection,
}: Pick<DataTableProps<T>, 'rows' | 'rowKey'> & { selection: RowSelection<T> }) {
  const box = useRef<HTMLInputElement>(null)
  const ticked = rows.filter((row) => selection.chosen.has(rowKey(row))).length
  const every = rows.length > 0 && ticked === rows.length
  const some = ticked > 0 && !every
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <td className="cell-tick" aria-colindex={1}>
      <label>
        <input
          ref={box}
          type="checkbox"
          aria-label={t('Alle gezeigten Zeilen auswählen')}
          checked={every}
          disabled={rows.length === 0}
          onChange={() => selection.onAll(!every)}
        />
      </label>
    </td>
  )
}

export function HeadCell<T>({
  column: { key, title, align, width, ownWidth, sortable },
  sort,
  onSort,
  at,
}: {
  column: Column<T>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  /** Its number among the columns, from 1. */
  at: number
}) {
  const sorted = sort?.column === key ? sort : undefined
  const head = {
    scope: 'col',
    className: align === 'end' ? 'cell-end' : undefined,
    style: ownWidth ? { width: ownWidth, minWidth: ownWidth, maxWidth: ownWidth } : { width },
    'data-key': key,
    'aria-colindex': at,
  }
  if (!sortable || !onSort) return <th {...head}>{title}</th>
  return (
    <th {...head} aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className="sort-button"
        onClick={() => onSort({ column: key, descending: sorted ? !sorted.descending : false })}
      >
        {title}
        <Icon name={sorted ? (sorted.descending ? 'sortDown' : 'sortUp') : 'sort'} size={14} />
      </button>
    </th>
  )
}

export interface RowProps<T> extends DataTableProps<T> {
  row: T
  shown: readonly Column<T>[]
}

function RowWithHeading<T>({ before, ...props }: RowProps<T> & { before: T | undefined }) {
  const heading = props.groupOf?.(props.row)
  const isNew = heading !== undefined && (before === undefined || props.groupOf?.(before) !== heading)
  return (
    <>
      {isNew && (
        <tr className="row-group">
          <th scope="rowgroup" colSpan={props.shown.length + (props.selection ? 1 : 0)}>
            {heading}
          </th>
        </tr>
      )}
      <Row {...props} />
    </>
  )
}

export function Row<T>({
  row,
  shown,
  rowKey,
  rowHref,
  rowTone,
  selection,
  index,
  line,
}: RowProps<T> & { index?: number; line?: number }) {
  const href = rowHref?.(row)
  const tone = rowTone?.(row)
  const ticked = selection?.chosen.has(rowKey(row)) ?? false
  const className = `${href ? 'row-open' : ''}${tone ? ` row-${tone}` : ''}${ticked ? ' row-ticked' : ''}`
  return (
    <tr className={className || undefined} aria-rowindex={index} data-line={line} data-row={rowKey(row)}>
      {selection && (
        <td className="cell-tick" aria-colindex={1}>
          <label>
            <input
              type="checkbox"
              checked={ticked}
              aria-label={t('{name} auswählen', { name: selection.nameOf(row) })}
              onChange={({ nativeEvent }) =>
                selection.onRow(row, (nativeEvent as PointerEvent).shiftKey === true)
              }
            />
          </label>
        </td>
      )}
      {shown.map((column, at) => (
        <td
          key={column.key}
          className={cellClass(column)}
          style={column.ownWidth ? { maxWidth: column.ownWidth } : undefined}
          data-title={column.title}
          aria-colindex={selection ? at + 2 : at + 1}
        >
          {at === 0 && href ? (
            <a href={href} className="row-link" data-row-link>
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

const cellClass = ({ align, ownWidth }: Pick<Column<never>, 'align' | 'ownWidth'>) =>
  `${align === 'end' ? 'cell-end' : ''}${ownWidth ? ' cell-own' : ''}` || undefined

export const SkeletonRow = ({ cells }: { cells: number }) => (
  <tr aria-hidden="true" className="row-skeleton">
    {Array.from({ length: cells }, (_, index) => (
      <td key={index}>
        <span>{'\u00a0'}</span>
      </td>
    ))}
  </tr>
)

/**
 * One handler for all rows: a click next to the link acts like a click on it, also with Ctrl or the middle
 * button.
 */
export function openRow(event: MouseEvent<HTMLElement>) {
  if (event.defaultPrevented || !(event.target instanceof Element) || event.button === 2) return
  if (event.target.closest('a, button, input, select, label, [role="menu"]')) return
  if ((window.getSelection()?.toString() ?? '') !== '') return
  const link = event.target.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row-link]')
  if (!link) return
  if (event.button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener')
  else link.click()
}

/** Arrow keys move between rows from a row's link or checkbox; Home and End go to the first and last. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  if (
    event.defaultPrevented ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    !(event.target instanceof Element)
  )
    return
  const kind = event.target.matches('a[data-row-link]')
    ? 'a[data-row-link]'
    : event.target.matches('.cell-tick input')
      ? '.cell-tick input'
      : null
  if (kind === null) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(kind)]
  const at = all.indexOf(event.target as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  all[next]?.focus()
}
