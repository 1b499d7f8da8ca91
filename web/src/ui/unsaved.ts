// Work that would be lost. Pages say whether they hold some; the application asks before it leaves or closes them.
import { useContext, useEffect, useId, useSyncExternalStore } from 'react'
import { ViewContext } from './view.tsx'

/** Who holds unsaved work, and on which page; null: outside of pages. */
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

/** On the page of this path, or anywhere; pages that are kept in the background count. */
export function hasUnsavedChanges(path?: string): boolean {
  return path === undefined
    ? dirty.size > 0
    : [...dirty.values()].some((held) => held === path || held === null)
}
/** Of the page of this path, or all. */
export function forgetUnsavedChanges(path?: string) {
  if (dirty.size === 0) return
  for (const [id, held] of dirty) if (path === undefined || held === path) dirty.delete(id)
  changed()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Draws again whenever some page begins or ceases to hold unsaved work. */
export const useUnsavedWatch = (): number => useSyncExternalStore(subscribe, () => version)

/**
 * While `isDirty`, links, back and forward, closing the tab and closing the window ask first. The answer disarms at once, for going on right after a save:
 * `const disarm = useUnsavedChanges(isDirty)` … `disarm(); view.go('/kunden/17')`.
 */
export function useUnsavedChanges(isDirty: boolean): () => void {
  const id = useId()
  const view = useContext(ViewContext)
  const path = view?.path ?? null
  const isHidden = view?.isHidden
  useEffect(() => {
    if (isDirty) mark(id, path)
    else unmark(id)
    return () => {
      // Hidden and kept: the work is still there.
      if (!isHidden?.()) unmark(id)
    }
  }, [id, isDirty, path, isHidden])
  return () => unmark(id)
}
