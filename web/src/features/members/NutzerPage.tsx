// /member-management/users/{user_id}: one person of the drainage half, for apus_admin.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { mayManage } from '#domain/role-origins.ts'
import { useSession } from '../../data/session.ts'
import { AccountPanel } from '../../record/account/AccountPanel.tsx'
import { type PersonEditor, PersonFacts, PersonFields } from '../../record/person/PersonFields.tsx'
import { PERSON } from '../../record/person/person-kind.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { useRecordForm } from '../../record/use-record-form.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { appText, accessText } from '../../members/member-words.ts'
import { MEMBER } from '../../members/members.data.ts'
import { Badge, Card, DateText, Facts, fact } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './members.css'
import { NutzerApp } from './NutzerApp.tsx'
import { isAuditing, mayAudit, NutzerAuditor } from './NutzerAuditor.tsx'
import { NutzerKunden } from './NutzerKunden.tsx'
import { NutzerRoles, type RolesDraft, useRolesDraft } from './NutzerRoles.tsx'
import { NutzerHistory } from './NutzerHistory.tsx'
import { type Person, person as personQuery, useSave } from './nutzer.data.ts'
import { MailLink } from '../../ui/MailLink.tsx'

export function NutzerPage() {
  const id = useView().params['user_id'] ?? ''
  const query = useQuery(personQuery(id))
  if (query.data) return <Record key={id} person={query.data} />
  const words = {
    title: t('Nutzerdetails'),
    notFound: t('Person nicht gefunden'),
    headline: t('Diese Person gibt es nicht'),
    hint: t('Die Nummer {id} gehört zu keiner Person, die Sie sehen dürfen.', { id }),
    back: { href: '/member-management/users', text: t('Zur Nutzerliste') },
  }
  return <RecordUnready error={query.error} words={words} onRetry={() => void query.refetch()} />
}

function Record({ person }: { person: Person }) {
  const { search, setSearch } = useView()
  const client = useQueryClient()
  const { roles } = useSession()
  const roleList = useRolesDraft(person)
  const managed = mayManage(roles, person)
  const editor = useRecordForm(PERSON, person, useSave(String(person.user_id)), managed ? PERSON.fields : [])
  const name = nameOf(person)
  const when = formatDateTime(person.geaendert_am)
  const changed = person.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', { when, who: person.geaendert_von })
    : t('zuletzt geändert am {when}', { when })
  return (
    <Page record={name} subtitle={`${person.email} · ${changed}`}>
      <Tabs
        label={t('Angaben zur Person')}
        value={search['ansicht'] ?? 'person'}
        onChange={(tab) => setSearch({ ansicht: tab === 'person' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'person',
            label: t('Person'),
            content: <Overview person={person} editor={editor} managed={managed} rollen={roleList} />,
          },
          { id: 'kunden', label: t('Kunden'), content: <NutzerKunden person={person} /> },
          {
            id: 'zugang',
            label: t('Zugang'),
            content: (
              <div className="stack">
                <NutzerApp person={person} />
                <AccountPanel
                  person={{ ...person, name }}
                  onChanged={() => client.invalidateQueries({ queryKey: MEMBER })}
                />
              </div>
            ),
          },
          { id: 'verlauf', label: t('Verlauf'), content: <NutzerHistory person={person} /> },
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}

interface OverviewProps {
  person: Person
  editor: PersonEditor
  managed: boolean
  rollen: RolesDraft
}
const Overview = ({ person, editor, managed, rollen }: OverviewProps) => (
  <div className="mitglieder-columns">
    <Card title={t('Person')}>
      {managed ? (
        <RecordForm editor={editor} label={t('Person')}>
          <PersonFields editor={editor} />
        </RecordForm>
      ) : (
        <PersonFacts person={person} />
      )}
    </Card>
    {/* An auditor gets no other role before the audit has ended. */}
    {!isAuditing(person) && <NutzerRoles person={person} draft={rollen} />}
    {mayAudit(person) && <NutzerAuditor key={person.user_id} person={person} />}
    <Card title={t('Anmeldung')}>
      <Facts
        facts={[
          fact(t('E-Mail (Anmeldung)'), <MailLink address={person.email} />),
          fact(t('Benutzername'), person.username),
          fact(t('Kürzel'), person.db_role),
          fact(t('Registriert am'), <DateText value={person.reg_date} />),
          fact(t('App'), appText(person.app_status)),
          fact(
            t('Zugang'),
            <Badge tone={person.enabled ? 'success' : 'danger'}>{accessText(person.enabled)}</Badge>,
          ),
        ]}
      />
    </Card>
  </div>
)
