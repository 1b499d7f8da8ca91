// /nutzer/{user_id}: one person, for the provider's admins.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { mayManage } from '#domain/role-origins.ts'
import { useSession } from '../../data/session.ts'
import { AccountPanel } from '../../record/account/AccountPanel.tsx'
import { RecordConflict } from '../../record/RecordForm.tsx'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { Badge, Card } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { roleInWords } from '../../ui/role-words.ts'
import { EmptyState } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { NutzerForstbetriebe } from './NutzerForstbetriebe.tsx'
import { NutzerKunden } from './NutzerKunden.tsx'
import { NutzerRoles, type Reach } from './NutzerRoles.tsx'
import { NutzerMasterData } from './NutzerMasterData.tsx'
import { NutzerHistory } from './NutzerHistory.tsx'
import './nutzer.css'
import { links as linksQuery, nutzer as nutzerQuery, tellOthers, useSaveNutzer } from './nutzer.data.ts'
import { PERSON } from '../../record/person/person-kind.ts'
import { nameOf } from '../../record/person/person-words.ts'

/** `reachOf`: the pages that roles open; passed in, because the route table belongs to the application. */
export function NutzerDetailsPage({ reachOf }: { reachOf: Reach }) {
  const { params } = useView()
  const id = params['user_id'] ?? ''
  const query = useQuery(nutzerQuery(id))
  if (query.data) return <Record key={id} person={query.data} reachOf={reachOf} />
  const words = {
    title: t('Nutzerdetails'),
    notFound: t('Nutzer nicht gefunden'),
    headline: t('Diese Person gibt es nicht'),
    hint: t(
      'Die Nummer {id} gehört zu keiner Person, die Sie sehen dürfen. Vielleicht wurde sie gelöscht, oder der ' +
        'Link ist unvollständig.',
      { id },
    ),
    back: { href: '/nutzer/index', text: t('Zur Nutzerliste') },
  }
  return <RecordUnready error={query.error} words={words} onRetry={() => void query.refetch()} />
}

function Record({ person, reachOf }: { person: NutzerRecord; reachOf: Reach }) {
  const { search, setSearch } = useView()
  const { roles } = useSession()
  const id = String(person.user_id)
  const managed = mayManage(roles, person)
  const editor = useRecordForm(PERSON, person, useSaveNutzer(id), managed ? PERSON.fields : [])
  const links = useQuery(linksQuery(id))
  const changed = person.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', {
        when: formatDateTime(person.geaendert_am),
        who: person.geaendert_von,
      })
    : t('zuletzt geändert am {when}', { when: formatDateTime(person.geaendert_am) })
  return (
    <Page
      record={nameOf(person)}
      subtitle={
        <span className="nutzer-head">
          <Badge>{roleInWords(person.system_status)}</Badge>
          {!person.enabled && <Badge tone="danger">{t('Zugang gesperrt')}</Badge>}
          {person.app_status === 'gesperrt' && <Badge tone="warning">{t('App gesperrt')}</Badge>}
          <span>{`${t('Nutzernummer {id}', { id })} · ${changed}`}</span>
        </span>
      }
    >
      <Tabs
        label={t('Angaben zur Person')}
        value={search['ansicht'] ?? 'person'}
        onChange={(tab) => setSearch({ ansicht: tab === 'person' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'person',
            label: t('Person'),
            content: <NutzerMasterData person={person} editor={editor} managed={managed} />,
          },
          {
            id: 'rollen',
            label: t('Rollen'),
            content: <NutzerRoles person={person} links={links} reachOf={reachOf} />,
          },
          {
            id: 'kunden',
            label: t('Kunden'),
            count: links.data?.kunden.length,
            content: <NutzerKunden person={person} links={links} />,
          },
          {
            id: 'forstbetriebe',
            label: t('Forstbetriebe'),
            count: links.data?.hqs.length,
            content: <NutzerForstbetriebe person={person} links={links} />,
          },
          {
            id: 'konto',
            label: t('Konto'),
            content: managed ? <Account person={person} /> : <ForeignAccount />,
          },
          { id: 'verlauf', label: t('Verlauf'), content: <NutzerHistory id={id} /> },
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}

function Account({ person }: { person: NutzerRecord }) {
  const client = useQueryClient()
  return (
    <div className="stack">
      <AccountPanel
        person={{ ...person, name: nameOf(person) }}
        onChanged={() => tellOthers(client, String(person.user_id))}
      />
    </div>
  )
}
const ForeignAccount = () => (
  <Card>
    <EmptyState icon="lock" title={t('Kein Einblick in dieses Konto')}>
      {t('Diese Person gehört zum Team der anderen Verwaltung; ihr Konto verwaltet, wer dort verwaltet.')}
    </EmptyState>
  </Card>
)
