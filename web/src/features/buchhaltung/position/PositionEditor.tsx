// Laid out as a grid, the elements of a table lose their meaning: the roles say it again.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/role-supports-aria-props */
// Lines of a document, typed like a spreadsheet. The model is grid.ts; here it is drawn, and given keys, mouse and clipboard.
import { useQuery } from '@tanstack/react-query'
import {
  type ClipboardEvent,
  Fragment,
  memo,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Positionsvorlage } from '#contract/vorlage.ts'
import type { BelegSummen } from '#domain/beleg.ts'
import { EINHEITEN } from '#domain/einheiten.ts'
import { dezimal, formatCents, formatZahl } from '#domain/geld.ts'
import { belegRechnen, positionBetrag, positionNummern, type RechenBeleg } from '#domain/rechnung.ts'
import { rpc } from '../../../data/rpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'
import { Erlaeuterung } from './Erlaeuterung.tsx'
import {
  chosenRows,
  commit,
  copyText,
  duplicateRows,
  type Grid,
  insertAt,
  moveRows,
  moveTo,
  paste,
  redo,
  removeRows,
  SPALTEN,
  type Spalte,
  shiftRows,
  startEdit,
  undo,
} from './grid.ts'
import { onGridKey } from './grid-keys.ts'
import { PositionRow } from './PositionRow.tsx'
import { spalteText } from './position-words.ts'
import './position.css'
import { type Act, useGrid } from './use-grid.ts'
import { emptyZeile, isBlankZeile, rechenPosition, type Zeile } from './zeile.ts'

const NONE: readonly Positionsvorlage[] = []
export const vorlagenQuery = {
  queryKey: ['positionsvorlagen', 'kurz'],
  queryFn: ({ signal }: { signal: AbortSignal }) => rpc('a_get_position_tmpl', {}, { signal }),
  staleTime: 60_000,
}

export type Kopf = Omit<RechenBeleg, 'positionen'>
export interface Live {
  readonly zeilen: readonly Zeile[]
  readonly summen: BelegSummen
}
export interface EditorHandle {
  /** `row` of the lines that are saved: empty ones do not count. */
  readonly focus: (row: number, spalte: string) => void
}

/** With what is being typed. */
function effective(grid: Grid): readonly Zeile[] {
  return grid.edit === null ? grid.zeilen : commit(grid).zeilen
}
const reckon = (zeilen: readonly Zeile[], kopf: Kopf) => belegRechnen({ ...kopf, positionen: zeilen.map(rechenPosition) })

