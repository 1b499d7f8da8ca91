// Dialog that changes a person's role at a customer.
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Refusal } from '../ui/Refusal.tsx'
import { t } from '../ui/text.ts'
import { useAttempt } from '../ui/use-attempt.ts'
import type { Role } from './member-words.ts'
import { RolePicker } from './RolePicker.tsx'

interface Props {
  kunde: string
  /** The person's name. */
  name: string
  rolle: Role
  rollen: readonly Role[]
  /** Stays open until it is fulfilled. */
  onSave: (role: Role) => Promise<unknown>
  onClose: () => void
}
export function RoleDialog({ kunde, name, rolle: present, rollen, onSave, onClose }: Props) {
  const { run, fault, busy } = useAttempt()
  const [role, setRole] = useState<Role>(present)
  return (
    <Dialog
      open
      title={t('Rolle von {name}', { name })}
      onClose={onClose}
      dismissible={!busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('Abbrechen')}
          </Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={role === present}
            onClick={() => run(() => onSave(role))}
          >
            {t('Rolle speichern')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('Die Rolle gilt nur für {kunde} und wirkt sofort.', { kunde })}</p>
        <RolePicker rollen={rollen} value={role} onChange={setRole} />
        {fault !== null && <Refusal title={t('Nicht gespeichert')}>{fault}</Refusal>}
      </div>
    </Dialog>
  )
}
