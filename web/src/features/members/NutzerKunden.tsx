// The customers of a person: role and Kataster of each link, joining another, leaving one.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordField } from '../../list/RecordField.tsx'
import { nameOf } from '../../record/person/person-words.ts'
import { LINK_ROLES, linkRoleName, type Role } from '../../members/member-words.ts'
import { type Change, useChangeMember, useJoin } from '../../members/members.data.ts'
import { RoleDialog } from '../../members/RoleDialog.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { kundeHref } from './kunden-list.tsx'
import './members.css'
import { findKunde, type KundeLink, kundeName, kundenLinks, type Person } from './nutzer.data.ts'
import { townOf } from '../../record/kunde/town.ts'

const KUNDE = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunde,
  name: kundeName,
} as const
const nameOfKunde = ({ kunde, client_id }: KundeLink): string =>
  kunde?.name ?? t('Kundennummer {id}', { id: client_id })

interface Asked {
  readonly act: 'rolle' | 'remove'
  readonly link: KundeLink
}

/** The link that a dialog asks about, and changes of links with their messages. */
function useLinkChanges({ user_id, ...person }: Person) {
  const name = nameOf(person)
  const [asked, setAsked] = useState<Asked | null>(null)
  const change = useChangeMember()
  const run = ({ client_id }: KundeLink, what: Change, message: string) =>
    change.mutateAsync({ client_id, change: what }).then(() => {
      toast.success(message)
      setAsked(null)
    })
  return {
    name,
    asked,
    ask: setAsked,
    busy: change.isPending,
    setRole: (link: KundeLink, role: Role) =>
      run(
        link,
        { kind: 'rolle', user_id, rolle: role },
        t('{name} ist jetzt {rolle}.', { name, rolle: linkRoleName(role) }),
      ),
    switchKataster: (link: KundeLink) =>
      run(
        link,
        { kind: 'kataster', user_id, on: !link.kataster_enabled },
        link.kataster_enabled
          ? t('{name} sieht das Kataster nicht mehr.', { name })
          : t('{name} sieht jetzt das Kataster.', { name }),
      ),
    remove: (link: KundeLink) =>
      run(
        link,
        { kind: 'remove', user_id },
        t('{name} gehört nicht mehr zu {kunde}.', { name, kunde: nameOfKunde(link) }),
      ),
  }
}
type LinkChanges = ReturnType<typeof useLinkChanges>

export function NutzerKunden({ person }: { person: Person }) {
  const query = useQuery(kundenLinks(person.user_id))
  const changes = useLinkChanges(person)
  return (
    <div className="stack">
      <Join person={person} present={query.data ?? []} />
      <Card flush>
        {query.isError && query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <DataTable
            caption={t('Kunden von {name}', { name: changes.name })}
            columns={columns(changes)}
            rows={query.data ?? []}
            rowKey={({ client_id }) => client_id}
            rowHref={({ client_id }) => kundeHref(client_id)}
            loading={query.isPending}
            skeletonRows={3}
            empty={
              <EmptyState icon="people" title={t('Kein Kunde')}>
                {t('Diese Person ist noch keinem Kunden zugeordnet.')}
              </EmptyState>
            }
          />
        )}
      </Card>
      <LinkDialogs {...changes} />
    </div>
  )
}

const columns = (changes: LinkChanges): readonly Column<KundeLink>[] => [
  { key: 'kunde', title: t('Kunde'), cell: nameOfKunde },
  {
    key: 'ort',
    title: t('Ort'),
    cell: ({ kunde }) => (kunde ? townOf(kunde) : <span className="soft">–</span>),
  },
  { key: 'rolle', title: t('Rolle'), cell: ({ rolle }) => linkRoleName(rolle) },
  {
    key: 'kataster',
    title: t('Kataster'),
    cell: ({ kataster_enabled, kunde }) =>
      kataster_enabled ? (
        kunde?.kataster_status === false ? (
          t('ja, beim Kunden nicht freigeschaltet')
        ) : (
          t('ja')
        )
      ) : (
        <span className="soft">{t('nein')}</span>
      ),
  },
  {
    key: 'aktionen',
    title: t('Aktionen'),
    align: 'end',
    cell: (link) => <LinkMenu link={link} {...changes} />,
  },
]

const LinkMenu = ({ link, ask, switchKataster }: LinkChanges & { link: KundeLink }) => (
  <Menu
    label={t('Aktionen für {name}', { name: nameOfKunde(link) })}
    align="end"
    className="button button-quiet button-small"
    trigger={
      <>
        {t('Aktionen')}
        <Icon name="chevronDown" size={16} />
      </>
    }
    items={[
      { key: 'rolle', label: t('Rolle ändern …'), onSelect: () => ask({ act: 'rolle', link }) },
      {
        key: 'kataster',
        label: link.kataster_enabled ? t('Freischaltung des Katasters aufheben') : t('Kataster freischalten'),
        onSelect: () => void switchKataster(link).catch((error: unknown) => toast.error(messageOf(error))),
      },
      {
        key: 'remove',
        label: t('Aus dem Kunden entfernen …'),
        icon: 'trash',
        danger: true,
        divided: true,
        onSelect: () => ask({ act: 'remove', link }),
      },
    ]}
  />
)

const LinkDialogs = ({ name, asked, ask, busy, setRole, remove }: LinkChanges) => (
  <>
    {asked?.act === 'rolle' && (
      <RoleDialog
        kunde={nameOfKunde(asked.link)}
        name={name}
        rolle={asked.link.rolle}
        rollen={LINK_ROLES}
        onClose={() => ask(null)}
        onSave={(role) => setRole(asked.link, role)}
      />
    )}
    <ConfirmDialog
      open={asked?.act === 'remove'}
      title={t('Aus dem Kunden entfernen?')}
      record={asked ? `${name} · ${nameOfKunde(asked.link)}` : ''}
      confirmLabel={t('Entfernen')}
      danger
      busy={busy}
      onConfirm={() => asked && remove(asked.link)}
      onCancel={() => ask(null)}
    >
      <p>
        {t(
          'Die Person sieht diesen Kunden ab sofort nicht mehr. Ihr Zugang und ihre übrigen Zuordnungen ' +
            'bleiben.',
        )}
      </p>
    </ConfirmDialog>
  </>
)

function Join({ person, present }: { person: Person; present: readonly KundeLink[] }) {
  const [kunde, setKunde] = useState('')
  const join = useJoin()
  const isThere = present.some(({ client_id }) => String(client_id) === kunde)
  const add = () => {
    if (kunde === '' || isThere || join.isPending) return
    join.mutate(
      { client_id: Number(kunde), user_id: person.user_id, kataster: false, rolle: 'nutzer' },
      {
        onSuccess: () => {
          setKunde('')
          toast.success(t('Zugeordnet.'))
        },
        onError: (error) => toast.error(messageOf(error)),
      },
    )
  }
  return (
    <form
      className="mitglieder-assign"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <RecordField filter={KUNDE} label={t('Kunden suchen')} value={kunde} apply={setKunde} />
      <Button type="submit" variant="primary" busy={join.isPending} disabled={kunde === '' || isThere}>
        {t('Zuordnen')}
      </Button>
      {isThere && <span className="soft">{t('Diesem Kunden ist die Person schon zugeordnet.')}</span>}
    </form>
  )
}
