// Table elements lose their semantics when laid out as a grid; the roles restore them.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
// The lines of the editor. Long documents are virtualized; the cursor's line and every open explanation stay
// rendered, so that neither focus nor input is lost.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useCallback, useMemo } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { formatCents } from '#domain/geld.ts'
import { positionAmount, positionNumbers } from '#domain/rechnung.ts'
import { Explanation } from './Explanation.tsx'
import { COLUMNS } from './grid.ts'
import { PositionRow } from './PositionRow.tsx'
import type { Act } from './use-grid.ts'
import { positionBasis, type TableRow } from './line.ts'

/** Up to this many are all rendered, so that the browser's find-in-page works. */
const ALL = 60
/** Estimates until measured. */
const LINE_PX = 35
const EXPLANATION_PX = 230

export interface RowsProps {
  zeilen: readonly TableRow[]
  scroller: RefObject<HTMLElement | null>
  /** The cursor's line. */
  row: number
  col: number
  edit: string | null
  /** The cursor's line including the text being typed. */
  typed: TableRow | undefined
  /** Selected lines; -1 for none. */
  from: number
  to: number
  drop: number | null
  openKeys: ReadonlySet<number>
  /** Keyed by line key. */
  saidByKey: ReadonlyMap<number, string>
  subtotals: ReadonlyMap<number, string>
  satz: string
  gridId: string
  templates: readonly PositionTemplate[]
  act: (act: Act) => void
  toggle: (key: number) => void
  closeExplanation: (key: number, at: number) => void
}

const NONE: readonly PositionTemplate[] = []
/** The items from top to bottom: the index of a line, or -1 minus that index for its explanation. */
const itemsOf = (zeilen: readonly TableRow[], openKeys: ReadonlySet<number>): readonly number[] =>
  zeilen.flatMap(({ key }, at) => (openKeys.has(key) ? [at, -1 - at] : [at]))

export const PositionRows = memo(function PositionRows(props: RowsProps) {
  const {
    zeilen,
    scroller,
    row,
    col,
    edit,
    typed,
    from,
    to,
    drop,
    openKeys,
    saidByKey,
    subtotals,
    satz,
    gridId,
    templates,
  } = props
  const { act, toggle, closeExplanation } = props
  const items = useMemo(() => itemsOf(zeilen, openKeys), [zeilen, openKeys])
  const numbers = useMemo(() => positionNumbers(zeilen.map(positionBasis)), [zeilen])
  const kept = useMemo(
    () => items.flatMap((item, at) => (item < 0 || item === row ? [at] : [])),
    [items, row],
  )
  const isLong = items.length > ALL
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), ...kept])].toSorted((a, b) => a - b),
    [kept],
  )
  // The functions it returns are only used here and never memoized.
  // oxlint-disable-next-line react-hooks-js/incompatible-library
  const virtual = useVirtualizer({
    count: items.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (items[at]! < 0 ? EXPLANATION_PX : LINE_PX),
    getItemKey: (at) => (items[at]! < 0 ? `erl ${zeilen[-1 - items[at]!]!.key}` : zeilen[items[at]!]!.key),
    overscan: 8,
    initialRect: { width: 0, height: 700 },
    rangeExtractor,
  })
  const shown: readonly { index: number; start: number | null }[] = isLong
    ? virtual.getVirtualItems()
    : items.map((_, index) => ({ index, start: null }))
  return (
    <tbody
      role="rowgroup"
      className={isLong ? 'pos-long' : undefined}
      style={isLong ? { height: virtual.getTotalSize() } : undefined}
    >
      {shown.map(({ index, start }) => {
        const item = items[index]!
        const at = item < 0 ? -1 - item : item
        const zeile = zeilen[at]!
        const nr = numbers[at] ?? ''
        const placed = isLong ? { ref: virtual.measureElement, index, start: start ?? 0 } : UNPLACED
        if (item < 0)
          return (
            <tr
              key={`erl ${zeile.key}`}
              role="row"
              ref={placed.ref}
              data-index={placed.index}
              data-erl={zeile.key}
              className="pos-erl-row"
              style={placed.start === null ? undefined : { transform: `translateY(${placed.start}px)` }}
            >
              <td role="gridcell" colSpan={COLUMNS.length}>
                <Explanation
                  zeile={zeile}
                  row={at}
                  nr={nr}
                  act={act}
                  onClose={() => closeExplanation(zeile.key, at)}
                />
              </td>
            </tr>
          )
        const isActive = at === row
        return (
          <PositionRow
            key={zeile.key}
            {...placed}
            zeile={zeile}
            row={at}
            nr={nr}
            betrag={
              zeile.art === 'ueberschrift'
                ? (subtotals.get(zeile.key) ?? '')
                : amountOf(isActive && typed ? typed : zeile)
            }
            active={isActive ? col : -1}
            edit={isActive ? edit : null}
            chosen={from >= 0 && at >= from && at <= to}
            open={openKeys.has(zeile.key)}
            drop={drop === at ? 'above' : drop === at + 1 && at === zeilen.length - 1 ? 'below' : null}
            said={saidByKey.get(zeile.key) ?? ''}
            satz={satz}
            gridId={gridId}
            templates={isActive ? templates : NONE}
            act={act}
            toggle={toggle}
          />
        )
      })}
    </tbody>
  )
})
const UNPLACED = { ref: undefined, index: undefined, start: null }

const amounts = new WeakMap<TableRow, string>()
function amountOf(zeile: TableRow): string {
  const known = amounts.get(zeile)
  if (known !== undefined) return known
  const made = formatCents(positionAmount(positionBasis(zeile)))
  amounts.set(zeile, made)
  return made
}
