// Unsaved work. Pages report whether they have any; the application asks before it leaves or closes them.
import { createContext, useContext, useEffect, useId, useSyncExternalStore } from 'react'
import { ViewContext } from './view.tsx'

/** Holders of unsaved work and their page; null: not on a page. */
const dirty = new Map<string, string | null>()
const listeners = new Set<() => void>()
let version = 0

function changed() {
  version += 1
  for (const listener of listeners) listener()
}
function mark(id: string, path: string | null) {
  if (dirty.has(id)) return
  dirty.set(id, path)
  changed()
}
function unmark(id: string) {
  if (dirty.delete(id)) changed()
}

/** Whether there is unsaved work on this page, or anywhere; includes pages kept in the background. */
export function hasUnsavedChanges(path?: string): boolean {
  return path === undefined
    ? dirty.size > 0
    : [...dirty.values()].some((held) => held === path || held === null)
}
/** Discards the record of unsaved work on this page, or all of it. */
export function forgetUnsavedChanges(path?: string) {
  if (dirty.size === 0) return
  for (const [id, held] of dirty) if (path === undefined || held === path) dirty.delete(id)
  changed()
}

export function subscribeUnsaved(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Renders again whenever a page starts or stops having unsaved work. */
export const useUnsavedWatch = (): number => useSyncExternalStore(subscribeUnsaved, () => version)

/** Called by what has work in a part of the page that is unmounted when another part is shown (Tabs.tsx). */
export type KeepPart = (holder: string, isHolding: boolean) => void
export const PartContext = createContext<KeepPart | null>(null)

/** While `isHolding`, switching to another part of the page keeps this one, hidden and with its input. */
export function useKeptPart(isHolding: boolean) {
  const id = useId()
  const keep = useContext(PartContext)
  const isHidden = useContext(ViewContext)?.isHidden
  useEffect(() => {
    if (!keep || !isHolding) return
    keep(id, true)
    return () => {
      if (!isHidden?.()) keep(id, false)
    }
  }, [id, keep, isHolding, isHidden])
}

/**
 * While `isDirty`, following links, back and forward, and closing the tab or the window ask first. The
 * returned function disarms the guard at once, for leaving right after a save: `const disarm =
 * useUnsavedChanges(isDirty)` … `disarm(); view.go('/kunden/17')`.
 */
export function useUnsavedChanges(isDirty: boolean): () => void {
  const id = useId()
  const view = useContext(ViewContext)
  const path = view?.path ?? null
  const isHidden = view?.isHidden
  useKeptPart(isDirty)
  useEffect(() => {
    if (isDirty) mark(id, path)
    else unmark(id)
    return () => {
      // Hidden but kept: the work is still there.
      if (!isHidden?.()) unmark(id)
    }
  }, [id, isDirty, path, isHidden])
  return () => unmark(id)
}
