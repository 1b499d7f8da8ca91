// A table for thousands of rows held in the browser: only those in view are in the document. All rows have
// the same height, so none is measured. Pages that need it pass it to ListPage (`table={VirtualTable}`);
// others do not load it.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef } from 'react'
import {
  type DataTableProps,
  HeadCell,
  HeadTick,
  openRow,
  Row,
  SkeletonRow,
  shownColumns,
} from '../ui/DataTable.tsx'
import { useFitting } from '../ui/fitting.ts'
import { usePreference } from '../ui/preferences.ts'
import { usePrinting } from '../ui/use-printing.ts'
import './virtual-table.css'

/** In pixels, as in virtual-table.css: compact rows are those of list.css. */
const ROW_HEIGHT = 38
const COMPACT_HEIGHT = 32
const mayBeCompact = (): boolean => window.matchMedia('(pointer: fine) and (min-width: 641px)').matches

type Line<T> = { readonly heading: string } | { readonly row: T }

/** The lines in view, and what is left out above and below them. */
function useWindow<T>(lines: readonly Line<T>[], scroller: RefObject<HTMLElement | null>, order: string) {
  const compact = usePreference('size') === 'small' && mayBeCompact()
  // Its functions are only used here and never memoised.
  // oxlint-disable-next-line react-hooks-js/incompatible-library
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (compact ? COMPACT_HEIGHT : ROW_HEIGHT),
    overscan: 8,
    initialRect: { width: 0, height: 720 },
  })
  useEffect(() => virtual.measure(), [virtual, compact])
  // After sorting or searching, scroll back to the top.
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [order, scroller])
  const items = virtual.getVirtualItems()
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const next = nextLine(event, lines)
    if (next === null) return
    event.preventDefault()
    const { kind, at } = next
    const body = event.currentTarget
    virtual.scrollToIndex(at)
    // The row may not be in the document yet.
    let tries = 0
    const focus = () => {
      const target = body.querySelector<HTMLElement>(`tr[data-line="${at}"] ${kind}`)
      if (target) target.focus({ preventScroll: true })
      else if (tries++ < 10) requestAnimationFrame(focus)
    }
    focus()
  }
  return {
    inView: items.map(({ index }) => index),
    above: items[0]?.start ?? 0,
    below: Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)),
    onKeyDown,
  }
}

export function VirtualTable<T>(props: DataTableProps<T>) {
  const { caption, columns, rows, rowKey, visible, sort, onSort, loading = false, stale = false } = props
  const { selection, groupOf } = props
  const captionId = useId()
  const scroller = useRef<HTMLElement>(null)
  const shown = useFitting(shownColumns(columns, visible), visible ? undefined : props.lesser, scroller, rows)
  const lines = useMemo(() => withHeadings(rows, groupOf), [rows, groupOf])
  const order = `${sort?.column ?? ''}${String(sort?.descending)}${lines.length}`
  const { onKeyDown, ...part } = useWindow(lines, scroller, order)
  const view = usePrinting() ? { inView: lines.map((_, at) => at), above: 0, below: 0 } : part
  return (
    <div className={`table-frame${stale ? ' table-stale' : ''}`}>
      {/* Focusable, so that the keyboard can scroll it. */}
      <section
        ref={scroller}
        className="table-scroll table-virtual"
        aria-labelledby={captionId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-scroll-restoration-id={caption}
      >
        <table className="table" aria-busy={loading || stale} aria-rowcount={loading ? -1 : lines.length + 1}>
          <caption id={captionId} className="visually-hidden">
            {caption}
          </caption>
          <thead>
            <tr aria-rowindex={1}>
              {selection && <HeadTick rows={rows} rowKey={rowKey} selection={selection} />}
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
          <tbody onClick={openRow} onAuxClick={openRow} onKeyDown={onKeyDown}>
            <Lines {...props} lines={lines} shown={shown} view={view} />
          </tbody>
        </table>
        {!loading && lines.length === 0 && props.empty}
      </section>
    </div>
  )
}

function Lines<T>({
  lines,
  shown,
  view: { inView, above, below },
  ...props
}: DataTableProps<T> & {
  lines: readonly Line<T>[]
  shown: DataTableProps<T>['columns']
  view: Omit<ReturnType<typeof useWindow>, 'onKeyDown'>
}) {
  const { rowKey, selection, loading = false, skeletonRows = 10 } = props
  const cells = shown.length + (selection ? 1 : 0)
  return (
    <>
      {loading &&
        Array.from({ length: skeletonRows }, (_, index) => <SkeletonRow key={index} cells={cells} />)}
      {above > 0 && <Space height={above} cells={cells} />}
      {!loading &&
        inView.map((index) => {
          const line = lines[index]
          if (line === undefined) return null
          if ('heading' in line)
            return (
              <tr key={`group ${line.heading}`} className="row-group" aria-rowindex={index + 2}>
                <th scope="rowgroup" colSpan={cells}>
                  {line.heading}
                </th>
              </tr>
            )
          return (
            <Row
              key={rowKey(line.row)}
              {...props}
              row={line.row}
              shown={shown}
              index={index + 2}
              line={index}
            />
          )
        })}
      {below > 0 && <Space height={below} cells={cells} />}
    </>
  )
}

const Space = ({ height, cells }: { height: number; cells: number }) => (
  <tr aria-hidden="true" className="row-space">
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
    <td colSpan={cells} style={{ height }} />
  </tr>
)

function withHeadings<T>(rows: readonly T[], groupOf: ((row: T) => string) | undefined): readonly Line<T>[] {
  if (!groupOf) return rows.map((row) => ({ row }))
  let last: string | undefined
  return rows.flatMap((row): Line<T>[] => {
    const heading = groupOf(row)
    if (heading === last) return [{ row }]
    last = heading
    return [{ heading }, { row }]
  })
}

/** Target of the arrow keys, Home, End and the page keys from a row's link or checkbox, skipping headings. */
function nextLine<T>(event: KeyboardEvent, lines: readonly Line<T>[]): { kind: string; at: number } | null {
  if (
    event.defaultPrevented ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    !(event.target instanceof Element)
  )
    return null
  const kind = ['a[data-row-link]', '.cell-tick input'].find((selector) =>
    (event.target as Element).matches(selector),
  )
  const from = Number(event.target.closest('tr')?.getAttribute('data-line') ?? Number.NaN)
  if (kind === undefined || Number.isNaN(from)) return null
  const step = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 15,
    PageUp: -15,
    Home: -lines.length,
    End: lines.length,
  }[event.key]
  if (step === undefined) return null
  let at = Math.min(lines.length - 1, Math.max(0, from + step))
  const way = step > 0 && event.key !== 'End' ? 1 : -1
  for (let line = lines[at]; line !== undefined && 'heading' in line; line = lines[at])
    at += event.key === 'Home' ? 1 : way
  return lines[at] === undefined ? null : { kind, at }
}
