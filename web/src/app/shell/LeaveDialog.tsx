// Asks before work is lost: on links, back and forward, and when the window is closed (there the browser asks in its own words).
import { useCallback } from 'react'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges } from '../../ui/unsaved.ts'
import type { Place } from '../routing/place.ts'
import { useBlocker } from '../routing/RouterProvider.tsx'

/** Not part of the first load; what comes after the first page brings it along (Later.tsx). */
export const DiscardAsked = splitOff(async () => (await import('./DiscardDialog.tsx')).DiscardDialog, null, {
  optional: true,
})

const REDIRECT = '/redirect'

/** `keeps`: the page of this path stays alive in the background, so leaving it loses nothing. */
export function LeaveDialog({ keeps }: { keeps: (path: string) => boolean }) {
  const blocks = useCallback(
    (current: Place, next: Place) => {
      // To begin anew loses the work of that page, wherever one is.
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
