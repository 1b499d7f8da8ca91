// What each key does in the grid. Returns true if the event is handled.
import {
  cancelEdit,
  chooseAll,
  clearCell,
  duplicateRows,
  enter,
  extend,
  insertAt,
  move,
  moveTo,
  redo,
  removeRows,
  setFields,
  shiftRows,
  COLUMNS,
  startEdit,
  undo,
} from './grid.ts'
import type { GridControl } from './use-grid.ts'
import { KINDS } from './line.ts'
import { positionKindText } from './position-words.ts'

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}
export interface KeyActs {
  /** Shows or hides the explanation of the cursor's line. */
  readonly toggleExplanation: () => void
  /** Moves the focus to what follows the grid. */
  readonly leave: () => void
}

const PAGE = 10

/** Keys that act on lines, whether or not a cell is being edited. */
function lineKey({ act, now }: GridControl, { key, shiftKey }: KeyPress): boolean {
  switch (key) {
    case 'Enter':
      act((grid) => insertAt(grid, grid.cursor.row + (shiftKey ? 0 : 1)))
      return true
    case 'Delete':
    case 'Backspace':
      if (now().edit !== null) return false
      act(removeRows)
      return true
    case 'd':
    case 'D':
      act(duplicateRows)
      return true
    case 'Home':
      act((grid) => moveTo(grid, { row: 0, col: 0 }))
      return true
    case 'End':
      act((grid) => moveTo(grid, { row: grid.zeilen.length - 1, col: COLUMNS.length - 1 }))
      return true
    case 'z':
      if (now().edit !== null) return false
      act(undo)
      return true
    case 'y':
    case 'Z':
      if (now().edit !== null) return false
      act(redo)
      return true
    case 'a':
      if (now().edit !== null) return false
      act(chooseAll)
      return true
  }
  return false
}

function moveKey({ act }: GridControl, { key, shiftKey }: KeyPress): boolean {
  switch (key) {
    case 'ArrowUp':
      act((grid) => (shiftKey ? extend(grid, -1) : move(grid, -1, 0)))
      return true
    case 'ArrowDown':
      act((grid) => (shiftKey ? extend(grid, 1) : move(grid, 1, 0)))
      return true
    case 'ArrowLeft':
      act((grid) => move(grid, 0, -1))
      return true
    case 'ArrowRight':
      act((grid) => move(grid, 0, 1))
      return true
    case 'PageUp':
      act((grid) => move(grid, -PAGE, 0))
      return true
    case 'PageDown':
      act((grid) => move(grid, PAGE, 0))
      return true
    case 'Home':
      act((grid) => moveTo(grid, { row: grid.cursor.row, col: 0 }))
      return true
    case 'End':
      act((grid) => moveTo(grid, { row: grid.cursor.row, col: COLUMNS.length - 1 }))
      return true
  }
  return false
}

/** In the kind column a letter selects the kind that begins with it; in other cells it starts a new text. */
function letter({ act, now }: GridControl, key: string): boolean {
  const { cursor } = now()
  if (COLUMNS[cursor.col] !== 'art') {
    act((grid) => startEdit(grid, key === 'Dead' || key === 'Process' ? '' : key))
    // The character is already in the field; an unfinished accent continues there.
    return key.length === 1
  }
  const art = KINDS.find((one) => positionKindText(one).toLowerCase().startsWith(key.toLowerCase()))
  if (art) act((grid) => setFields(grid, cursor.row, { art }))
  return true
}

export function onGridKey(
  control: GridControl,
  press: KeyPress,
  { toggleExplanation, leave }: KeyActs,
): boolean {
  const { act, now } = control
  const { key, altKey, shiftKey } = press
  const typing = now().edit !== null
  if (altKey && !press.ctrlKey) {
    if (key === 'ArrowUp' || key === 'ArrowDown') act((grid) => shiftRows(grid, key === 'ArrowUp' ? -1 : 1))
    else if (key === 'Enter') toggleExplanation()
    else return false
    return true
  }
  if ((press.ctrlKey || press.metaKey) && !altKey) return lineKey(control, press)
  if (key === 'Tab') return control.tab(shiftKey)
  if (key === 'Enter') {
    act(enter)
    return true
  }
  if (key === 'Escape') {
    if (typing) act(cancelEdit)
    else leave()
    return true
  }
  if (typing) {
    // As in spreadsheets: up and down leave the cell, left and right move within its text.
    return (key === 'ArrowUp' || key === 'ArrowDown') && !shiftKey && COLUMNS[now().cursor.col] !== 'art'
      ? moveKey(control, press)
      : false
  }
  if (key === 'F2') {
    act((grid) => startEdit(grid))
    return true
  }
  if (key === 'Delete' || key === 'Backspace') {
    act(clearCell)
    return true
  }
  if (moveKey(control, press)) return true
  return key.length === 1 || key === 'Dead' || key === 'Process' ? letter(control, key) : false
}
