// The user's own name, address and personal data.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { RecordConflict, RecordForm } from '../../../record/RecordForm.tsx'
import type { RecordKind } from '../../../record/record-kind.ts'
import { useRecordForm } from '../../../record/use-record-form.ts'
import { Card, DateText, Facts, fact } from '../../../ui/Display.tsx'
import { AddressText } from '../../../ui/MailLink.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { messageOf } from '../../../record/record-faults.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import {
  fieldLabel,
  PERSON,
  type PersonField,
  PersonSchema,
  type PersonValues,
} from '../../../record/person/person-kind.ts'
import { type OwnProps, PersonFields } from '../../../record/person/PersonFields.tsx'
import { appAccessText } from '../../../record/person/person-words.ts'
import { ContactState } from './ContactState.tsx'
import { confirmMail, ownContact, ownRecord, useSaveSelf } from './profile.data.ts'

/** An admin may add somebody without a name; in their own profile, everybody has to enter one. */
const SelfSchema = z.object({
  ...PersonSchema.shape,
  first_name: PersonSchema.shape.first_name.check(
    z.refine((text) => text.trim() !== '', { error: () => t('Bitte geben Sie Ihren Vornamen an.') }),
  ),
  last_name: PersonSchema.shape.last_name.check(
    z.refine((text) => text.trim() !== '', { error: () => t('Bitte geben Sie Ihren Nachnamen an.') }),
  ),
})
const SELF: RecordKind<PersonField, NutzerRecord, PersonValues> = {
  ...PERSON,
  draftOf: ({ user_id }) => `profil/${user_id}`,
  resolver: standardSchemaResolver(SelfSchema),
  changedBy: (values) =>
    t(
      '{who} hat Ihre Angaben am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}

const ownProps = (): Partial<Record<PersonField, OwnProps>> => ({
  first_name: { required: true, autoComplete: 'given-name' },
  last_name: { required: true, autoComplete: 'family-name' },
  mail: {
    autoComplete: 'email',
    hint: t(
      'An eine neue Adresse geht ein Link. Erst wenn Sie ihm gefolgt sind, gehen Nachrichten dorthin; Ihre ' +
        'Anmeldeadresse bleibt gleich.',
    ),
  },
  geb: { autoComplete: 'bday', hint: t('Freiwillig.') },
  geschlecht: { autoComplete: 'sex', hint: t('Freiwillig.') },
})

/** Handles the link from the confirmation mail: the code in the address works once and is removed from it. */
function useConfirmation(): void {
  const client = useQueryClient()
  useEffect(() => {
    const address = new URL(window.location.href)
    const code = address.searchParams.get('bestaetigen')
    if (code === null) return
    address.searchParams.delete('bestaetigen')
    window.history.replaceState(window.history.state, '', address)
    void confirmMail(code).then(
      (isConfirmed) => {
        if (isConfirmed)
          toast.success(t('Ihre Kontaktadresse ist bestätigt. Nachrichten gehen jetzt dorthin.'))
        else
          toast.error(t('Dieser Link gilt nicht mehr. Lassen Sie sich in Ihrem Profil einen neuen senden.'))
        return client.invalidateQueries(ownContact)
      },
      (error: unknown) => toast.error(messageOf(error)),
    )
  }, [client])
}

/** `onSaved`: the frame shows the name too. */
export function OwnData({ onSaved }: { onSaved: () => Promise<void> }) {
  const query = useQuery(ownRecord)
  useConfirmation()
  if (query.data) return <OwnDataForm person={query.data} onSaved={onSaved} />
  return (
    <Card title={t('Name und Erreichbarkeit')}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  )
}

function OwnDataForm({ person, onSaved }: { person: NutzerRecord; onSaved: () => Promise<void> }) {
  const editor = useRecordForm(SELF, person, useSaveSelf(onSaved))
  return (
    <>
      <Card title={t('Name und Erreichbarkeit')}>
        <RecordForm editor={editor} label={t('Name und Erreichbarkeit')}>
          <PersonFields editor={editor} own={ownProps()} />
          <ContactState person={person} />
        </RecordForm>
      </Card>
      <Card title={t('Ihr Zugang')}>
        <Facts
          facts={[
            fact(fieldLabel('email'), <AddressText address={person.email ?? ''} />),
            fact(fieldLabel('username'), <AddressText address={person.username ?? ''} />),
            fact(t('Registriert am'), <DateText value={person.reg_date} />),
            fact(fieldLabel('app_status'), appAccessText(person.app_status)),
          ]}
        />
      </Card>
      <RecordConflict editor={editor} />
    </>
  )
}
