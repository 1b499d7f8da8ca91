// Shows the code of a voucher once. Closing does not ask for confirmation, so the dialog explains this and
// closes only with its button.
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { gutscheinName } from './gutschein-words.ts'

export function CodeDialog({ id, code, onClose }: { id: number; code: string; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  // Reloading the page now would lose the code.
  useUnsavedChanges(true)
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <Dialog
      open
      dismissible={false}
      title={t('Code für {name}', { name: gutscheinName(id) })}
      onClose={onClose}
      footer={
        <>
          <Button icon="file" onClick={() => void copy()} data-autofocus>
            {copied ? t('Kopiert') : t('Code kopieren')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('Ich habe den Code notiert')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <output className="gutschein-code" aria-label={t('Gutscheincode')}>
          {code}
        </output>
        <Notice tone="warning" title={t('Dieser Code wird nur dieses eine Mal angezeigt')}>
          {t(
            'Er ist nur verschlüsselt gespeichert. Geht er verloren, löschen Sie den Gutschein und legen einen ' +
              'neuen an.',
          )}
        </Notice>
        <p aria-live="polite" className="soft">
          {copied === false &&
            t(
              'Das Kopieren ist hier nicht möglich. Bitte markieren Sie den Code und kopieren Sie ihn von Hand.',
            )}
        </p>
      </div>
    </Dialog>
  )
}
