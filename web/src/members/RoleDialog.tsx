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
  onSave: (role: Role) => void
  onClose: () => void
}
export function RoleDialog({ kunde, name, rolle: present, rollen, busy, onSave, onClose }: Props) {
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
          <Button variant="primary" busy={busy} disabled={role === present} onClick={() => onSave(role)}>
            {t('Rolle speichern')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('Die Rolle gilt nur für {kunde} und wirkt sofort.', { kunde })}</p>
        <RolePicker rollen={rollen} value={role} onChange={setRole} />
      </div>
    </Dialog>
  )
}
