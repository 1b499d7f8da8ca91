// What became of an invitation: sent by mail, or a link to hand over, shown once.
import { useRef } from 'react'
import type { Einladung } from '#contract/nutzer.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'

interface Props {
  einladung: Einladung
  name: string
  email: string
  onClose: () => void
}

export function EinladungDialog({ einladung: { link, expires, mailed }, name, email, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link ?? '')
      toast.success(t('Link kopiert.'))
    } catch {
      // Without the right to the clipboard the marked text is one keystroke away from it.
      field.current?.select()
      toast.info(t('Bitte kopieren Sie den markierten Link mit Strg+C.'))
    }
  }
  return (
    <Dialog
      open
      title={mailed ? t('Einladung verschickt') : t('Link für {name}', { name })}
      width={mailed ? 'small' : 'normal'}
      // A link that was shown once must not vanish by a press beside the window.
      dismissible={mailed}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose} data-autofocus={mailed}>
          {mailed ? t('Schließen') : t('Fertig')}
        </Button>
      }
    >
      {mailed ? (
        <p>{t('{name} bekommt an {email} einen Link, der bis {until} gilt.', { name, email, until: formatDateTime(expires) })}</p>
      ) : (
        <div className="stack">
          <Notice tone="warning" title={t('Es wurde keine E-Mail verschickt')}>
            {t('Geben Sie diesen Link auf sicherem Weg weiter. Er gilt bis {until}, nur einmal, und wird nicht noch einmal angezeigt.', {
              until: formatDateTime(expires),
            })}
          </Notice>
          <div className="nutzer-link-field">
            <TextField ref={field} label={t('Einmal-Link')} value={link ?? ''} readOnly onFocus={({ target }) => target.select()} />
            <Button variant="primary" onClick={() => void copy()}>
              {t('Kopieren')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
