// The points as a table: in use or not, place, residuals. A row's checkbox is its keyboard focus.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import type { Point } from '#domain/georef/session.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import '../../ui/table.css'
import { coordinateText, pixelText } from './georef-words.ts'

export interface PointActions {
  readonly goTo: (id: number) => void
  readonly setInUse: (id: number, enable: boolean) => void
  readonly edit: (id: number) => void
  readonly erase: (id: number) => void
}
interface TableRow {
  readonly point: Point
  readonly nr: number
  readonly dx: number | null
  readonly dy: number | null
  readonly rest: number | null
  readonly leftOut: number | null
  readonly worst: boolean
}

/** Row height; all rows are one line high. */
const ROW_PX = 43

type Key = 'nr' | 'enable' | 'ost' | 'nord' | 'spalte' | 'zeile' | 'dx' | 'dy' | 'rest' | 'leftOut'
const valueOf = (row: TableRow, key: Key): number | null => {
  switch (key) {
    case 'nr':
    case 'dx':
    case 'dy':
    case 'rest':
    case 'leftOut':
      return row[key]
    case 'enable':
      return row.point.enable ? 0 : 1
    default:
      return row.point[key]
  }
}
/** Unknown values come last in both directions. */
function sorted(rows: readonly TableRow[], key: Key, down: boolean): readonly TableRow[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, key), valueOf(other, key)]
    if (a === null || b === null) return a === b ? one.nr - other.nr : a === null ? 1 : -1
    return (down ? b - a : a - b) || one.nr - other.nr
  })
}

interface Props {
  punkte: readonly Point[]
  evaluation: Evaluation
  epsg: number
  gewaehlt: number | null
  /** For a spline the residual is meaningless, and the leave-one-out error is shown instead. */
  spline: boolean
  actions: PointActions
}

interface Sort {
  readonly key: Key
  readonly down: boolean
}

function rowsOf(points: readonly Point[], evaluation: Evaluation, sort: Sort): readonly TableRow[] {
  const rows = points.map((point, index): TableRow => {
    const rest = evaluation.rest[index] ?? null
    return {
      point,
      nr: index + 1,
      dx: rest?.dx ?? null,
      dy: rest?.dy ?? null,
      rest: rest?.laenge ?? null,
      leftOut: evaluation.leftOut[index] ?? null,
      worst: index === evaluation.worstPoint,
    }
  })
  return sorted(rows, sort.key, sort.down)
}

