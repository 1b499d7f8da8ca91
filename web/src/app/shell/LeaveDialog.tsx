// Asks before work is lost: on links, back and forward, and when the window is closed (there the browser asks in its own words).
import { useCallback } from 'react'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges } from '../../ui/unsaved.ts'
import type { Place } from '../routing/place.ts'
import { useBlocker } from '../routing/RouterProvider.tsx'

const REDIRECT = '/redirect'

/** `keeps`: the page of this path stays alive in the background, so leaving it loses nothing. */
export function LeaveDialog({ keeps }: { keeps: (path: string) => boolean }) {
  const blocks = useCallback(
    (current: Place, next: Place) => {
      // To begin anew loses the work of that page, wherever one is.
      if (next.pathname.startsWith(`${REDIRECT}/`) && hasUnsavedChanges(next.pathname.slice(REDIRECT.length))) return true
      // Another query of the same page keeps its state.
      return current.pathname !== next.pathname && !keeps(current.pathname) && hasUnsavedChanges(current.pathname)
    },
    [keeps],
  )
  const blocked = useBlocker(blocks, hasAnyUnsavedChanges)
  return (
    <DiscardDialog
      open={blocked !== null}
      confirmLabel={t('Verwerfen')}
      onConfirm={() => blocked?.proceed()}
      onCancel={() => blocked?.reset()}
    />
  )
}

const hasAnyUnsavedChanges = () => hasUnsavedChanges()

export function DiscardDialog({
  pages = [],
  ...props
}: {
  open: boolean
  /** Titles of the pages that hold the work, where it is not the one on screen. */
  pages?: readonly string[]
  confirmLabel: string
  onConfirm: () => void
  onCancel: () => void
}) {
  return (
    <ConfirmDialog {...props} title={t('Änderungen verwerfen?')} cancelLabel={t('Weiter bearbeiten')} danger>
      {pages.length > 0 ? (
        <>
          <p>{t('Auf diesen Seiten sind Änderungen, die noch nicht gespeichert sind:')}</p>
          <ul>
            {pages.map((title) => (
              <li key={title}>{title}</li>
            ))}
          </ul>
          <p>{t('Wenn Sie sie schließen oder neu laden, gehen die Änderungen verloren.')}</p>
        </>
      ) : (
        <p>{t('Auf dieser Seite sind Änderungen, die noch nicht gespeichert sind. Wenn Sie die Seite verlassen, gehen sie verloren.')}</p>
      )}
    </ConfirmDialog>
  )
}
