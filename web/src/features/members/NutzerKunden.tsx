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

export function NutzerKunden({ person }: { person: Person }) {
  const query = useQuery(kundenLinks(person.user_id))
  const [asked, setAsked] = useState<Asked | null>(null)
  const change = useChangeMember()
  const name = nameOf(person)
  const run = (client_id: number, what: Change, done: string) => {
    if (change.isPending) return
    change.mutate(
      { client_id, change: what },
      {
        onSuccess: () => toast.success(done),
        onError: (error) => toast.error(messageOf(error)),
        onSettled: () => setAsked(null),
      },
    )
  }
  const { user_id } = person
  const columns: readonly Column<KundeLink>[] = [
    { key: 'kunde', title: t('Kunde'), cell: nameOfKunde },
    {
      key: 'ort',
      title: t('Ort'),
      cell: ({ kunde }) => (kunde ? `${kunde.plz} ${kunde.ort}` : <span className="soft">–</span>),
    },
    { key: 'rolle', title: t('Rolle'), cell: ({ rolle }) => linkRoleName(rolle) },
    {
      key: 'kataster',
      title: t('Kataster'),
      cell: ({ kataster_enabled, kunde }) =>
        kataster_enabled ? (
          kunde?.kataster_status === false ? (
            t('ja, ruht beim Kunden')
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
      cell: (link) => (
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
            { key: 'rolle', label: t('Rolle ändern …'), onSelect: () => setAsked({ act: 'rolle', link }) },
            {
              key: 'kataster',
              label: link.kataster_enabled ? t('Kataster ausschalten') : t('Kataster einschalten'),
              onSelect: () =>
                run(
                  link.client_id,
                  { kind: 'kataster', user_id, on: !link.kataster_enabled },
                  link.kataster_enabled
                    ? t('{name} sieht das Kataster nicht mehr.', { name })
                    : t('{name} sieht jetzt das Kataster.', { name }),
                ),
            },
            {
              key: 'remove',
              label: t('Aus dem Kunden entfernen …'),
              icon: 'trash',
              danger: true,
              divided: true,
              onSelect: () => setAsked({ act: 'remove', link }),
            },
          ]}
        />
      ),
    },
  ]
  return (
    <div className="stack">
      <Join person={person} present={query.data ?? []} />
      <Card flush>
        {query.isError && query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <DataTable
            caption={t('Kunden von {name}', { name })}
            columns={columns}
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
      {asked?.act === 'rolle' && (
        <RoleDialog
          kunde={nameOfKunde(asked.link)}
          name={name}
          rolle={asked.link.rolle}
          rollen={LINK_ROLES}
          busy={change.isPending}
          onClose={() => setAsked(null)}
          onSave={(rolle: Role) =>
            run(
              asked.link.client_id,
              { kind: 'rolle', user_id, rolle },
              t('{name} ist jetzt {rolle}.', { name, rolle: linkRoleName(rolle) }),
            )
          }
        />
      )}
      <ConfirmDialog
        open={asked?.act === 'remove'}
        title={t('Aus dem Kunden entfernen?')}
        record={asked ? `${name} · ${nameOfKunde(asked.link)}` : ''}
        confirmLabel={t('Entfernen')}
        danger
        busy={change.isPending}
        onConfirm={() =>
          asked &&
          run(
            asked.link.client_id,
            { kind: 'remove', user_id },
            t('{name} gehört nicht mehr zu {kunde}.', { name, kunde: nameOfKunde(asked.link) }),
          )
        }
        onCancel={() => setAsked(null)}
      >
        <p>
          {t(
            'Die Person sieht diesen Kunden ab ihrem nächsten Aufruf nicht mehr. Ihr Zugang und ihre übrigen Zugehörigkeiten bleiben.',
          )}
        </p>
      </ConfirmDialog>
    </div>
  )
}

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
