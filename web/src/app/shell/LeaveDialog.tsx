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
    <DiscardDialog
      open={blocker.status === 'blocked'}
      confirmLabel={t('Verwerfen')}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}

export function DiscardDialog(props: { open: boolean; confirmLabel: string; onConfirm: () => void; onCancel: () => void }) {
  return (
    <ConfirmDialog {...props} title={t('Änderungen verwerfen?')} cancelLabel={t('Weiter bearbeiten')} danger>
      <p>{t('Auf dieser Seite sind Änderungen, die noch nicht gespeichert sind. Wenn Sie die Seite verlassen, gehen sie verloren.')}</p>
    </ConfirmDialog>
  )
}
