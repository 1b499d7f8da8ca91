// With which view a list opens when its address says nothing. The database keeps it (ansicht.standard); this browser remembers it until the end of the session,
// so that the list need not wait for the answer.
import { useSyncExternalStore } from 'react'

export interface StandardView {
  /** The query of its address, without the question mark. */
  readonly suche: string
  /** Null: the columns as they are chosen at the moment. */
  readonly spalten: readonly string[] | null
}

// The beginning of the key is what the end of a session forgets.
const keyOf = (list: string) => `forstkontor.standard.${list}`
const listeners = new Set<() => void>()
/** By text, so that an unchanged store answers the same object each time. */
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

/** What the database says, or what was just chosen. */
export function keepStandard(list: string, view: StandardView | null) {
  const text = view && JSON.stringify({ suche: view.suche, spalten: view.spalten })
  if (localStorage.getItem(keyOf(list)) === text) return
  try {
    if (text === null) localStorage.removeItem(keyOf(list))
    else localStorage.setItem(keyOf(list), text)
  } catch {
    // A full or forbidden store: the list opens plainly until the database has answered.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const useStandard = (list: string): StandardView | null =>
  useSyncExternalStore(subscribe, () => readStandard(list))