export function PointTable({ punkte, evaluation, epsg, gewaehlt, spline, actions }: Props) {
  const [sort, setSort] = useState<Sort>({ key: 'nr', down: false })
  const rows = useMemo(() => rowsOf(punkte, evaluation, sort), [punkte, evaluation, sort])
  const scroll = useRef<HTMLElement>(null)
  // Virtualized, because a thousand rows all change with every move.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  })
  const drawn = virtual.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  return (
    // Scrollable, so it must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={scroll} className="table-scroll georef-tabelle" aria-label={t('Passpunkte')} tabIndex={0}>
      <table className="table" aria-label={t('Passpunkte')} aria-rowcount={rows.length + 1}>
        <Head sort={sort} onSort={setSort} />
        {/* Only handles keys pressed on the controls inside. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onKeyDown={(event) => onKey(event, actions)}>
          {above > 0 && <Empty hoehe={above} />}
          {drawn.map(({ index }) => {
            const row = rows[index]!
            return (
              <PointRow
                key={row.point.id}
                {...row}
                place={index + 2}
                epsg={epsg}
                gewaehlt={row.point.id === gewaehlt}
                spline={spline}
                actions={actions}
              />
            )
          })}
          {below > 0 && <Empty hoehe={below} />}
        </tbody>
      </table>
    </section>
  )
}

const columns = (): readonly (readonly [Key, string, string])[] => [
  ['enable', t('Benutzt'), t('Ob der Punkt mitgerechnet wird')],
  ['nr', t('Nr.'), t('In der Reihenfolge, in der sie gesetzt wurden')],
  ['ost', t('Ost'), t('Rechtswert auf der Karte')],
  ['nord', t('Nord'), t('Hochwert auf der Karte')],
  ['spalte', t('Spalte'), t('Pixel vom linken Rand des Scans')],
  ['zeile', t('Zeile'), t('Pixel vom oberen Rand des Scans')],
  ['dx', 'dX', t('Abweichung nach rechts, in Pixeln des Scans')],
  ['dy', 'dY', t('Abweichung nach unten, in Pixeln des Scans')],
  ['rest', t('Restfehler'), t('Länge der Abweichung, in Pixeln des Scans')],
  [
    'leftOut',
    t('Ausgelassen'),
    t('Wie weit der Punkt von dort liegt, wohin ihn alle anderen setzen, in Pixeln des Scans'),
  ],
]
/** Errors are sorted with the largest first. */
const nextSort = (sort: Sort, key: Key): Sort => ({
  key,
  down: sort.key === key ? !sort.down : key === 'rest' || key === 'leftOut',
})

function Head({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <thead>
      <tr>
        {columns().map(([key, title, hint]) => (
          <th
            key={key}
            scope="col"
            className={key === 'enable' ? undefined : 'cell-end'}
            aria-sort={sort.key === key ? (sort.down ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              className="sort-button"
              title={hint}
              onClick={() => onSort(nextSort(sort, key))}
            >
              {title}
              <Icon name={sort.key !== key ? 'sort' : sort.down ? 'sortDown' : 'sortUp'} size={14} />
            </button>
          </th>
        ))}
        <th scope="col">
          <span className="visually-hidden">{t('Aktionen')}</span>
        </th>
      </tr>
    </thead>
  )
}

/** Takes the height of the rows that are not rendered. */
const Empty = ({ hoehe }: { hoehe: number }) => (
  <tr aria-hidden="true">
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
    <td colSpan={11} style={{ height: hoehe, padding: 0, border: 0 }} />
  </tr>
)

interface RowProps extends TableRow {
  place: number
  epsg: number
  gewaehlt: boolean
  spline: boolean
  actions: PointActions
}
const PointRow = memo(function PointRow({ place, epsg, gewaehlt, spline, actions, ...figures }: RowProps) {
  const { point, nr } = figures
  const { id, enable } = point
  return (
    <tr
      className={`${gewaehlt ? 'georef-gewaehlt' : ''}${enable ? '' : ' georef-aus'}`}
      data-punkt={id}
      aria-rowindex={place}
      aria-selected={gewaehlt}
    >
      <td>
        <input
          type="checkbox"
          checked={enable}
          aria-label={t('Punkt {nr} benutzen', { nr })}
          onChange={(event) => actions.setInUse(id, event.target.checked)}
        />
      </td>
      <td className="cell-end">
        <button
          type="button"
          className="link-button"
          aria-label={t('Zu Punkt {nr} springen', { nr })}
          onClick={() => actions.goTo(id)}
        >
          {nr}
        </button>
      </td>
      <Figures {...figures} epsg={epsg} spline={spline} />
      <td className="georef-taten">
        <IconButton
          icon="edit"
          size="small"
          label={t('Koordinaten von Punkt {nr}', { nr })}
          onClick={() => actions.edit(id)}
        />
        <IconButton
          icon="trash"
          size="small"
          label={t('Punkt {nr} löschen', { nr })}
          onClick={() => actions.erase(id)}
        />
      </td>
    </tr>
  )
})

function Figures({
  point,
  dx,
  dy,
  rest,
  leftOut,
  worst,
  epsg,
  spline,
}: Omit<TableRow, 'nr'> & Pick<RowProps, 'epsg' | 'spline'>) {
  const soft = spline ? 'cell-end soft' : 'cell-end'
  return (
    <>
      <td className="cell-end">{coordinateText(point.ost, epsg)}</td>
      <td className="cell-end">{coordinateText(point.nord, epsg)}</td>
      <td className="cell-end">{pixelText(point.spalte)}</td>
      <td className="cell-end">{pixelText(point.zeile)}</td>
      <td className={soft}>{pixelText(dx)}</td>
      <td className={soft}>{pixelText(dy)}</td>
      <td className={soft}>
        {worst && !spline && <Badge tone="danger">{t('größter')}</Badge>} {pixelText(rest)}
      </td>
      <td className={spline ? 'cell-end' : 'cell-end soft'}>
        {worst && spline && <Badge tone="danger">{t('größter')}</Badge>} {pixelText(leftOut)}
      </td>
    </>
  )
}

/**
 * Up and down move between rows in the same column, Enter on a checkbox jumps to the point, Delete deletes
 * it.
 */
function onKey(event: KeyboardEvent<HTMLTableSectionElement>, actions: PointActions) {
  const control = event.target as HTMLElement
  const row = control.closest('tr')
  const id = Number(row?.dataset['punkt'])
  if (row === null || !Number.isFinite(id) || event.ctrlKey || event.metaKey || event.altKey) return
  const beside =
    event.key === 'ArrowDown'
      ? row.nextElementSibling
      : event.key === 'ArrowUp'
        ? row.previousElementSibling
        : null
  if (event.key === 'Delete') {
    event.preventDefault()
    // The focus stays in the table, so that several points can be deleted in a row.
    const next = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector<HTMLElement>('input')
    actions.erase(id)
    next?.focus()
  } else if (event.key === 'Enter' && control instanceof HTMLInputElement) {
    event.preventDefault()
    actions.goTo(id)
  } else if (beside !== null) {
    event.preventDefault()
    const column = control.closest('td')?.cellIndex ?? 0
    ;(beside as HTMLTableRowElement).cells[column]?.querySelector<HTMLElement>('input, button')?.focus()
  }
}
