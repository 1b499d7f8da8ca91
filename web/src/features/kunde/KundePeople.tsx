// People linked to a customer, including our own team. Links are managed under "Benutzer".
import { useQuery } from '@tanstack/react-query'
import type { AppUserOfClient, TeamOfClient } from '#contract/rpc.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card } from '../../ui/Display.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { kundePeople } from '../../record/kunde/kunde-record.data.ts'
import { MailLink } from '../../ui/MailLink.tsx'

type Person = Pick<TeamOfClient, 'first_name' | 'last_name' | 'username' | 'email' | 'mail' | 'enabled'>
const nameOf = ({ first_name, last_name, username }: Person): string =>
  [first_name, last_name].filter(Boolean).join(' ') || username

const roleName = (role: AppUserOfClient['rolle']): string =>
  role === 'admin' ? t('Administrator') : role === 'kundenadmin' ? t('Kundenadmin') : t('Nutzer/in')

const state = ({ enabled }: Person) =>
  enabled ? <Badge tone="success">{t('aktiv')}</Badge> : <Badge tone="danger">{t('gesperrt')}</Badge>

const whoColumns = (): readonly Column<Person>[] => [
  {
    key: 'name',
    title: t('Name'),
    cell: (person) => (
      <span className="kunde-clip" title={nameOf(person)}>
        {nameOf(person)}
      </span>
    ),
  },
  {
    key: 'mail',
    title: t('E-Mail'),
    cell: ({ mail, email }) => <MailLink address={mail ?? email} />,
  },
]
const peopleColumns = (): readonly Column<AppUserOfClient>[] => [
  ...whoColumns(),
  { key: 'rolle', title: t('Rolle'), cell: ({ rolle }) => roleName(rolle) },
  {
    key: 'kataster',
    title: t('Kataster'),
    cell: ({ kataster_enabled }) => (kataster_enabled ? t('ja') : <span className="soft">{t('nein')}</span>),
  },
  {
    key: 'app',
    title: t('App'),
    cell: ({ app_status }) =>
      app_status === 'aktiv' ? t('aktiv') : <span className="soft">{t('gesperrt')}</span>,
  },
  { key: 'zugang', title: t('Zugang'), cell: state },
]
const teamColumns = (): readonly Column<TeamOfClient>[] => [
  ...whoColumns(),
  { key: 'zugang', title: t('Zugang'), cell: state },
]

export function KundePeople({ id, teamTitle }: { id: string; teamTitle: string }) {
  const people = useQuery(kundePeople(id))
  if (people.isError && people.data === undefined)
    return (
      <Card>
        <ErrorState error={people.error} onRetry={() => void people.refetch()} />
      </Card>
    )
  const team = people.data?.team ?? []
  return (
    <div className="stack">
      <Card flush>
        <DataTable
          caption={t('Personen dieses Kunden')}
          columns={peopleColumns()}
          rows={people.data?.people ?? []}
          rowKey={({ user_id }) => user_id}
          loading={people.isPending}
          skeletonRows={3}
          empty={
            <EmptyState icon="people" title={t('Keine Personen')}>
              {t('Diesem Kunden ist noch niemand zugeordnet.')}
            </EmptyState>
          }
        />
      </Card>
      {team.length > 0 && (
        <Card flush title={teamTitle}>
          <DataTable
            caption={teamTitle}
            columns={teamColumns()}
            rows={team}
            rowKey={({ user_id }) => user_id}
          />
        </Card>
      )}
    </div>
  )
}
