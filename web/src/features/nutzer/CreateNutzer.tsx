// Adds a person: who, for whom, and whether to invite at once. Warns while typing if the address or name
// already exists.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import type { UserData } from '#contract/benutzer.ts'
import type { SentInvitation } from '#contract/nutzer.ts'
import type { AddedUser } from '#contract/rpc.ts'
import { useHasRole } from '../../data/session.ts'
import { rpc } from '../../data/rpc.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { InvitationDialog } from '../../record/account/InvitationDialog.tsx'
import { invite, isExternal } from '../../record/account/account.data.ts'
import { messageOf } from '../../record/record-faults.ts'
import { showFaults } from '../../record/use-record-form.ts'
import { Notice } from '../../ui/Display.tsx'
import { Checkbox, FieldGrid, FieldGroup, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { shortNameOf } from '#domain/short-name.ts'
import './nutzer.css'
import { findKunden, kundeName, tellOthers } from './nutzer.data.ts'
import { fieldLabel, isEmail, PersonSchema } from '../../record/person/person-kind.ts'
import { nameOf } from '../../record/person/person-words.ts'

const FIELDS = ['mail', 'first_name', 'last_name'] as const

const NewNutzerSchema = z.object({
  mail: z.string().check(
    z.trim(),
    z.refine((text) => text !== '', {
      error: () => t('Bitte geben Sie die E-Mail-Adresse an, mit der sich die Person anmeldet.'),
      abort: true,
    }),
    z.refine(isEmail, { error: () => t('Das ist keine gültige E-Mail-Adresse.') }),
  ),
  first_name: PersonSchema.shape.first_name,
  last_name: PersonSchema.shape.last_name,
  client_id: z.string(),
  kataster_enabled: z.boolean(),
  apus_team: z.boolean(),
  apus_admin: z.boolean(),
  invite: z.boolean(),
})
interface NewNutzerValues {
  mail: string
  first_name: string
  last_name: string
  client_id: string
  kataster_enabled: boolean
  apus_team: boolean
  apus_admin: boolean
  invite: boolean
}
const EMPTY: NewNutzerValues = {
  mail: '',
  first_name: '',
  last_name: '',
  client_id: '',
  kataster_enabled: false,
  apus_team: false,
  apus_admin: false,
  invite: true,
}
const KUNDE = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunden,
  name: kundeName,
} as const
const orNull = (text: string): string | null => (text === '' ? null : text)

/** The person who already has that sign-in address. */
function useSameAddress(mail: string) {
  const address = useDeferredValue(mail.trim())
  const { data } = useQuery({
    queryKey: ['nutzer', 'by-mail', address],
    queryFn: ({ signal }) => rpc('__o_get_user_data', { email: address, id: '' }, { signal }),
    enabled: isEmail(address),
    staleTime: 30_000,
  })
  return isEmail(address) ? data?.[0] : undefined
}

/** The short name a person of that name would get, if it is already taken. */
function useTakenShortName(first: string, last: string): string | null {
  const shortName = useDeferredValue(
    first.trim() === '' && last.trim() === '' ? '' : shortNameOf(`${first} ${last}`),
  )
  const { data } = useQuery({
    queryKey: ['nutzer', 'kuerzel', shortName],
    queryFn: ({ signal }) => rpc('a_get_user_exists', { db_role: shortName }, { signal }),
    enabled: shortName !== '',
    staleTime: 30_000,
  })
  return shortName !== '' && data === true ? shortName : null
}

interface Done {
  readonly person: AddedUser
  readonly name: string
  readonly invitation: SentInvitation
}

/** `kunde`: the customer the person belongs to, if the page determines it. */
export function CreateNutzer({ kunde, onClose }: { kunde?: number; onClose: () => void }) {
  const view = useView()
  const open = (user_id: number) => {
    onClose()
    // A person who began on a customer's page goes on there.
    if (kunde === undefined) view.go(`/nutzer/${user_id}`)
  }
  const { form, fault, done, submit } = useNewNutzer(kunde, open)
  const same = useSameAddress(useWatch({ control: form.control, name: 'mail' }))
  if (done)
    return (
      <InvitationDialog
        invited={{ ...done, email: done.person.email }}
        onClose={() => open(done.person.user_id)}
      />
    )
  const { isSubmitting, isDirty } = form.formState
  return (
    <FormDialog
      title={t('Nutzer anlegen')}
      submitLabel={t('Anlegen')}
      busy={isSubmitting}
      dirty={isDirty}
      unsaved={t('Die neue Person ist noch nicht gespeichert.')}
      fault={fault}
      disabled={same !== undefined}
      className="nutzer-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <NameFields form={form} />
      <output className="nutzer-found">
        {same ? <SameAddress person={same} /> : <SameName form={form} />}
      </output>
      <LinkFields form={form} />
      <Checkbox
        label={t('Gleich einladen')}
        hint={t('Die Person bekommt einen Link, mit dem sie ihr Passwort festlegt.')}
        {...form.register('invite')}
      />
    </FormDialog>
  )
}

