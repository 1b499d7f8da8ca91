// The rows of the file as a virtualized table. Faulty cells are marked and show their message.
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { Fault } from '#domain/import-faults.ts'
import { type FieldKey, fieldOf, type Mapping } from '#domain/import-fields.ts'
import { type Cell, cellText } from '#domain/import-values.ts'
import { Badge } from '../../ui/Display.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { type FaultsByRow, messageOf } from './fault-list.ts'
import type { ReadTable } from '#domain/import-table.ts'

const ROW_HEIGHT = 36
const NR_WIDTH = 90
const STATE_WIDTH = 340
const CELL_WIDTH = 170

interface RowsProps {
  table: ReadTable
  mapping: Mapping
  /** Row numbers to show. */
  rows: readonly number[]
  byRow: FaultsByRow
  active: number | null
  onActive: (row: number) => void
}

export function ImportRows({ table, mapping, rows, byRow, active, onActive }: RowsProps) {
  const scroller = useRef<HTMLElement>(null)
  const columns = useMemo(
    () => mapping.flatMap((key, column) => (key === null ? [] : [{ key, column }])),
    [mapping],
  )
  // No compiler memoizes this component, so the functions are never stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  const { scrollToIndex } = virtual
  useEffect(() => {
    const index = active === null ? -1 : rows.indexOf(active)
    if (index < 0) return
    scrollToIndex(index, { align: 'center' })
    // Also scroll sideways to the faulty cell: the table is wider than any screen.
    const field = byRow.get(active!)?.[0]?.feld
    const column = columns.findIndex(({ key }) => key === field)
    const middle = NR_WIDTH + STATE_WIDTH + (column + 0.5) * CELL_WIDTH
    if (column >= 0 && scroller.current)
      scroller.current.scrollLeft = middle - scroller.current.clientWidth / 2
  }, [active, rows, scrollToIndex, byRow, columns])
  if (rows.length === 0) return <EmptyState icon="check" title={t('Keine Zeile mit solchen Hinweisen')} />
  const drawn = virtual.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  return (
    // Scrolls both ways, so it must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={scroller} className="import-rows" aria-label={t('Zeilen der Datei')} tabIndex={0}>
      <table
        aria-rowcount={rows.length + 1}
        style={{ width: NR_WIDTH + STATE_WIDTH + columns.length * CELL_WIDTH }}
      >
        <caption className="visually-hidden">{t('Zeilen der Datei')}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" style={{ width: NR_WIDTH }}>
              {t('Zeile')}
            </th>
            <th scope="col" style={{ width: STATE_WIDTH }}>
              {t('Hinweis')}
            </th>
            {columns.map(({ key }) => (
              <th scope="col" key={key} style={{ width: CELL_WIDTH }}>
                {t(fieldOf(key).label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} />
          {drawn.map(({ index }) => {
            const row = rows[index]!
            return (
              <Row
                key={row}
                zeile={row}
                index={index}
                cells={table.rows[row - table.firstRow]!}
                columns={columns}
                faults={byRow.get(row)}
                active={row === active}
                onActive={onActive}
              />
            )
          })}
          <Gap height={below} />
        </tbody>
      </table>
    </section>
  )
}

/** Placeholder for rows that are not rendered. */
const Gap = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className="import-gap">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
      <td style={{ height }} />
    </tr>
  ) : null

interface RowProps {
  zeile: number
  index: number
  cells: readonly Cell[]
  columns: readonly { readonly key: FieldKey; readonly column: number }[]
  faults: readonly Fault[] | undefined
  active: boolean
  onActive: (row: number) => void
}

const NONE: readonly Fault[] = []

const Row = memo(function Row({ zeile, index, cells, columns, faults = NONE, active, onActive }: RowProps) {
  const first = faults[0]
  return (
    <tr aria-rowindex={index + 2} aria-current={active || undefined}>
      <th scope="row" className="nums">
        {first ? (
          <button
            type="button"
            className="import-open"
            aria-label={t('Hinweise zu Zeile {n} zeigen', { n: zeile })}
            onClick={() => onActive(zeile)}
          >
            {zeile}
          </button>
        ) : (
          zeile
        )}
      </th>
      <td title={first && messageOf(first)}>
        {first && (
          <>
            <Badge tone={faults.some(({ stufe }) => stufe === 'fehler') ? 'danger' : 'warning'}>
              {faults.length}
            </Badge>{' '}
            {messageOf(first)}
          </>
        )}
      </td>
      {columns.map(({ key, column }) => {
        const fault = faults.find(({ feld }) => feld === key)
        return (
          <td key={key} className={fault && `import-cell-${fault.stufe}`} title={fault && messageOf(fault)}>
            {cellText(cells[column])}
          </td>
        )
      })}
    </tr>
  )
})
