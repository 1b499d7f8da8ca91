// Asks before unsaved work is discarded.
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'

export function DiscardDialog({
  pages = [],
  ...props
}: {
  open: boolean
  /** Titles of the pages with unsaved work, if it is not the current one. */
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
        <p>
          {t(
            'Auf dieser Seite sind Änderungen, die noch nicht gespeichert sind. Wenn Sie die Seite verlassen, ' +
              'gehen sie verloren.',
          )}
        </p>
      )}
    </ConfirmDialog>
  )
}
