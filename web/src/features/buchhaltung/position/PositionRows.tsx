// Table elements lose their semantics when laid out as a grid; the roles restore them.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles */
/* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role */
// The lines of the editor. Long documents are virtualized; the cursor's line and every open explanation stay
// rendered, so that neither focus nor input is lost.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentProps, memo, type RefObject, useCallback, useMemo } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { formatCents } from '#domain/geld.ts'
import { positionAmount, positionNumbers } from '#domain/rechnung.ts'
import { Explanation } from './Explanation.tsx'
import { COLUMNS } from './grid.ts'
import { positionBasis, type TableRow } from './line.ts'
import { PositionRow } from './PositionRow.tsx'
import type { Act } from './use-grid.ts'

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
const itemsOf = (rows: readonly TableRow[], openKeys: ReadonlySet<number>): readonly number[] =>
  rows.flatMap(({ key }, at) => (openKeys.has(key) ? [at, -1 - at] : [at]))

/** Where one item is, if only those in sight are rendered. */
interface Placed {
  readonly ref: ((item: Element | null) => void) | undefined
  readonly index: number | undefined
  readonly start: number | null
}
const UNPLACED: Placed = { ref: undefined, index: undefined, start: null }

/** The items to render, all of them or those in sight, with the height of all. */
function useShownItems({ zeilen, openKeys, row, scroller }: RowsProps) {
  const items = useMemo(() => itemsOf(zeilen, openKeys), [zeilen, openKeys])
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
  return isLong
    ? {
        height: virtual.getTotalSize(),
        shown: virtual.getVirtualItems().map(({ index, start }) => ({
          item: items[index]!,
          placed: { ref: virtual.measureElement, index, start: start ?? 0 },
        })),
      }
    : { height: null, shown: items.map((item) => ({ item, placed: UNPLACED })) }
}

export const PositionRows = memo(function PositionRows(props: RowsProps) {
  const { zeilen, row, col, edit, from, to, drop, openKeys, saidByKey, satz, gridId } = props
  const { act, toggle } = props
  const numbers = useMemo(() => positionNumbers(zeilen.map(positionBasis)), [zeilen])
  const { height, shown } = useShownItems(props)
  return (
    <tbody
      role="rowgroup"
      className={height === null ? undefined : 'pos-long'}
      style={height === null ? undefined : { height }}
    >
      {shown.map(({ item, placed }) => {
        const at = item < 0 ? -1 - item : item
        const line = zeilen[at]!
        const nr = numbers[at] ?? ''
        if (item < 0)
          return (
            <ExplanationRow
              key={`erl ${line.key}`}
              placed={placed}
              zeile={line}
              row={at}
              nr={nr}
              act={act}
              onClose={() => props.closeExplanation(line.key, at)}
            />
          )
        const isActive = at === row
        return (
          <PositionRow
            key={line.key}
            {...placed}
            zeile={line}
            row={at}
            nr={nr}
            betrag={amountAt(props, at)}
            active={isActive ? col : -1}
            edit={isActive ? edit : null}
            chosen={from >= 0 && at >= from && at <= to}
            open={openKeys.has(line.key)}
            drop={drop === at ? 'above' : drop === at + 1 && at === zeilen.length - 1 ? 'below' : null}
            said={saidByKey.get(line.key) ?? ''}
            satz={satz}
            gridId={gridId}
            templates={isActive ? props.templates : NONE}
            act={act}
            toggle={toggle}
          />
        )
      })}
    </tbody>
  )
})

function ExplanationRow({
  placed: { ref, index, start },
  zeile,
  ...shown
}: ComponentProps<typeof Explanation> & { placed: Placed }) {
  return (
    <tr
      role="row"
      ref={ref}
      data-index={index}
      data-erl={zeile.key}
      className="pos-erl-row"
      style={start === null ? undefined : { transform: `translateY(${start}px)` }}
    >
      <td role="gridcell" colSpan={COLUMNS.length}>
        <Explanation zeile={zeile} {...shown} />
      </td>
    </tr>
  )
}

/** Headings show their subtotal, the cursor's line what is being typed. */
function amountAt({ zeilen, row, typed, subtotals }: RowsProps, at: number): string {
  const line = zeilen[at]!
  return line.art === 'ueberschrift'
    ? (subtotals.get(line.key) ?? '')
    : amountOf(at === row && typed ? typed : line)
}

const amounts = new WeakMap<TableRow, string>()
function amountOf(row: TableRow): string {
  const known = amounts.get(row)
  if (known !== undefined) return known
  const made = formatCents(positionAmount(positionBasis(row)))
  amounts.set(row, made)
  return made
}