/** The form of a new person, from the first input to the invitation. `open` shows the person's page. */
function useNewNutzer(kunde: number | undefined, open: (user_id: number) => void) {
  const client = useQueryClient()
  const mayTeam = useHasRole('apus_admin')
  const form = useForm<NewNutzerValues>({
    resolver: standardSchemaResolver(NewNutzerSchema),
    defaultValues: kunde === undefined ? EMPTY : { ...EMPTY, client_id: String(kunde) },
    mode: 'onTouched',
  })
  const [fault, setFault] = useState<string | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const { setFocus, formState } = form
  // After opening: by default the dialog focuses its close button.
  useEffect(() => setFocus('mail'), [setFocus])
  const disarm = useUnsavedChanges(formState.isDirty && done === null)

  const submit = form.handleSubmit(async (values) => {
    setFault(null)
    let person: AddedUser
    try {
      person = await addUser(values, mayTeam)
    } catch (error) {
      setFault(showFaults(form, error, { fields: FIELDS, check: () => undefined }))
      return
    }
    disarm()
    void tellOthers(client, String(person.user_id))
    const name = nameOf({
      first_name: orNull(values.first_name),
      last_name: orNull(values.last_name),
      username: person.username,
    })
    toast.success(t('{name} ist angelegt.', { name }))
    const invitation = values.invite ? await sendInvitation(person) : null
    if (invitation === null) open(person.user_id)
    else setDone({ person, name, invitation })
  })
  return { form, fault, done, submit }
}

function addUser(values: NewNutzerValues, mayTeam: boolean): Promise<AddedUser> {
  const { mail, first_name, last_name, client_id, kataster_enabled, apus_team, apus_admin } = values
  const role = client_id === '' ? undefined : mayTeam ? 'nutzer' : 'kundenadmin'
  return rpc('a_add_user', {
    mail,
    first_name: orNull(first_name),
    last_name: orNull(last_name),
    kataster_enabled,
    apus_team,
    apus_admin,
    client_id: orNull(client_id),
    ...(role && { rolle: role }),
  })
}

/** The invitation if its link must be handed over by hand; null if it was mailed or failed. */
async function sendInvitation({ user_id, email }: AddedUser): Promise<SentInvitation | null> {
  try {
    const invitation = await invite(user_id)
    if (!invitation.mailed) return invitation
    toast.success(t('Die Einladung an {email} ist versendet.', { email }))
  } catch (error) {
    // The person was created; the invitation can be repeated from their page.
    toast.error(
      isExternal(error)
        ? t('Eingeladen wird über den externen Anmeldedienst.')
        : t('Nicht eingeladen: {why}', { why: messageOf(error) }),
    )
  }
  return null
}

interface Props {
  form: UseFormReturn<NewNutzerValues>
}

function NameFields({ form: { register, formState } }: Props) {
  const bind = (field: 'first_name' | 'last_name') => ({
    label: fieldLabel(field),
    maxLength: 100,
    autoComplete: 'off',
    error: formState.errors[field]?.message,
    ...register(field),
  })
  return (
    <FieldGrid>
      <div className="nutzer-wide">
        <TextField
          label={fieldLabel('email')}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          hint={t('Mit dieser Adresse meldet sich die Person an. Sie lässt sich später nicht ändern.')}
          error={formState.errors.mail?.message}
          {...register('mail')}
        />
      </div>
      <TextField {...bind('first_name')} />
      <TextField {...bind('last_name')} />
    </FieldGrid>
  )
}

const SameAddress = ({ person }: { person: UserData }) => (
  <Notice tone="warning" title={t('Diese Adresse gehört schon zu {name}', { name: nameOf(person) })}>
    <a href={`/nutzer/${person.user_id}`}>{t('Diese Person öffnen')}</a>
  </Notice>
)

function SameName({ form: { control } }: Props) {
  const [first, last] = useWatch({ control, name: ['first_name', 'last_name'] })
  const shortName = useTakenShortName(first, last)
  if (shortName === null) return null
  return (
    <Notice tone="warning" title={t('Eine Person dieses Namens gibt es schon')}>
      {t('Das Kürzel „{kuerzel}“ ist vergeben; die neue Person bekäme eine Nummer dahinter.', {
        kuerzel: shortName,
      })}{' '}
      <a href={`/nutzer/index?suche=${encodeURIComponent(`${first} ${last}`.trim())}`}>
        {t('Nach dem Namen suchen')}
      </a>
    </Notice>
  )
}

/** Customer and flags of the new person. */
function LinkFields({ form: { control, register, setValue } }: Props) {
  const mayTeam = useHasRole('apus_admin')
  const clientId = useWatch({ control, name: 'client_id' })
  return (
    <>
      <FieldGroup
        title={t('Zuordnung')}
        hint={t('Ohne Kunden gilt die Person als neu registriert, bis jemand sie zuordnet.')}
      >
        <RecordField
          filter={KUNDE}
          label={t('Kunde')}
          value={clientId}
          apply={(value) => setValue('client_id', value, { shouldDirty: true })}
        />
        {clientId !== '' && !mayTeam && (
          <p className="soft">{t('Die Person wird Kundenadmin dieses Kunden.')}</p>
        )}
        {mayTeam && clientId !== '' && (
          <Checkbox label={t('Kataster freigeschaltet')} {...register('kataster_enabled')} />
        )}
      </FieldGroup>
      {mayTeam && (
        <FieldGroup title={t('Eigenes Team')}>
          <Checkbox label={t('Team Vermessung')} {...register('apus_team')} />
          <Checkbox label={t('Verwaltung Vermessung')} {...register('apus_admin')} />
        </FieldGroup>
      )}
    </>
  )
}
