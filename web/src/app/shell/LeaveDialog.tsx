// Asks before work is lost: on links, back and forward, and when the window is closed (there the browser asks in its own words).
import { useBlocker } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges } from '../../ui/unsaved.ts'

export function LeaveDialog() {
  // Another query of the same page keeps its state.
  const shouldBlockFn = useCallback(
    ({ current, next }: { current: { pathname: string }; next: { pathname: string } }) =>
      current.pathname !== next.pathname && hasUnsavedChanges(),
    [],
  )
  const blocker = useBlocker({ shouldBlockFn, enableBeforeUnload: hasUnsavedChanges, withResolver: true })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={t('Änderungen verwerfen?')}
      confirmLabel={t('Verwerfen')}
      cancelLabel={t('Weiter bearbeiten')}
      danger
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      <p>{t('Auf dieser Seite sind Änderungen, die noch nicht gespeichert sind. Wenn Sie die Seite verlassen, gehen sie verloren.')}</p>
    </ConfirmDialog>
  )
}
