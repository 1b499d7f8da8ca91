// The points as a table: in use or not, where, how far off. The tick of a row is where the keyboard stands.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import type { Punkt } from '#domain/georef/sitzung.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import '../../ui/table.css'
import { ortText, pixelText } from './georef-words.ts'

export interface PunktTaten {
  readonly gehe: (id: number) => void
  readonly benutzen: (id: number, enable: boolean) => void
  readonly bearbeiten: (id: number) => void
  readonly loeschen: (id: number) => void
}
interface Zeile {
  readonly punkt: Punkt
  readonly nr: number
  readonly dx: number | null
  readonly dy: number | null
  readonly rest: number | null
  readonly ausgelassen: number | null
  readonly schlecht: boolean
}

/** Of a row; all are one line high. */
const ROW_PX = 43

type Key = 'nr' | 'enable' | 'ost' | 'nord' | 'spalte' | 'zeile' | 'dx' | 'dy' | 'rest' | 'ausgelassen'
const valueOf = (row: Zeile, key: Key): number | null => {
  switch (key) {
    case 'nr':
    case 'dx':
    case 'dy':
    case 'rest':
    case 'ausgelassen':
      return row[key]
    case 'enable':
      return row.punkt.enable ? 0 : 1
    default:
      return row.punkt[key]
  }
}
/** What is not known stands last either way. */
function sorted(rows: readonly Zeile[], key: Key, down: boolean): readonly Zeile[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, key), valueOf(other, key)]
    if (a === null || b === null) return a === b ? one.nr - other.nr : a === null ? 1 : -1
    return (down ? b - a : a - b) || one.nr - other.nr
  })
}

interface Props {
  punkte: readonly Punkt[]
  auswertung: Auswertung
  epsg: number
  gewaehlt: number | null
  /** For a spline the residual says nothing and the other one is the figure. */
  spline: boolean
  taten: PunktTaten
}