/** Drawn anew for its own lines' sake, not for what else changes on the page. */
export const PositionEditor = memo(function PositionEditor({
  value,
  onChange,
  kopf,
  said,
  onLive,
  tools,
  ref,
}: {
  /** The lines as one text (printZeilen). */
  value: string
  onChange: (text: string) => void
  kopf: Kopf
  /** What the check of the document says of its lines, by place among the saved ones: field and sentence. */
  said: ReadonlyMap<number, string>
  /** Lines and sums as they are typed. */
  onLive: (live: Live) => void
  tools?: ReactNode
  ref?: Ref<EditorHandle>
}) {
  const control = useGrid(value, onChange)
  const { grid, act } = control
  const gridId = useId()
  const table = useRef<HTMLTableElement>(null)
  const below = useRef<HTMLButtonElement>(null)
  /** The focus follows the cursor from now on. */
  const follow = useRef(false)
  const [openKeys, setOpenKeys] = useState<ReadonlySet<number>>(new Set())
  const [drop, setDrop] = useState<number | null>(null)
  const [news, setNews] = useState('')
  const vorlagen = useQuery(vorlagenQuery).data ?? NONE

  const numbers = useMemo(() => positionNummern(grid.zeilen.map(rechenPosition)), [grid.zeilen])
  // Sums follow in a render that the next key may interrupt.
  const later = useDeferredValue(grid)
  const live = useMemo(() => {
    const zeilen = effective(later)
    const { summen, zeilen: reckoned } = reckon(zeilen, kopf)
    const headings = zeilen.flatMap((zeile, at) => (zeile.art === 'ueberschrift' ? [`${zeile.key} ${reckoned[at]?.betrag ?? ''}`] : []))
    return { zeilen, summen, headings: headings.join('\n') }
  }, [later, kopf])
  useEffect(() => onLive({ zeilen: live.zeilen, summen: live.summen }), [live, onLive])
  // By what it says: most keys change no subtotal.
  const subtotals = useMemo(
    () => new Map(live.headings.split('\n').map((line) => [Number(line.split(' ')[0]), line.split(' ')[1] ?? ''] as const)),
    [live.headings],
  )
  const sections = useMemo(
    () => Array.from({ length: Math.ceil(grid.zeilen.length / SECTION) }, (_, nth) => nth * SECTION),
    [grid.zeilen.length],
  )
  const saidByKey = useMemo(() => {
    const keys = new Map<number, string>()
    let nr = 0
    for (const zeile of grid.zeilen)
      if (!isBlankZeile(zeile)) {
        const words = said.get(nr)
        if (words !== undefined) keys.set(zeile.key, words)
        nr += 1
      }
    return keys
  }, [grid.zeilen, said])

  const { row, col } = grid.cursor
  const typing = grid.edit !== null
  useLayoutEffect(() => {
    if (!follow.current || typing) return
    table.current?.querySelector<HTMLElement>(`[data-cell="${row}.${col}"]`)?.focus()
    // The lines count, too: an inserted one takes the cursor's place.
  }, [row, col, typing, grid.zeilen])
  const toggle = useCallback(
    (key: number) =>
      setOpenKeys((before) => (before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]))),
    [],
  )
  const closeErl = useCallback(
    (key: number, at: number) => {
      follow.current = true
      toggle(key)
      act((now) => moveTo(now, { row: at, col: SPALTEN.indexOf('bez') }))
      requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-cell="${at}.${SPALTEN.indexOf('bez')}"]`)?.focus())
    },
    [act, toggle],
  )
  const toggleErl = () => {
    const { zeilen, cursor } = control.now()
    const zeile = zeilen[cursor.row]
    if (!zeile) return
    if (openKeys.has(zeile.key)) return toggle(zeile.key)
    toggle(zeile.key)
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-erl="${zeile.key}"] textarea`)?.focus())
  }
  useImperativeHandle(ref, () => ({
    focus: (wanted, field) => {
      follow.current = true
      const { zeilen } = control.now()
      const at = zeilen.findIndex(
        (zeile, index) => !isBlankZeile(zeile) && zeilen.slice(0, index).filter((one) => !isBlankZeile(one)).length === wanted,
      )
      const spalte = (SPALTEN as readonly string[]).indexOf(field)
      act((now) => moveTo(now, { row: at, col: spalte < 0 ? SPALTEN.indexOf('bez') : spalte }))
      const zeile = zeilen[at]
      if (spalte < 0 && zeile && !openKeys.has(zeile.key)) toggle(zeile.key)
      requestAnimationFrame(() => {
        const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${at}.${spalte < 0 ? SPALTEN.indexOf('bez') : spalte}"]`)
        cell?.scrollIntoView({ block: 'center' })
        cell?.focus()
      })
    },
  }))

  const inGrid = (target: EventTarget) =>
    target instanceof Element && target.closest('[data-erl]') === null && target.closest('tbody') !== null
  const onKeyDown = (event: KeyboardEvent) => {
    if (!inGrid(event.target) || event.nativeEvent.isComposing) return
    follow.current = true
    if (onGridKey(control, event, { toggleErl, leave: () => below.current?.focus() })) {
      event.preventDefault()
      event.stopPropagation()
    } else if (event.key === 'Tab') follow.current = false
  }
  const onPaste = (event: ClipboardEvent) => {
    if (!inGrid(event.target)) return
    const text = event.clipboardData.getData('text/plain').replaceAll('\0', '')
    if (text === '' || (typing && !/[\t\n]/.test(text))) return
    event.preventDefault()
    follow.current = true
    const { grid: next, lines, faulty } = paste(control.now(), text)
    act(() => next)
    setNews(
      faulty === 0
        ? t('{n} Zeilen eingefügt.', { n: lines })
        : t('{n} Zeilen eingefügt, {faulty} Angaben sind zu prüfen.', { n: lines, faulty }),
    )
  }
  const onCopy = (event: ClipboardEvent) => {
    if (!inGrid(event.target) || typing) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', copyText(control.now()))
  }
  const placeOf = (target: EventTarget): { row: number; col: number } | null => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
    const [at, column] = (cell?.dataset['cell'] ?? '').split('.').map(Number)
    return cell && at !== undefined && column !== undefined ? { row: at, col: column } : null
  }
  const onMouseDown = (event: MouseEvent) => {
    const place = placeOf(event.target)
    if (!place || event.button !== 0 || (event.target instanceof Element && event.target.closest('input, select, button, [role=listbox]')))
      return
    follow.current = true
    if (event.shiftKey) {
      event.preventDefault()
      act((now) => ({ ...commit(now), anchor: commit(now).anchor ?? now.cursor.row, cursor: { row: place.row, col: now.cursor.col } }))
    } else if (place.row === row && place.col === col && document.activeElement === event.target) act((now) => startEdit(now))
    else act((now) => moveTo(now, place))
  }
  const onDoubleClick = (event: MouseEvent) => {
    if (placeOf(event.target)) act((now) => startEdit(now))
  }

  // Dragging by the grip; pointer events serve mouse, pen and finger alike.
  const onPointerDown = (event: PointerEvent) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-grip]') || event.button !== 0) return
    const place = placeOf(event.target)
    if (!place) return
    event.preventDefault()
    const [from, to] = chosenRows(control.now())
    if (place.row < from || place.row > to) act((now) => moveTo(now, { row: place.row, col: now.cursor.col }))
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrop(place.row)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drop === null) return
    const line = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-row]')
    if (!line) return
    const box = line.getBoundingClientRect()
    setDrop(Number(line.dataset['row']) + (event.clientY > box.top + box.height / 2 ? 1 : 0))
    line.scrollIntoView({ block: 'nearest' })
  }
  const onPointerUp = (event: PointerEvent) => {
    if (drop === null) return
    event.currentTarget.releasePointerCapture(event.pointerId)
    const [from, to] = chosenRows(control.now())
    const target = drop <= from ? drop : Math.max(from, drop - (to - from + 1))
    setDrop(null)
    follow.current = true
    act((now) => moveRows(now, target))
  }

  const press = (wanted: (now: Grid) => Grid) => () => {
    follow.current = true
    act(wanted)
  }
  const [from, to] = chosenRows(grid)
  const typedLine = effective(grid)[row] ?? emptyZeile()
  const empty = grid.zeilen.length === 0
  const satz = kopf.kleinunternehmer ? '0' : formatZahl(dezimal(kopf.ust_satz))
  return (
    <div className="pos-editor">
      <fieldset className="pos-tools" aria-label={t('Positionen bearbeiten')}>
        <Button size="small" icon="plus" onClick={press((now) => insertAt(now, now.zeilen.length === 0 ? 0 : chosenRows(now)[1] + 1))}>
          {t('Position')}
        </Button>
        <Button
          size="small"
          icon="plus"
          onClick={press((now) => insertAt(now, now.zeilen.length === 0 ? 0 : chosenRows(now)[1] + 1, { art: 'ueberschrift' }))}
        >
          {t('Überschrift')}
        </Button>
        <Button size="small" disabled={empty} onClick={press(duplicateRows)}>
          {t('Duplizieren')}
        </Button>
        <Button size="small" icon="trash" disabled={empty} onClick={press(removeRows)}>
          {t('Löschen')}
        </Button>
        <Button size="small" icon="sortUp" disabled={empty || from === 0} onClick={press((now) => shiftRows(now, -1))}>
          {t('Nach oben')}
        </Button>
        <Button size="small" icon="sortDown" disabled={empty || to === grid.zeilen.length - 1} onClick={press((now) => shiftRows(now, 1))}>
          {t('Nach unten')}
        </Button>
        <Button size="small" disabled={grid.past.length === 0 && !typing} onClick={press(undo)}>
          {t('Rückgängig')}
        </Button>
        <Button size="small" disabled={grid.future.length === 0} onClick={press(redo)}>
          {t('Wiederholen')}
        </Button>
        {tools}
      </fieldset>
      {empty ? (
        <p className="pos-empty soft">{t('Noch keine Positionen. Fügen Sie eine hinzu, oder fügen Sie Zeilen aus Excel ein.')}</p>
      ) : (
        // The frame only scrolls; everything to press is in the grid.
        <div className="pos-scroll">
          {/* A grid by the pattern of ARIA: one stop for Tab, arrows inside, Escape leads out. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <table
            ref={table}
            role="grid"
            className="pos-grid"
            aria-label={t('Positionen')}
            aria-multiselectable="true"
            aria-rowcount={grid.zeilen.length + 1}
            aria-colcount={SPALTEN.length}
            aria-describedby={`${gridId}-help`}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onCopy={onCopy}
            onMouseDown={onMouseDown}
            onDoubleClick={onDoubleClick}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={() => setDrop(null)}
            onBlur={(event) => {
              if (!event.currentTarget.contains(event.relatedTarget)) follow.current = false
            }}
          >
            <thead role="rowgroup">
              <tr role="row" aria-rowindex={1}>
                {SPALTEN.map((spalte: Spalte, at) => (
                  <th key={spalte} role="columnheader" scope="col" aria-colindex={at + 1}>
                    {spalteText(spalte)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {sections.map((start) => {
                const isHere = row >= start && row < start + SECTION
                return (
                  <Abschnitt
                    key={start}
                    zeilen={grid.zeilen}
                    start={start}
                    numbers={numbers}
                    subtotals={subtotals}
                    active={isHere ? row : -1}
                    col={isHere ? col : -1}
                    edit={isHere ? grid.edit : null}
                    betrag={isHere ? amountOf(typedLine) : ''}
                    from={grid.anchor === null ? -1 : from}
                    to={grid.anchor === null ? -1 : to}
                    drop={drop !== null && drop >= start && drop < start + SECTION ? drop : null}
                    openKeys={openKeys}
                    saidByKey={saidByKey}
                    satz={satz}
                    gridId={gridId}
                    vorlagen={isHere ? vorlagen : NONE}
                    act={act}
                    toggle={toggle}
                    closeErl={closeErl}
                  />
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      <div className="pos-foot">
        <Button ref={below} size="small" icon="plus" onClick={press((now) => insertAt(now, now.zeilen.length))}>
          {t('Position hinzufügen')}
        </Button>
        <details className="pos-help">
          <summary>{t('Tastatur')}</summary>
          <p id={`${gridId}-help`}>
            {t(
              'Pfeile bewegen, Tippen oder F2 ändert, Eingabe übernimmt, Esc verwirft oder verlässt die Tabelle. Strg+Eingabe fügt eine Zeile ein, Strg+D verdoppelt, Strg+Entf löscht, Alt+Pfeil verschiebt, Alt+Eingabe öffnet die Erläuterung, Umschalt+Pfeil wählt Zeilen, Strg+Z nimmt zurück. Zeilen aus Excel lassen sich einfügen.',
            )}
          </p>
        </details>
        <output className="pos-news" aria-live="polite">
          {news}
        </output>
      </div>
      <datalist id={`${gridId}-einheiten`}>
        {EINHEITEN.map(({ code, name }) => (
          <option key={code} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </div>
  )
})

/** So many lines are looked at together: a key then compares a handful of sections and the lines of one. */
const SECTION = 25
interface SectionProps {
  zeilen: readonly Zeile[]
  start: number
  numbers: readonly string[]
  subtotals: ReadonlyMap<number, string>
  /** Line of the cursor; -1: in another section. */
  active: number
  col: number
  edit: string | null
  /** Of the cursor's line, with what is being typed. */
  betrag: string
  /** Chosen lines; -1: none. */
  from: number
  to: number
  drop: number | null
  openKeys: ReadonlySet<number>
  saidByKey: ReadonlyMap<number, string>
  satz: string
  gridId: string
  vorlagen: readonly Positionsvorlage[]
  act: (act: Act) => void
  toggle: (key: number) => void
  closeErl: (key: number, at: number) => void
}
const Abschnitt = memo(function Abschnitt(props: SectionProps) {
  const { zeilen, start, numbers, subtotals, active, col, edit, betrag, from, to, drop, openKeys, saidByKey, satz, gridId, vorlagen } =
    props
  const { act, toggle, closeErl } = props
  return zeilen.slice(start, start + SECTION).map((zeile, nth) => {
    const at = start + nth
    const isActive = at === active
    const open = openKeys.has(zeile.key)
    const nr = numbers[at] ?? ''
    return (
      <Fragment key={zeile.key}>
        <PositionRow
          zeile={zeile}
          row={at}
          nr={nr}
          betrag={zeile.art === 'ueberschrift' ? (subtotals.get(zeile.key) ?? '') : isActive ? betrag : amountOf(zeile)}
          active={isActive ? col : -1}
          edit={isActive ? edit : null}
          chosen={from >= 0 && at >= from && at <= to}
          open={open}
          drop={drop === at}
          said={saidByKey.get(zeile.key) ?? ''}
          satz={satz}
          gridId={gridId}
          vorlagen={isActive ? vorlagen : NONE}
          act={act}
          toggle={toggle}
        />
        {open && (
          <tr role="row" data-erl={zeile.key} className="pos-erl-row">
            <td role="gridcell" colSpan={SPALTEN.length}>
              <Erlaeuterung zeile={zeile} row={at} nr={nr} act={act} onClose={() => closeErl(zeile.key, at)} />
            </td>
          </tr>
        )}
      </Fragment>
    )
  })
})

const amounts = new WeakMap<Zeile, string>()
function amountOf(zeile: Zeile): string {
  const known = amounts.get(zeile)
  if (known !== undefined) return known
  const made = formatCents(positionBetrag(rechenPosition(zeile)))
  amounts.set(zeile, made)
  return made
}
