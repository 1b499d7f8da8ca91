// Dialog for the end of the session. The page behind it keeps everything that was typed.
import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { forgetUnsavedChanges, hasUnsavedChanges } from '../../ui/unsaved.ts'
import { useApplication } from '../app-context.ts'
import { currentLoss, setLoss, subscribeLoss } from '../expiry.ts'
import { useSignOut } from '../sign-out.ts'

function useExpiry() {
  const loss = useSyncExternalStore(subscribeLoss, currentLoss)
  const { identity } = useApplication()
  const end = useSignOut()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [blocked, setBlocked] = useState(false)
  const close = () => {
    setBlocked(false)
    setLoss(null)
  }
  return {
    loss,
    busy,
    /** The window for signing in did not open or was not finished. */
    blocked,
    close,
    signInBeside: async () => {
      setBusy(true)
      try {
        if (!(await identity.signInBeside())) {
          forgetUnsavedChanges()
          location.replace('/')
          return
        }
        close()
        toast.success(t('Sie sind wieder angemeldet.'))
        await queries.invalidateQueries()
      } catch (error) {
        console.error('the sign-in window did not come back', error)
        setBlocked(true)
      } finally {
        setBusy(false)
      }
    },
    signInHere: () => {
      forgetUnsavedChanges()
      void identity.signIn(location.pathname + location.search + location.hash)
    },
    signOut: () => {
      close()
      forgetUnsavedChanges()
      end()
    },
  }
}

export function ExpiryDialog() {
  const { loss, busy, blocked, close, signInBeside, signInHere, signOut } = useExpiry()
  if (!loss) return null
  const disabled = loss.code === 'account_disabled'
  return (
    <Dialog
      open
      width="small"
      role="alertdialog"
      title={disabled ? t('Zugang beendet') : t('Sitzung abgelaufen')}
      onClose={close}
      footer={
        <>
          <Button onClick={close} disabled={busy}>
            {t('Auf der Seite bleiben')}
          </Button>
          {disabled ? (
            <Button variant="primary" data-autofocus onClick={signOut}>
              {t('Zur Anmeldung')}
            </Button>
          ) : (
            <Button variant="primary" data-autofocus busy={busy} onClick={() => void signInBeside()}>
              {t('Neu anmelden')}
            </Button>
          )}
        </>
      }
    >
      <p>
        {disabled
          ? loss.message
          : t(
              'Bitte melden Sie sich neu an. Die Anmeldung öffnet sich in einem kleinen Fenster; was Sie hier ' +
                'eingegeben haben, bleibt erhalten.',
            )}
      </p>
      {blocked && (
        <>
          <p>
            {t('Die Anmeldung wurde nicht abgeschlossen, oder der Browser hat das Fenster nicht zugelassen.')}
          </p>
          <p>
            <Button size="small" onClick={signInHere}>
              {hasUnsavedChanges()
                ? t('Hier anmelden und Eingaben verwerfen')
                : t('In diesem Fenster anmelden')}
            </Button>
          </p>
        </>
      )}
    </Dialog>
  )
}
