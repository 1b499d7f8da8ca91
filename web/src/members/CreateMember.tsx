// Form for a new person of a customer. They get a link to set their own password, so that only they know it.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Notice } from '../ui/Display.tsx'
import { Checkbox, FieldGrid, TextField } from '../ui/Field.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { useUnsavedChanges } from '../ui/unsaved.ts'
import { showFaults } from '../record/use-record-form.ts'
import { labelOf } from './label.ts'
import { rolesToGive, type Viewer } from './may-do.ts'
import { MEMBER_FIELDS, MemberSchema, type MemberValues, NEW_MEMBER } from './member-form.ts'
import { nameOf } from '../record/person/person-words.ts'
import type { Role } from './member-words.ts'
import { labelTaken, useAddMember } from './members.data.ts'
import type { MembersKunde } from './members.data.ts'
import { RolePicker } from './RolePicker.tsx'

interface Props {
  kunde: MembersKunde
  viewer: Viewer
  onClose: () => void
  onAdded: (user: { user_id: number; email: string }, name: string, wantsInvitation: boolean) => void
}

export function CreateMember({ kunde, viewer, onClose, onAdded }: Props) {
  const form = useForm<MemberValues>({
    resolver: standardSchemaResolver(MemberSchema),
    defaultValues: NEW_MEMBER,
    mode: 'onTouched',
  })
  const { register, formState } = form
  const [role, setRole] = useState<Role>(rolesToGive(viewer)[0] ?? 'nutzer')
  const [kataster, setKataster] = useState(false)
  const [invite, setInvite] = useState(true)
  const [fault, setFault] = useState<string | null>(null)
  const add = useAddMember(kunde.client_id)
  // In an effect, because the dialog itself focuses its close button when it opens.
  useEffect(() => form.setFocus('mail'), [form])
  const disarm = useUnsavedChanges(formState.isDirty)
  const submit = form.handleSubmit(async (values) => {
    setFault(null)
    try {
      const user = await add.mutateAsync({ ...values, kataster, rolle: role })
      disarm()
      const name = nameOf({ ...values, username: user.username })
      toast.success(t('{name} wurde angelegt.', { name }))
      onAdded(user, name, invite)
    } catch (error) {
      setFault(showFaults(form, error, { fields: MEMBER_FIELDS, check: () => undefined }))
    }
  })
  const bind = (field: keyof MemberValues) => ({
    error: formState.errors[field]?.message,
    autoComplete: 'off',
    ...register(field),
  })
  return (
    <FormDialog
      title={t('Neue Person für {name}', { name: kunde.name })}
      submitLabel={t('Anlegen')}
      busy={add.isPending}
      dirty={formState.isDirty}
      unsaved={t('Die neue Person ist noch nicht angelegt.')}
      fault={fault}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        {...bind('mail')}
        label={t('E-Mail')}
        type="email"
        required
        hint={t('Damit meldet sich die Person an.')}
      />
      <FieldGrid>
        <TextField {...bind('first_name')} label={t('Vorname')} maxLength={100} />
        <TextField {...bind('last_name')} label={t('Nachname')} required maxLength={100} />
      </FieldGrid>
      {viewer.provider && <Namesake form={form} />}
      <RolePicker rollen={rolesToGive(viewer)} value={role} onChange={setRole} />
      <KatasterField kunde={kunde} viewer={viewer} checked={kataster} onChange={setKataster} />
      <Checkbox
        label={t('Gleich einladen')}
        hint={t('Die Person bekommt einen Link, mit dem sie ihr Passwort selbst setzt.')}
        checked={invite}
        onChange={({ target }) => setInvite(target.checked)}
      />
    </FormDialog>
  )
}

/**
 * Kataster access of a link. The provider enables it for the customer; the customer's admin then grants it
 * per person.
 */
export function KatasterField({
  kunde,
  viewer,
  checked,
  onChange,
}: {
  kunde: MembersKunde
  viewer: Viewer
  checked: boolean
  onChange: (on: boolean) => void
}) {
  if (!viewer.provider && !kunde.kataster_status)
    return (
      <p className="soft">
        {t(
          'Das Kataster ist für diesen Kunden nicht freigeschaltet. Wenn Sie es brauchen, sprechen Sie uns an.',
        )}
      </p>
    )
  return (
    <Checkbox
      label={t('Kataster')}
      hint={
        kunde.kataster_status
          ? t('Die Person sieht die Übersichten zur Einmessung.')
          : t('Wirkt erst, wenn das Kataster für den Kunden freigeschaltet ist.')
      }
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

/** Warns that the name is taken: it may be the same person, who should then be added instead of created. */
function Namesake({ form }: { form: ReturnType<typeof useForm<MemberValues>> }) {
  const [first, last] = useWatch({ control: form.control, name: ['first_name', 'last_name'] })
  const label = useDeferredValue(last.trim() === '' ? '' : labelOf(first, last))
  const { data } = useQuery(labelTaken(label))
  if (label === '' || data !== true) return null
  return (
    <Notice tone="warning">
      {t(
        'Eine Person dieses Namens gibt es schon ({label}). Ist es dieselbe, dann brechen Sie ab und wählen ' +
          'Sie „Vorhandene Person hinzufügen“.',
        {
          label,
        },
      )}
    </Notice>
  )
}
