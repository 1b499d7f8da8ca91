// Links of a person to customers: role, and access to the survey overviews.
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { linkRolesToGive } from '#domain/role-origins.ts'
import { hasOneOf } from '#domain/roles.ts'
import { rpc } from '../../data/rpc.ts'
import { useSession } from '../../data/session.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { LinkTable } from './LinkTable.tsx'
import { LiveCheckbox } from './LiveCheckbox.tsx'
import { findKunden, type KundeLink, kundeName, type Links, useChange } from './nutzer.data.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { isKundeRole, KUNDE_ROLES, type KundeRole, kundeRoleName } from './nutzer-words.ts'

interface Props {
  person: NutzerRecord
  links: UseQueryResult<Links>
}
const named = ({ kunde, client_id }: KundeLink): string =>
  kunde?.name ?? t('Kunde Nr. {id}', { id: client_id })
const roleOptions = (roles: readonly KundeRole[]) =>
  KUNDE_ROLES.filter((value) => roles.includes(value)).map((value) => ({
    value,
    label: kundeRoleName(value),
  }))

/** What the viewer may change at these links, and the changes. */
function useLinkChanges({ user_id }: NutzerRecord) {
  const { roles, user } = useSession()
  const self = user_id === user?.user_id
  const setRole = useChange(
    String(user_id),
    ({ client_id, rolle }: { client_id: number; rolle: KundeRole }) =>
      rpc('a_set_kunde_rolle', { user_id, client_id, rolle }),
  )
  const setKataster = useChange(String(user_id), ({ client_id, on }: { client_id: number; on: boolean }) =>
    rpc('a_add_user_to_client', { user_id, client_id, kataster_enabled: on }),
  )
  return {
    /** Roles that the viewer may give. */
    gives: self ? [] : linkRolesToGive(roles),
    mayKataster: !self && hasOneOf(roles, ['apus_admin']),
    setRole,
    setKataster,
    busy: setRole.isPending || setKataster.isPending,
  }
}
type LinkChanges = ReturnType<typeof useLinkChanges>
const onError = (error: unknown) => toast.error(messageOf(error))
const saved = (back: () => Promise<unknown>) => toast.undo(t('Gespeichert.'), back)

export function NutzerKunden({ person, links }: Props) {
  const { user_id } = person
  const changes = useLinkChanges(person)
  const { gives, busy } = changes
  const rows = links.data?.kunden
  return (
    <LinkTable
      person={person}
      query={links}
      rows={rows}
      caption={t('Kunden von {name}', { name: nameOf(person) })}
      columns={columns(changes)}
      idOf={({ client_id }) => client_id}
      named={named}
      remove={(client_id: number) => rpc('a_remove_user_from_client', { user_id, client_id })}
      loss={t('Die Person verliert sofort, was sie durch diese Zuordnung darf.')}
      busy={busy}
      add={gives.length > 0 && <AddKunde person={person} taken={rows ?? []} gives={gives} />}
      empty={
        <EmptyState icon="building" title={t('Kein Kunde zugeordnet')}>
          {t('Wählen Sie oben einen Kunden. Damit sieht die Person dessen Pläne, je nach Rolle auch mehr.')}
        </EmptyState>
      }
    />
  )
}

const columns = (changes: LinkChanges): readonly Column<KundeLink>[] => [
  {
    key: 'kunde',
    title: t('Kunde'),
    cell: (link) => <a href={`/kunden/${link.client_id}`}>{named(link)}</a>,
  },
  { key: 'ort', title: t('Ort'), cell: ({ kunde }) => kunde?.ort ?? '' },
  { key: 'rolle', title: t('Rolle'), cell: (link) => <RoleSelect link={link} {...changes} /> },
  { key: 'kataster', title: t('Kataster'), cell: (link) => <KatasterCheckbox link={link} {...changes} /> },
]

function RoleSelect({ link, gives, setRole, busy }: LinkChanges & { link: KundeLink }) {
  const { client_id } = link
  const isSaving = setRole.isPending && setRole.variables.client_id === client_id
  return (
    <div className="nutzer-table-select">
      <SelectField
        label={t('Rolle bei {name}', { name: named(link) })}
        labelHidden
        value={isSaving ? setRole.variables.rolle : link.rolle}
        // Anybody here may change the plain role.
        disabled={
          busy ||
          (link.rolle !== 'nutzer' && !gives.includes(link.rolle)) ||
          gives.every((role) => role === link.rolle)
        }
        options={roleOptions([...gives, link.rolle])}
        onChange={({ target }) =>
          isKundeRole(target.value) &&
          setRole.mutate(
            { client_id, rolle: target.value },
            { onError, onSuccess: () => saved(() => setRole.mutateAsync({ client_id, rolle: link.rolle })) },
          )
        }
      />
    </div>
  )
}

function KatasterCheckbox({ link, mayKataster, setKataster, busy }: LinkChanges & { link: KundeLink }) {
  const { client_id, kunde, kataster_enabled } = link
  return (
    <LiveCheckbox
      label={t('freigeschaltet')}
      aria-label={t('Kataster bei {name}', { name: named(link) })}
      stored={kataster_enabled}
      disabled={busy || !mayKataster}
      hint={
        kunde && !kunde.kataster_status && kataster_enabled
          ? t('Für den Kunden selbst noch nicht freigeschaltet.')
          : undefined
      }
      onWish={(on) =>
        setKataster
          .mutateAsync({ client_id, on })
          .then(() => saved(() => setKataster.mutateAsync({ client_id, on: !on })), onError)
      }
    />
  )
}

const FILTER = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunden,
  name: kundeName,
} as const

function AddKunde({
  person,
  taken,
  gives,
}: {
  person: NutzerRecord
  taken: readonly KundeLink[]
  gives: readonly KundeRole[]
}) {
  const { user_id } = person
  const [kunde, setKunde] = useState('')
  const [role, setRole] = useState<KundeRole>(gives[0] ?? 'nutzer')
  const add = useChange(String(user_id), () =>
    rpc('a_add_user_to_client', { user_id, client_id: kunde, kataster_enabled: false, rolle: role }),
  )
  const known = taken.some(({ client_id }) => String(client_id) === kunde)
  return (
    <form
      className="nutzer-add-link nutzer-add-link-wide"
      aria-label={t('Kunden zuordnen')}
      onSubmit={(event) => {
        event.preventDefault()
        if (kunde === '' || known || add.isPending) return
        add.mutate(undefined, {
          onError: (error) => toast.error(messageOf(error)),
          onSuccess: () => {
            setKunde('')
            setRole(gives[0] ?? 'nutzer')
            toast.success(t('Kunde zugeordnet.'))
          },
        })
      }}
    >
      <RecordField filter={FILTER} label={t('Kunde')} value={kunde} apply={setKunde} />
      <SelectField
        label={t('Rolle')}
        value={role}
        options={roleOptions(gives)}
        onChange={({ target }) => isKundeRole(target.value) && setRole(target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        icon="plus"
        busy={add.isPending}
        disabled={kunde === '' || known}
      >
        {known ? t('Schon zugeordnet') : t('Zuordnen')}
      </Button>
    </form>
  )
}
