// /kunde/index "Kundenstammdaten": a customer's admin sees their own customers and keeps the contact person
// up to date.
import { useQuery } from '@tanstack/react-query'
import type { Kunde } from '#contract/kunde.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Card, Facts, Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { ContactFields } from '../../record/kunde/KundeFields.tsx'
import { KundeForstbetriebe } from './KundeForstbetriebe.tsx'
import { KundePeople } from './KundePeople.tsx'
import './kunde.css'
import { ownKunden } from '../../record/kunde/kunde-record.data.ts'
import { fixedFacts } from '../../record/kunde/kunde-facts.tsx'
import { CONTACT_FIELDS, contactName, fieldLabel } from '../../record/kunde/kunde-fields.ts'
import { useKundeForm } from '../../record/kunde/use-kunde-form.ts'
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import { SummaryLoading } from '../../record/summary/SummaryLoading.tsx'
import { useRecordTabs } from '../../record/summary/use-record-tabs.ts'
import { splitOff } from '../../ui/split-off.tsx'
import { townOf } from '../../record/kunde/town.ts'

const KundeSummary = splitOff(
  async () => (await import('../../record/summary/KundeSummary.tsx')).KundeSummary,
  <SummaryLoading />,
)

export function OwnKundenPage() {
  const { search } = useView()
  const query = useQuery(ownKunden)
  const rows = query.data ?? []
  const chosen =
    rows.length === 1 ? rows[0] : rows.find(({ client_id }) => String(client_id) === search['kunde'])
  if (chosen) return <Record key={chosen.client_id} kunde={chosen} isOnly={rows.length === 1} />
  return (
    <Page>
      {query.isPending ? (
        <Card>
          <Skeleton lines={6} />
        </Card>
      ) : query.isError && query.data === undefined ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : search['kunde'] !== undefined ? (
        <Card>
          <EmptyState
            icon="search"
            title={t('Diesen Kunden gibt es nicht')}
            action={<ButtonLink href="/kunde/index">{t('Zu Ihren Kundenstammdaten')}</ButtonLink>}
          >
            {t('Er gehört nicht zu Ihren Stammdaten, oder der Link ist unvollständig.')}
          </EmptyState>
        </Card>
      ) : (
        <Own rows={rows} />
      )}
    </Page>
  )
}

const columns = (): readonly Column<Kunde>[] => [
  {
    key: 'name',
    title: fieldLabel('name'),
    cell: ({ name }) => (
      <span className="kunde-clip" title={name}>
        {name}
      </span>
    ),
  },
  { key: 'ort', title: fieldLabel('ort'), cell: townOf },
  {
    key: 'kontakt',
    title: t('Ansprechpartner'),
    cell: (row) => contactName(row) || <span className="soft">–</span>,
  },
]

const Own = ({ rows }: { rows: readonly Kunde[] }) => (
  <Card flush>
    <DataTable
      caption={t('Ihre Kunden')}
      columns={columns()}
      rows={rows}
      rowKey={({ client_id }) => client_id}
      rowHref={({ client_id }) => `/kunde/index?kunde=${client_id}`}
      empty={
        <EmptyState icon="card" title={t('Noch keine Stammdaten')}>
          {t(
            'Ihrem Zugang ist noch kein Kunde zugeordnet. Bitte wenden Sie sich an Ihren Ansprechpartner ' +
              'bei uns.',
          )}
        </EmptyState>
      }
    />
  </Card>
)

function Record({ kunde, isOnly }: { kunde: Kunde; isOnly: boolean }) {
  const editor = useKundeForm(kunde, CONTACT_FIELDS)
  const id = String(kunde.client_id)
  const notes = useNotesTab({ art: 'kunde', id: kunde.client_id, forKunde: true })
  const tabs = useRecordTabs({ stammdaten: editor.draft })
  return (
    <Page
      {...(isOnly ? { title: kunde.name } : { record: kunde.name })}
      subtitle={t('Kundennummer {id}', { id })}
      actions={!isOnly && <ButtonLink href="/kunde/index">{t('Alle Ihre Kunden')}</ButtonLink>}
    >
      <Tabs
        label={t('Angaben zum Kunden')}
        {...tabs}
        tabs={[
          {
            id: 'ueberblick',
            label: t('Überblick'),
            content: <KundeSummary client_id={kunde.client_id} kind="kunde" />,
          },
          {
            id: 'stammdaten',
            label: t('Stammdaten'),
            content: (
              <div className="kunde-columns">
                <Card>
                  <RecordForm editor={editor}>
                    <ContactFields form={editor.form} />
                  </RecordForm>
                </Card>
                <FixedData kunde={kunde} />
              </div>
            ),
          },
          {
            id: 'forstbetriebe',
            label: t('Forstbetriebe'),
            content: <KundeForstbetriebe id={id} base="/kunde" />,
          },
          {
            id: 'personen',
            label: t('Personen'),
            content: <KundePeople id={id} teamTitle={t('Ihre Ansprechpartner bei uns')} />,
          },
          ...notes,
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}

const FixedData = ({ kunde }: { kunde: Kunde }) => (
  <Card title={t('Anschrift und Einstellungen')}>
    <div className="stack">
      <Facts facts={fixedFacts(kunde)} />
      <Notice>
        {t(
          'Diese Angaben pflegen wir für Sie. Ist etwas nicht mehr richtig, schreiben Sie Ihrem ' +
            'Ansprechpartner bei uns oder rufen Sie den Support an.',
        )}
      </Notice>
    </div>
  </Card>
)
