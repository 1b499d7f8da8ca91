// Work that would be lost. Pages say whether they hold some; the application asks before it leaves them.
import { useEffect, useId } from 'react'

const dirty = new Set<string>()

export const hasUnsavedChanges = (): boolean => dirty.size > 0
export function forgetUnsavedChanges() {
  dirty.clear()
}

/**
 * While `isDirty`, links, back and forward and closing the window ask first. The answer disarms at once, for going on right after a save:
 * `const disarm = useUnsavedChanges(isDirty)` … `disarm(); view.go('/kunden/17')`.
 */
export function useUnsavedChanges(isDirty: boolean): () => void {
  const id = useId()
  useEffect(() => {
    if (isDirty) dirty.add(id)
    else dirty.delete(id)
    return () => {
      dirty.delete(id)
    }
  }, [id, isDirty])
  return () => {
    dirty.delete(id)
  }
}
