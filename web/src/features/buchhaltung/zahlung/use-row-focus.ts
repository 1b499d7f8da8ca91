// The focus in a list whose rows each have one main button: arrow keys move it, and when a row is gone the next
// one takes it.
import { type KeyboardEvent, type RefCallback, useEffect, useRef } from 'react'

export interface RowFocus {
  readonly buttonRef: (id: number) => RefCallback<HTMLButtonElement>
  /** Focuses this row after the next rendering. */
  readonly focusNext: (id: number | null) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** `ids`: the rows in their order. */
export function useRowFocus(ids: readonly number[]): RowFocus {
  const buttons = useRef(new Map<number, HTMLButtonElement>())
  const next = useRef<number | null>(null)
  useEffect(() => {
    if (next.current === null) return
    buttons.current.get(next.current)?.focus()
    next.current = null
  })
  return {
    buttonRef: (id) => (button) => {
      if (button) buttons.current.set(id, button)
      else buttons.current.delete(id)
    },
    focusNext: (id) => {
      next.current = id
    },
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      const at = ids.findIndex(
        (id) => buttons.current.get(id)?.closest('li')?.contains(document.activeElement) === true,
      )
      if (at < 0) return
      const to = ids[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (to === undefined) return
      event.preventDefault()
      buttons.current.get(to)?.focus()
    },
  }
}
