// Asks before unsaved work is lost: on links, back and forward, and when the window is closed (with the
// browser's own text).
import { useCallback } from 'react'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges } from '../../ui/unsaved.ts'
import type { Place } from '../routing/place.ts'
import { useBlocker } from '../routing/RouterProvider.tsx'

/** Not in the initial load; Later.tsx loads it after the first page. */
export const DiscardAsked = splitOff(async () => (await import('./DiscardDialog.tsx')).DiscardDialog, null, {
  optional: true,
})

const REDIRECT = '/redirect'

/** @param keeps whether the page stays alive in the background, so that leaving it loses nothing */
export function LeaveDialog({ keeps }: { keeps: (path: string) => boolean }) {
  const blocks = useCallback(
    (current: Place, next: Place) => {
      // Refreshing a page loses its work, from wherever it is requested.
      if (next.pathname.startsWith(`${REDIRECT}/`) && hasUnsavedChanges(next.pathname.slice(REDIRECT.length)))
        return true
      // Another query of the same page keeps its state.
      return (
        current.pathname !== next.pathname && !keeps(current.pathname) && hasUnsavedChanges(current.pathname)
      )
    },
    [keeps],
  )
  const blocked = useBlocker(blocks, hasAnyUnsavedChanges)
  if (blocked === null) return null
  return (
    <DiscardAsked
      open
      confirmLabel={t('Verwerfen')}
      onConfirm={() => blocked.proceed()}
      onCancel={() => blocked.reset()}
    />
  )
}

const hasAnyUnsavedChanges = () => hasUnsavedChanges()
