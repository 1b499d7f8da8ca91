// The view that a list opens with when its address has no state. The database stores it (ansicht.standard);
// this browser remembers it until the session ends, so that the list need not wait for the database.
import { useSyncExternalStore } from 'react'

export interface StandardView {
  /** The view's query, without the question mark. */
  readonly suche: string
  /** Null: keep the currently chosen columns. */
  readonly spalten: readonly string[] | null
}

// Keys with this prefix are removed at the end of a session.
const keyOf = (list: string) => `forstkontor.standard.${list}`
const listeners = new Set<() => void>()
/** Parsed views by their stored text, so that an unchanged store returns the same object each time. */
const read = new Map<string, StandardView | null>()

function parse(text: string): StandardView | null {
  try {
    const { suche, spalten } = JSON.parse(text) as Partial<Record<keyof StandardView, unknown>>
    if (typeof suche !== 'string') return null
    return {
      suche,
      spalten: Array.isArray(spalten) ? spalten.filter((key) => typeof key === 'string') : null,
    }
  } catch {
    return null
  }
}

export function readStandard(list: string): StandardView | null {
  const text = localStorage.getItem(keyOf(list))
  if (text === null) return null
  const known = read.get(text)
  if (known !== undefined) return known
  const view = parse(text)
  read.set(text, view)
  return view
}

/** Stores the standard view from the database or the user's latest choice. */
export function keepStandard(list: string, view: StandardView | null) {
  const text = view && JSON.stringify({ suche: view.suche, spalten: view.spalten })
  if (localStorage.getItem(keyOf(list)) === text) return
  try {
    if (text === null) localStorage.removeItem(keyOf(list))
    else localStorage.setItem(keyOf(list), text)
  } catch {
    // Storage is full or blocked: the list opens without a view until the database has answered.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useStandard = (list: string): StandardView | null =>
  useSyncExternalStore(subscribe, () => readStandard(list))