export function PunktTabelle({ punkte, auswertung, epsg, gewaehlt, spline, taten }: Props) {
  const [sort, setSort] = useState<{ key: Key; down: boolean }>({ key: 'nr', down: false })
  const rows = useMemo(
    () =>
      sorted(
        punkte.map((punkt, index): Zeile => {
          const rest = auswertung.rest[index] ?? null
          return {
            punkt,
            nr: index + 1,
            dx: rest?.dx ?? null,
            dy: rest?.dy ?? null,
            rest: rest?.laenge ?? null,
            ausgelassen: auswertung.ausgelassen[index] ?? null,
            schlecht: index === auswertung.schlechtester,
          }
        }),
        sort.key,
        sort.down,
      ),
    [punkte, auswertung, sort],
  )
  const scroll = useRef<HTMLElement>(null)
  // Of a thousand rows, all of which change with every move, only those in sight are drawn.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => ROW_PX, overscan: 20 })
  const drawn = virtual.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  const columns: readonly (readonly [Key, string, string])[] = [
    ['enable', t('Benutzt'), t('Ob der Punkt mitgerechnet wird')],
    ['nr', t('Nr.'), t('In der Reihenfolge, in der sie gesetzt wurden')],
    ['ost', t('Ost'), t('Rechtswert auf der Karte')],
    ['nord', t('Nord'), t('Hochwert auf der Karte')],
    ['spalte', t('Spalte'), t('Pixel vom linken Rand des Scans')],
    ['zeile', t('Zeile'), t('Pixel vom oberen Rand des Scans')],
    ['dx', 'dX', t('Abweichung nach rechts, in Pixeln des Scans')],
    ['dy', 'dY', t('Abweichung nach unten, in Pixeln des Scans')],
    ['rest', t('Restfehler'), t('Länge der Abweichung, in Pixeln des Scans')],
    ['ausgelassen', t('Ausgelassen'), t('Wie weit der Punkt von dort liegt, wohin ihn alle anderen setzen, in Pixeln des Scans')],
  ]
  return (
    // Scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={scroll} className="table-scroll georef-tabelle" aria-label={t('Passpunkte')} tabIndex={0}>
      <table className="table" aria-label={t('Passpunkte')} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(([key, title, hint]) => (
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
                  onClick={() => setSort({ key, down: sort.key === key ? !sort.down : key === 'rest' || key === 'ausgelassen' })}
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
        {/* It only notices the keys pressed on the controls inside. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onKeyDown={(event) => onKey(event, taten)}>
          {above > 0 && <Leer hoehe={above} />}
          {drawn.map(({ index }) => {
            const row = rows[index]!
            return (
              <PunktZeile
                key={row.punkt.id}
                {...row}
                stelle={index + 2}
                epsg={epsg}
                gewaehlt={row.punkt.id === gewaehlt}
                spline={spline}
                taten={taten}
              />
            )
          })}
          {below > 0 && <Leer hoehe={below} />}
        </tbody>
      </table>
    </section>
  )
}

/** As high as the rows that are out of sight. */
const Leer = ({ hoehe }: { hoehe: number }) => (
  <tr aria-hidden="true">
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
    <td colSpan={11} style={{ height: hoehe, padding: 0, border: 0 }} />
  </tr>
)

const PunktZeile = memo(function PunktZeile({
  punkt: { id, ost, nord, spalte, zeile, enable },
  nr,
  dx,
  dy,
  rest,
  ausgelassen,
  schlecht,
  stelle,
  epsg,
  gewaehlt,
  spline,
  taten,
}: Zeile & { stelle: number; epsg: number; gewaehlt: boolean; spline: boolean; taten: PunktTaten }) {
  const soft = spline ? 'cell-end soft' : 'cell-end'
  return (
    <tr
      className={`${gewaehlt ? 'georef-gewaehlt' : ''}${enable ? '' : ' georef-aus'}`}
      data-punkt={id}
      aria-rowindex={stelle}
      aria-selected={gewaehlt}
    >
      <td>
        <input
          type="checkbox"
          checked={enable}
          aria-label={t('Punkt {nr} benutzen', { nr })}
          onChange={(event) => taten.benutzen(id, event.target.checked)}
        />
      </td>
      <td className="cell-end">
        <button type="button" className="link-button" aria-label={t('Zu Punkt {nr} springen', { nr })} onClick={() => taten.gehe(id)}>
          {nr}
        </button>
      </td>
      <td className="cell-end">{ortText(ost, epsg)}</td>
      <td className="cell-end">{ortText(nord, epsg)}</td>
      <td className="cell-end">{pixelText(spalte)}</td>
      <td className="cell-end">{pixelText(zeile)}</td>
      <td className={soft}>{pixelText(dx)}</td>
      <td className={soft}>{pixelText(dy)}</td>
      <td className={soft}>
        {schlecht && !spline && <Badge tone="danger">{t('größter')}</Badge>} {pixelText(rest)}
      </td>
      <td className={spline ? 'cell-end' : 'cell-end soft'}>
        {schlecht && spline && <Badge tone="danger">{t('größter')}</Badge>} {pixelText(ausgelassen)}
      </td>
      <td className="georef-taten">
        <IconButton icon="edit" size="small" label={t('Koordinaten von Punkt {nr}', { nr })} onClick={() => taten.bearbeiten(id)} />
        <IconButton icon="trash" size="small" label={t('Punkt {nr} löschen', { nr })} onClick={() => taten.loeschen(id)} />
      </td>
    </tr>
  )
})

/** Up and down go from row to row in the same column, Enter on a tick jumps to the point, Delete takes it away. */
function onKey(event: KeyboardEvent<HTMLTableSectionElement>, taten: PunktTaten) {
  const control = event.target as HTMLElement
  const row = control.closest('tr')
  const id = Number(row?.dataset['punkt'])
  if (row === null || !Number.isFinite(id) || event.ctrlKey || event.metaKey || event.altKey) return
  const beside = event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null
  if (event.key === 'Delete') {
    event.preventDefault()
    // Whoever deletes one after the other stays in the table.
    const next = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector<HTMLElement>('input')
    taten.loeschen(id)
    next?.focus()
  } else if (event.key === 'Enter' && control instanceof HTMLInputElement) {
    event.preventDefault()
    taten.gehe(id)
  } else if (beside !== null) {
    event.preventDefault()
    const column = control.closest('td')?.cellIndex ?? 0
    ;(beside as HTMLTableRowElement).cells[column]?.querySelector<HTMLElement>('input, button')?.focus()
  }
}
