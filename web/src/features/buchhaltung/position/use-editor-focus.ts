// Where the focus is in the line editor: at the cursor, in an open explanation, or led there from outside.
import {
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { COLUMNS, DESCRIPTION, moveTo } from './grid.ts'
import { rowOfSaved } from './saved-lines.ts'
import type { GridControl } from './use-grid.ts'

export interface EditorHandle {
  /** `row` counts saved lines only, without empty ones. */
  readonly focus: (row: number, column: string) => void
}

type Table = RefObject<HTMLTableElement | null>
const cellAt = (table: Table, row: number, col: number) =>
  table.current?.querySelector<HTMLElement>(`[data-cell="${row}.${col}"]`)

/** Whether the focus follows the cursor. */
export interface Follow {
  readonly begin: () => void
  readonly end: () => void
}
export function useFollow({ grid }: GridControl, table: Table): Follow {
  const follow = useRef(false)
  const { row, col } = grid.cursor
  const typing = grid.edit !== null
  useLayoutEffect(() => {
    if (!follow.current || typing) return
    const cell = cellAt(table, row, col)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // Runs after each action: an inserted line takes the cursor's place, and a button may lead back to the
    // cursor's cell.
  }, [grid, row, col, typing, table])
  return useMemo(
    () => ({
      begin: () => {
        follow.current = true
      },
      end: () => {
        follow.current = false
      },
    }),
    [],
  )
}

/** The explanations that are open, by key of their line. */
export function useExplanations({ act, now }: GridControl, table: Table, follow: Follow) {
  const [openKeys, setOpenKeys] = useState<ReadonlySet<number>>(new Set())
  const toggle = useCallback(
    (key: number) =>
      setOpenKeys((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      ),
    [],
  )
  /** Closes the explanation and leads back to its line. */
  const close = useCallback(
    (key: number, at: number) => {
      follow.begin()
      toggle(key)
      act((grid) => moveTo(grid, { row: at, col: DESCRIPTION }))
      requestAnimationFrame(() => cellAt(table, at, DESCRIPTION)?.focus())
    },
    [act, toggle, follow, table],
  )
  /** Of the cursor's line. */
  const toggleHere = () => {
    const { zeilen, cursor } = now()
    const row = zeilen[cursor.row]
    if (!row) return
    toggle(row.key)
    if (openKeys.has(row.key)) return
    requestAnimationFrame(() =>
      table.current?.querySelector<HTMLElement>(`[data-erl="${row.key}"] textarea`)?.focus(),
    )
  }
  return { openKeys, toggle, close, toggleHere }
}

interface Led {
  readonly control: GridControl
  readonly table: Table
  readonly follow: Follow
  readonly explanations: ReturnType<typeof useExplanations>
}

/** Lets the page lead to a line and its field; what is no column is in the explanation. */
export function useEditorHandle(
  ref: Ref<EditorHandle> | undefined,
  { control, table, follow, explanations: { openKeys, toggle } }: Led,
) {
  useImperativeHandle(ref, () => ({
    focus: (wanted, field) => {
      follow.begin()
      const { zeilen } = control.now()
      const row = rowOfSaved(zeilen, wanted)
      const column = (COLUMNS as readonly string[]).indexOf(field)
      const col = column < 0 ? DESCRIPTION : column
      control.act((grid) => moveTo(grid, { row, col }))
      const line = zeilen[row]
      if (column < 0 && line && !openKeys.has(line.key)) toggle(line.key)
      requestAnimationFrame(() => {
        const cell = cellAt(table, row, col)
        cell?.scrollIntoView({ block: 'center' })
        cell?.focus()
      })
    },
  }))
}
