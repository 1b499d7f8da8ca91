// Table elements lose their semantics when laid out as a grid; the roles restore them.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/role-supports-aria-props */
// The spreadsheet-like editor for document lines. The model is grid.ts; this component draws it and handles
// keys, mouse and clipboard.
import { useQuery } from '@tanstack/react-query'
import {
  type ClipboardEvent,
  memo,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { UNITS } from '#domain/units.ts'
import { decimal, formatGerman } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'
import {
  addLine,
  chosenRows,
  commit,
  copyText,
  moveTo,
  paste,
  COLUMNS,
  type Column,
  startEdit,
  typedLine,
} from './grid.ts'
import { onGridKey } from './grid-keys.ts'
import { PositionRows } from './PositionRows.tsx'
import { PositionTools } from './PositionTools.tsx'
import { columnText } from './position-words.ts'
import './position.css'
import { useDrag } from './use-drag.ts'
import { type Act, useGrid } from './use-grid.ts'
import { type Head, type Live, useLive } from './use-live.ts'
import { isBlankLine } from './line.ts'

const NONE: readonly PositionTemplate[] = []
export const templatesQuery = {
  queryKey: ['positionsvorlagen', 'kurz'],
  queryFn: ({ signal }: { signal: AbortSignal }) => rpc('a_get_position_tmpl', {}, { signal }),
  staleTime: 60_000,
}

export interface EditorHandle {
  /** `row` counts saved lines only, without empty ones. */
  readonly focus: (row: number, spalte: string) => void
}

/** Memoized: re-renders only for its own lines, not for other changes on the page. */
export const PositionEditor = memo(function PositionEditor({
  value,
  onChange,
  kopf,
  said,
  onLive,
  foot,
  ref,
}: {
  /** The lines as one string (printLines). */
  value: string
  onChange: (text: string) => void
  kopf: Head
  /** Faults from the check of the document, by index among the saved lines: field and text. */
  said: ReadonlyMap<number, string>
  /** Called with lines and sums as they are typed. */
  onLive: (live: Live) => void
  /** Rendered beside the buttons below the lines. */
  foot?: ReactNode
  ref?: Ref<EditorHandle>
}) {
  const control = useGrid(value, onChange)
  const { grid, act } = control
  const gridId = useId()
  const table = useRef<HTMLTableElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const below = useRef<HTMLButtonElement>(null)
  /** Whether the focus follows the cursor. */
  const follow = useRef(false)
  const [openKeys, setOpenKeys] = useState<ReadonlySet<number>>(new Set())
  const [news, setNews] = useState('')
  const templates = useQuery(templatesQuery).data ?? NONE

  const subtotals = useLive(grid, kopf, onLive)
  const saidByKey = useMemo(() => {
    const keys = new Map<number, string>()
    let nr = 0
    for (const zeile of grid.zeilen)
      if (!isBlankLine(zeile)) {
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
    const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${row}.${col}"]`)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // Runs after each action: an inserted line takes the cursor's place, and a button may lead back to the
    // cursor's cell.
  }, [grid, row, col, typing])
  // Announces deleted lines and how to get them back; an undo is not announced.
  const before = useRef(grid)
  useEffect(() => {
    const left = new Set(grid.zeilen.map(({ key }) => key))
    const gone = before.current.zeilen.filter((zeile) => !left.has(zeile.key) && !isBlankLine(zeile)).length
    const isStepBack = grid.future.length > before.current.future.length
    before.current = grid
    if (gone > 0 && grid.past.length > 0 && !isStepBack)
      setNews(
        gone === 1
          ? t('1 Zeile gelöscht. Strg+Z holt sie zurück.')
          : t('{n} Zeilen gelöscht. Strg+Z holt sie zurück.', { n: gone }),
      )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only changed lines matter
  }, [grid.zeilen])
  const toggle = useCallback(
    (key: number) =>
      setOpenKeys((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      ),
    [],
  )
  const closeExplanation = useCallback(
    (key: number, at: number) => {
      follow.current = true
      toggle(key)
      act((now) => moveTo(now, { row: at, col: COLUMNS.indexOf('bez') }))
      requestAnimationFrame(() =>
        table.current?.querySelector<HTMLElement>(`[data-cell="${at}.${COLUMNS.indexOf('bez')}"]`)?.focus(),
      )
    },
    [act, toggle],
  )
  const toggleExplanation = () => {
    const { zeilen, cursor } = control.now()
    const zeile = zeilen[cursor.row]
    if (!zeile) return
    if (openKeys.has(zeile.key)) return toggle(zeile.key)
    toggle(zeile.key)
    requestAnimationFrame(() =>
      table.current?.querySelector<HTMLElement>(`[data-erl="${zeile.key}"] textarea`)?.focus(),
    )
  }
  useImperativeHandle(ref, () => ({
    focus: (wanted, field) => {
      follow.current = true
      const { zeilen } = control.now()
      let before = -1
      const at = zeilen.findIndex((zeile) => {
        if (!isBlankLine(zeile)) before += 1
        return before === wanted
      })
      const spalte = (COLUMNS as readonly string[]).indexOf(field)
      act((now) => moveTo(now, { row: at, col: spalte < 0 ? COLUMNS.indexOf('bez') : spalte }))
      const zeile = zeilen[at]
      if (spalte < 0 && zeile && !openKeys.has(zeile.key)) toggle(zeile.key)
      requestAnimationFrame(() => {
        const cell = table.current?.querySelector<HTMLElement>(
          `[data-cell="${at}.${spalte < 0 ? COLUMNS.indexOf('bez') : spalte}"]`,
        )
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
    if (onGridKey(control, event, { toggleExplanation, leave: () => below.current?.focus() })) {
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
    if (
      !place ||
      event.button !== 0 ||
      (event.target instanceof Element && event.target.closest('input, select, button, [role=listbox]'))
    )
      return
    follow.current = true
    if (event.shiftKey) {
      event.preventDefault()
      act((now) => ({
        ...commit(now),
        anchor: commit(now).anchor ?? now.cursor.row,
        cursor: { row: place.row, col: now.cursor.col },
      }))
    } else if (place.row === row && place.col === col && document.activeElement === event.target)
      act((now) => startEdit(now))
    else act((now) => moveTo(now, place))
  }
  const onDoubleClick = (event: MouseEvent) => {
    if (placeOf(event.target)) act((now) => startEdit(now))
  }

  const { drop, ...dragging } = useDrag(control, scroller, () => {
    follow.current = true
  })

  const press = useCallback(
    (wanted: Act) => {
      follow.current = true
      act(wanted)
    },
    [act],
  )
  const [from, to] = chosenRows(grid)
  const typed = useMemo(() => typedLine(grid), [grid])
  const empty = grid.zeilen.every(isBlankLine)
  const satz = kopf.kleinunternehmer ? '0' : formatGerman(decimal(kopf.ust_satz))
  return (
    <div className="pos-editor">
      <PositionTools
        empty={empty}
        isFirst={from === 0}
        isLast={to === grid.zeilen.length - 1}
        canUndo={grid.past.length > 0 || typing}
        canRedo={grid.future.length > 0}
        press={press}
      />
      {
        // The frame only scrolls; everything interactive is in the grid.
        <div ref={scroller} className="pos-scroll">
          {/* ARIA grid pattern: one tab stop, arrows inside, Escape leaves it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <table
            ref={table}
            role="grid"
            className="pos-grid"
            aria-label={t('Positionen')}
            aria-multiselectable="true"
            aria-rowcount={grid.zeilen.length + 1}
            aria-colcount={COLUMNS.length}
            aria-describedby={`${gridId}-help`}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onCopy={onCopy}
            onMouseDown={onMouseDown}
            onDoubleClick={onDoubleClick}
            {...dragging}
            onBlur={(event) => {
              if (event.currentTarget.contains(event.relatedTarget)) return
              follow.current = false
              control.tell()
            }}
          >
            <thead role="rowgroup">
              <tr role="row" aria-rowindex={1}>
                {COLUMNS.map((spalte: Column, at) => (
                  <th key={spalte} role="columnheader" scope="col" aria-colindex={at + 1}>
                    {columnText(spalte)}
                  </th>
                ))}
              </tr>
            </thead>
            <PositionRows
              zeilen={grid.zeilen}
              scroller={scroller}
              row={row}
              col={col}
              edit={grid.edit}
              typed={typed}
              from={grid.anchor === null ? -1 : from}
              to={grid.anchor === null ? -1 : to}
              drop={drop}
              openKeys={openKeys}
              saidByKey={saidByKey}
              subtotals={subtotals}
              satz={satz}
              gridId={gridId}
              templates={templates}
              act={act}
              toggle={toggle}
              closeExplanation={closeExplanation}
            />
          </table>
        </div>
      }
      {empty && (
        <p className="pos-empty soft">
          {t(
            'Noch keine Positionen: Tippen Sie in die leere Zeile, wählen Sie dabei eine Vorlage, oder fügen Sie Zeilen aus Excel ein.',
          )}
        </p>
      )}
      <div className="pos-foot">
        <Button
          ref={below}
          size="small"
          icon="plus"
          onClick={() => press((now) => addLine(now, now.zeilen.length))}
        >
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
        {foot}
      </div>
      <datalist id={`${gridId}-einheiten`}>
        {UNITS.map(({ code, name }) => (
          <option key={code} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </div>
  )
})
