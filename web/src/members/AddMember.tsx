// Dialog that adds an existing person to a customer.
import { useState } from 'react'
import { RecordField } from '../list/RecordField.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Refusal } from '../ui/Refusal.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { messageOf } from '../record/record-faults.ts'
import { KatasterField } from './CreateMember.tsx'
import { rolesToGive, type Viewer } from './may-do.ts'
import type { Role } from './member-words.ts'
import { findPerson, personName, useJoin } from './members.data.ts'
import type { MembersKunde } from './members.data.ts'
import { RolePicker } from './RolePicker.tsx'

const PERSON = {
  kind: 'record',
  key: 'person',
  label: () => t('Person'),
  find: findPerson('everybody'),
  name: personName,
} as const

export function AddMember({
  kunde,
  viewer,
  onClose,
}: {
  kunde: MembersKunde
  viewer: Viewer
  onClose: () => void
}) {
  const [person, setPerson] = useState('')
  const [role, setRole] = useState<Role>(rolesToGive(viewer)[0] ?? 'nutzer')
  const [kataster, setKataster] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const join = useJoin()
  const add = () => {
    if (join.isPending) return
    if (person === '') return setFault(t('Bitte suchen Sie eine Person und wählen Sie sie aus der Liste.'))
    setFault(null)
    join.mutate(
      { client_id: kunde.client_id, user_id: Number(person), kataster, rolle: role },
      {
        onSuccess: () => {
          toast.success(t('Die Person gehört jetzt zu {kunde}.', { kunde: kunde.name }))
          onClose()
        },
        onError: (error) => setFault(messageOf(error)),
      },
    )
  }
  return (
    <Dialog
      open
      title={t('Vorhandene Person zu {name}', { name: kunde.name })}
      onClose={onClose}
      dismissible={!join.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={join.isPending}>
            {t('Abbrechen')}
          </Button>
          <Button variant="primary" busy={join.isPending} onClick={add}>
            {t('Hinzufügen')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {fault !== null && <Refusal title={t('Nicht hinzugefügt')}>{fault}</Refusal>}
        <RecordField
          filter={PERSON}
          label={t('Person suchen (Name oder E-Mail)')}
          value={person}
          apply={setPerson}
        />
        <RolePicker rollen={rolesToGive(viewer)} value={role} onChange={setRole} />
        <KatasterField kunde={kunde} viewer={viewer} checked={kataster} onChange={setKataster} />
      </div>
    </Dialog>
  )
}
