// Adds a person: who, for whom, and whether to invite at once. Warns while typing if the address or name
// already exists.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
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
  const kuerzel = useDeferredValue(
    first.trim() === '' && last.trim() === '' ? '' : shortNameOf(`${first} ${last}`),
  )
  const { data } = useQuery({
    queryKey: ['nutzer', 'kuerzel', kuerzel],
    queryFn: ({ signal }) => rpc('a_get_user_exists', { db_role: kuerzel }, { signal }),
    enabled: kuerzel !== '',
    staleTime: 30_000,
  })
  return kuerzel !== '' && data === true ? kuerzel : null
}

interface Done {
  readonly person: AddedUser
  readonly name: string
  readonly invitation: SentInvitation
}

export function CreateNutzer({ onClose }: { onClose: () => void }) {
  const view = useView()
  const client = useQueryClient()
  const mayTeam = useHasRole('apus_admin')
  const form = useForm<NewNutzerValues>({
    resolver: standardSchemaResolver(NewNutzerSchema),
    defaultValues: EMPTY,
    mode: 'onTouched',
  })
  const { control, register, formState, setFocus, setValue } = form
  const [mail, first, last, clientId] = useWatch({
    control,
    name: ['mail', 'first_name', 'last_name', 'client_id'],
  })
  const [fault, setFault] = useState<string | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const same = useSameAddress(mail)
  const taken = useTakenShortName(first, last)
  // After opening: by default the dialog focuses its close button.
  useEffect(() => setFocus('mail'), [setFocus])
  const disarm = useUnsavedChanges(formState.isDirty && done === null)
  const open = (user_id: number) => {
    onClose()
    view.go(`/nutzer/${user_id}`)
  }

  const submit = form.handleSubmit(async (values) => {
    setFault(null)
    let person: AddedUser
    try {
      const {
        mail: address,
        first_name,
        last_name,
        client_id,
        kataster_enabled,
        apus_team,
        apus_admin,
      } = values
      const given = { kataster_enabled, apus_team, apus_admin, client_id: orNull(client_id) }
      const rolle = client_id === '' ? undefined : mayTeam ? 'nutzer' : 'kundenadmin'
      person = await rpc('a_add_user', {
        mail: address,
        first_name: orNull(first_name),
        last_name: orNull(last_name),
        ...given,
        ...(rolle && { rolle }),
      })
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
    if (!values.invite) return open(person.user_id)
    try {
      const invitation = await invite(person.user_id)
      if (invitation.mailed) {
        toast.success(t('Die Einladung an {email} ist verschickt.', { email: person.email }))
        return open(person.user_id)
      }
      setDone({ person, name, invitation })
    } catch (error) {
      // The person was created; the invitation can be repeated from their page.
      toast.error(
        isExternal(error)
          ? t('Eingeladen wird über den externen Anmeldedienst.')
          : t('Nicht eingeladen: {why}', { why: messageOf(error) }),
      )
      open(person.user_id)
    }
  })

  if (done)
    return (
      <InvitationDialog
        invited={{ ...done, email: done.person.email }}
        onClose={() => open(done.person.user_id)}
      />
    )
  return (
    <FormDialog
      title={t('Nutzer anlegen')}
      submitLabel={t('Anlegen')}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      unsaved={t('Die neue Person ist noch nicht gespeichert.')}
      fault={fault}
      disabled={same !== undefined}
      className="nutzer-form"
      onSubmit={submit}
      onClose={onClose}
    >
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
        <TextField
          label={fieldLabel('first_name')}
          maxLength={100}
          autoComplete="off"
          error={formState.errors.first_name?.message}
          {...register('first_name')}
        />
        <TextField
          label={fieldLabel('last_name')}
          maxLength={100}
          autoComplete="off"
          error={formState.errors.last_name?.message}
          {...register('last_name')}
        />
      </FieldGrid>
      <output className="nutzer-found">
        {same && (
          <Notice tone="warning" title={t('Diese Adresse gehört schon zu {name}', { name: nameOf(same) })}>
            <a href={`/nutzer/${same.user_id}`}>{t('Diese Person öffnen')}</a>
          </Notice>
        )}
        {!same && taken !== null && (
          <Notice tone="warning" title={t('Eine Person dieses Namens gibt es schon')}>
            {t('Das Kürzel „{kuerzel}“ ist vergeben; die neue Person bekäme eine Nummer dahinter.', {
              kuerzel: taken,
            })}{' '}
            <a href={`/nutzer/index?suche=${encodeURIComponent(`${first} ${last}`.trim())}`}>
              {t('Nach dem Namen suchen')}
            </a>
          </Notice>
        )}
      </output>
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
          <Checkbox label={t('Kataster eingeschaltet')} {...register('kataster_enabled')} />
        )}
      </FieldGroup>
      {mayTeam && (
        <FieldGroup title={t('Eigenes Team')}>
          <Checkbox label={t('Team Vermessung')} {...register('apus_team')} />
          <Checkbox label={t('Verwaltung Vermessung')} {...register('apus_admin')} />
        </FieldGroup>
      )}
      <Checkbox
        label={t('Gleich einladen')}
        hint={t('Die Person bekommt einen Link, mit dem sie ihr Passwort festlegt.')}
        {...register('invite')}
      />
    </FormDialog>
  )
}
