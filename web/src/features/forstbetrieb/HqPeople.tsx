// People of a headquarters: who belongs to it, who administers it, who may use the app; connecting and
// disconnecting as far as the rules allow.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HqRights } from '#contract/forstbetrieb.ts'
import type { Hq } from '#contract/hq.ts'
import type { UserOfHq } from '#contract/rpc.ts'
import { Clip } from '../../list/Clip.tsx'
import { hqStatusName } from '../../record/hq/hq-fields.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useAsked } from '../../ui/use-asked.ts'
import './forstbetrieb.css'
import { hqPeople, hqRights, personName } from './forstbetrieb.data.ts'
import { isManager, type PersonQuestion, type QuestionKind } from './person-question.ts'
import { AskAboutPerson } from './AskAboutPerson.tsx'
import { MailLink } from '../../ui/MailLink.tsx'

// Loaded on demand.
const ConnectPerson = splitOff(async () => (await import('./ConnectPerson.tsx')).ConnectPerson)
const ViewPerson = splitOff(async () => (await import('./ViewPerson.tsx')).ViewPerson)

const NO_RIGHTS: HqRights = { verbinden: false, verwalter_ernennen: false, verwaltbar: [] }
export function HqPeople({ hq }: { hq: Hq }) {
  const id = String(hq.idHQ)
  const people = useQuery(hqPeople(id))
  const rights = useQuery(hqRights(id)).data ?? NO_RIGHTS
  const connecting = useAsked('neu', 'person')
  const [shown, setShown] = useState<UserOfHq | null>(null)
  const [question, setQuestion] = useState<PersonQuestion | null>(null)
  const rows = people.data ?? []
  if (people.isError && people.data === undefined)
    return (
      <Card>
        <ErrorState error={people.error} onRetry={() => void people.refetch()} />
      </Card>
    )
  return (
    <div className="stack">
      <div className="hq-people-head">
        <p className="soft">{rightsText(rights)}</p>
        {rights.verbinden && (
          <Button variant="primary" icon="plus" onClick={connecting.open}>
            {t('Person zuordnen')}
          </Button>
        )}
      </div>
      <Card flush>
        <DataTable
          caption={t('Personen dieses Forstbetriebs')}
          columns={columns((person) =>
            menuItems(person, rights, {
              show: () => setShown(person),
              ask: (kind) => setQuestion({ kind, person }),
            }),
          )}
          rows={rows}
          rowKey={({ user_id }) => user_id}
          rowTone={({ enabled }) => (enabled ? undefined : 'soft')}
          loading={people.isPending}
          skeletonRows={3}
          empty={
            <EmptyState icon="people" title={t('Keine Personen')}>
              {t('Diesem Forstbetrieb ist noch niemand zugeordnet.')}
            </EmptyState>
          }
        />
      </Card>
      {connecting.isOpen && rights.verbinden && (
        <ConnectPerson hq={hq} connected={rows} onClose={connecting.close} />
      )}
      {shown && <ViewPerson person={shown} onClose={() => setShown(null)} />}
      {question && (
        <AskAboutPerson hq={hq} rows={rows} question={question} onClose={() => setQuestion(null)} />
      )}
    </div>
  )
}

const rightsText = (rights: HqRights): string =>
  rights.verwalter_ernennen
    ? t('Sie ordnen Personen zu und bestimmen, wer diesen Forstbetrieb verwaltet.')
    : rights.verbinden
      ? t('Sie ordnen Personen zu. Wer den Forstbetrieb verwaltet, bestimmen dessen Verwaltung und wir.')
      : t('Personen ordnen die Verwaltung des Forstbetriebs und wir zu.')

interface PersonActs {
  readonly show: () => void
  readonly ask: (kind: QuestionKind) => void
}
/** What this user may do with the person. */
function menuItems(person: UserOfHq, rights: HqRights, { show, ask }: PersonActs): MenuItem[] {
  const manager: MenuItem = isManager(person)
    ? { key: 'no-admin', label: t('Verwaltung entziehen'), icon: 'shield', onSelect: () => ask('no-admin') }
    : { key: 'admin', label: t('Verwaltung übertragen'), icon: 'shield', onSelect: () => ask('admin') }
  const app: MenuItem =
    person.app_status === 'aktiv'
      ? { key: 'app', label: t('App sperren'), icon: 'lock', onSelect: () => ask('lock-app') }
      : { key: 'app', label: t('App entsperren'), icon: 'check', onSelect: () => ask('unlock-app') }
  const disconnect: MenuItem = {
    key: 'disconnect',
    label: t('Zuordnung aufheben'),
    icon: 'trash',
    danger: true,
    divided: true,
    onSelect: () => ask('disconnect'),
  }
  return [
    { key: 'show', label: t('Ansehen'), icon: 'person', onSelect: show },
    ...(rights.verwalter_ernennen ? [manager] : []),
    ...(rights.verwaltbar.includes(person.user_id) ? [app] : []),
    ...(rights.verbinden ? [disconnect] : []),
  ]
}

const columns = (menuOf: (person: UserOfHq) => MenuItem[]): readonly Column<UserOfHq>[] => [
  { key: 'name', title: t('Name'), cell: (person) => <Clip text={personName(person)} width={220} /> },
  {
    key: 'mail',
    title: t('E-Mail'),
    cell: ({ mail, email }) => <MailLink address={mail ?? email} />,
  },
  {
    key: 'rolle',
    title: t('Rolle'),
    cell: (person) =>
      isManager(person) ? (
        <Badge tone="info">{hqStatusName(person.hq_status)}</Badge>
      ) : (
        hqStatusName(person.hq_status)
      ),
  },
  {
    key: 'app',
    title: t('App'),
    cell: ({ app_status }) =>
      app_status === 'aktiv' ? t('aktiv') : <Badge tone="warning">{t('gesperrt')}</Badge>,
  },
  {
    key: 'zugang',
    title: t('Zugang'),
    cell: ({ enabled }) => (enabled ? t('aktiv') : <Badge tone="danger">{t('gesperrt')}</Badge>),
  },
  {
    key: 'mehr',
    title: t('Aktionen'),
    align: 'end',
    fixed: true,
    cell: (person) => (
      <Menu
        label={t('Aktionen für {name}', { name: personName(person) })}
        align="end"
        className="button button-quiet button-small"
        trigger={
          <>
            {t('Aktionen')}
            <Icon name="chevronDown" size={16} />
          </>
        }
        items={menuOf(person)}
      />
    ),
  },
]
