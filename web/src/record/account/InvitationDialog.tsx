// The link of an invitation: sent by mail, or to be handed over. It is shown once; a new invitation
// invalidates it.
import { useRef } from 'react'
import type { SentInvitation } from '#contract/nutzer.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'

export interface Invited {
  readonly name: string
  readonly email: string
  readonly invitation: SentInvitation
}

export function InvitationDialog({ invited, onClose }: { invited: Invited | null; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  if (invited === null) return null
  const { name, email, invitation } = invited
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(invitation.link ?? '')
      toast.success(t('Link kopiert.'))
    } catch {
      // Without clipboard permission, select the text so that it is one keystroke away.
      field.current?.select()
      toast.info(t('Bitte kopieren Sie den markierten Link mit Strg+C.'))
    }
  }
  return (
    <Dialog
      open
      title={t('Einladung für {name}', { name })}
      // The link is shown only once, so a click beside the dialog must not close it.
      dismissible={invitation.link === null}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Fertig')}
        </Button>
      }
    >
      <div className="stack">
        {invitation.mailed ? (
          <Notice tone="success">{t('Die Einladung wurde an {email} geschickt.', { email })}</Notice>
        ) : invitation.wartet ? (
          <Notice>
            {t(
              'Der Mailserver hat die Einladung an {email} noch nicht angenommen. Sie wird zugestellt, ' +
                'sobald er es tut.',
              {
                email,
              },
            )}
          </Notice>
        ) : (
          <Notice>
            {t(
              'Es wurde keine E-Mail versendet. Bitte geben Sie der Person diesen Link auf einem sicheren Weg.',
            )}
          </Notice>
        )}
        {invitation.link !== null && (
          <>
            <TextField
              ref={field}
              label={t('Link zum Setzen des Passworts')}
              readOnly
              data-autofocus
              value={invitation.link}
              hint={t(
                'Gültig bis {when} und nur einmal benutzbar. Frühere Links dieser Person gelten nicht mehr.',
                {
                  when: formatDateTime(invitation.expires),
                },
              )}
              onFocus={(event) => event.target.select()}
            />
            <div>
              <Button onClick={() => void copy()}>{t('Link kopieren')}</Button>
            </div>
          </>
        )}
        {invitation.link === null && (
          <p className="soft">
            {t('Der Link ist bis {when} gültig und kann nur einmal benutzt werden.', {
              when: formatDateTime(invitation.expires),
            })}
          </p>
        )}
      </div>
    </Dialog>
  )
}
