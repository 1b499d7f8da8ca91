// Keys, mouse and clipboard of the line editor, turned into actions on its model.
import type { ClipboardEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import { t } from '../../../ui/text.ts'
import { commit, type Grid, moveTo, type Place, startEdit } from './grid.ts'
import { copyText, paste } from './grid-clipboard.ts'
import { type KeyActs, onGridKey } from './grid-keys.ts'
import type { Follow } from './use-editor-focus.ts'
import type { GridControl } from './use-grid.ts'

const inGrid = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[data-erl]') === null && target.closest('tbody') !== null

function placeOf(target: EventTarget): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null
  const [row, col] = (cell?.dataset['cell'] ?? '').split('.').map(Number)
  return cell && row !== undefined && col !== undefined ? { row, col } : null
}

/** A click with the shift key selects from the cursor's line to that one. */
function chooseTo(grid: Grid, row: number): Grid {
  const done = commit(grid)
  return { ...done, anchor: done.anchor ?? grid.cursor.row, cursor: { row, col: grid.cursor.col } }
}

export function useKeys(control: GridControl, follow: Follow, acts: KeyActs) {
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (!inGrid(event.target) || event.nativeEvent.isComposing) return
      follow.begin()
      if (onGridKey(control, event, acts)) {
        event.preventDefault()
        event.stopPropagation()
      } else if (event.key === 'Tab') follow.end()
    },
    onBlur: (event: FocusEvent) => {
      if (event.currentTarget.contains(event.relatedTarget)) return
      follow.end()
      control.tell()
    },
  }
}

/** `tell`: announces what was pasted. */
export function useClipboard(control: GridControl, follow: Follow, tell: (news: string) => void) {
  const typing = control.grid.edit !== null
  return {
    onPaste: (event: ClipboardEvent) => {
      if (!inGrid(event.target)) return
      const text = event.clipboardData.getData('text/plain').replaceAll('\0', '')
      if (text === '' || (typing && !/[\t\n]/.test(text))) return
      event.preventDefault()
      follow.begin()
      const { grid: next, lines, faulty } = paste(control.now(), text)
      control.act(() => next)
      tell(
        faulty === 0
          ? lines === 1
            ? t('1 Zeile eingefügt.')
            : t('{n} Zeilen eingefügt.', { n: lines })
          : t('Eingefügte Zeilen: {n}. Zu prüfende Angaben: {faulty}.', { n: lines, faulty }),
      )
    },
    onCopy: (event: ClipboardEvent) => {
      if (!inGrid(event.target) || typing) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', copyText(control.now()))
    },
  }
}

export function useMouse({ grid, act }: GridControl, follow: Follow) {
  const { cursor } = grid
  return {
    onMouseDown: (event: MouseEvent) => {
      const place = placeOf(event.target)
      if (
        !place ||
        event.button !== 0 ||
        (event.target instanceof Element && event.target.closest('input, select, button, [role=listbox]'))
      )
        return
      follow.begin()
      const isHere = place.row === cursor.row && place.col === cursor.col
      if (event.shiftKey) {
        event.preventDefault()
        act((now) => chooseTo(now, place.row))
      } else if (isHere && document.activeElement === event.target) act((now) => startEdit(now))
      else act((now) => moveTo(now, place))
    },
    onDoubleClick: (event: MouseEvent) => {
      if (placeOf(event.target)) act((now) => startEdit(now))
    },
  }
}
