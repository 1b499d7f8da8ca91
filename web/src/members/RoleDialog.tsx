// Dialog that changes a person's role at a customer.
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { t } from '../ui/text.ts'
import type { Role } from './member-words.ts'
import { RolePicker } from './RolePicker.tsx'

interface Props {
  kunde: string
  /** The person's name. */
  name: string
  rolle: Role
  rollen: readonly Role[]
  busy: boolean
  onSave: (rolle: Role) => void
  onClose: () => void
}
export function RoleDialog({ kunde, name, rolle: present, rollen, busy, onSave, onClose }: Props) {
  const [rolle, setRole] = useState<Role>(present)
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
          <Button variant="primary" busy={busy} disabled={rolle === present} onClick={() => onSave(rolle)}>
            {t('Rolle speichern')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('Die Rolle gilt nur für {kunde} und wirkt ab dem nächsten Aufruf der Person.', { kunde })}</p>
        <RolePicker rollen={rollen} value={rolle} onChange={setRole} />
      </div>
    </Dialog>
  )
}
