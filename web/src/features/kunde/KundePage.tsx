// /kunden/{id}: one customer, for staff.
import { useQuery } from '@tanstack/react-query'
import type { Kunde } from '#contract/kunde.ts'
import { RecordConflict } from '../../record/RecordForm.tsx'
import { VerlaufList } from '../../record/VerlaufList.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { KundeForstbetriebe } from './KundeForstbetriebe.tsx'
import { KundePersonen } from './KundePersonen.tsx'
import { KundeStammdaten } from './KundeStammdaten.tsx'
import './kunde.css'
import { isMissing, kunde as kundeQuery, kundeVerlauf } from '../../record/kunde/kunde-record.data.ts'
import { KUNDE_WORDS } from '../../record/kunde/kunde-kind.ts'
import { useKundeForm } from '../../record/kunde/use-kunde-form.ts'

export function KundePage() {
  const { params } = useView()
  const id = params['id'] ?? ''
  const query = useQuery(kundeQuery(id))
  if (query.data) return <Record key={id} kunde={query.data} />
  if (query.isError)
    return (
      <Page title={isMissing(query.error) ? t('Kunde nicht gefunden') : t('Kunde')}>
        <Card>
          {isMissing(query.error) ? (
            <EmptyState
              icon="search"
              title={t('Diesen Kunden gibt es nicht')}
              action={<ButtonLink href="/kunden/index">{t('Zur Kundenliste')}</ButtonLink>}
            >
              {t(
                'Die Nummer {id} gehört zu keinem Kunden, den Sie sehen dürfen. Vielleicht wurde er gelöscht, oder der Link ist unvollständig.',
                { id },
              )}
            </EmptyState>
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
        </Card>
      </Page>
    )
  return (
    <Page>
      <Card>
        <Skeleton lines={8} />
      </Card>
    </Page>
  )
}

function Record({ kunde }: { kunde: Kunde }) {
  const { search, setSearch } = useView()
  const editor = useKundeForm(kunde)
  const id = String(kunde.client_id)
  const changed = kunde.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', { when: formatDateTime(kunde.geaendert_am), who: kunde.geaendert_von })
    : t('zuletzt geändert am {when}', { when: formatDateTime(kunde.geaendert_am) })
  return (
    <Page record={kunde.name} subtitle={`${t('Kundennummer {id}', { id })} · ${changed}`}>
      <Tabs
        label={t('Angaben zum Kunden')}
        value={search['ansicht'] ?? 'stammdaten'}
        onChange={(tab) => setSearch({ ansicht: tab === 'stammdaten' ? undefined : tab }, { replace: true })}
        tabs={[
          { id: 'stammdaten', label: t('Stammdaten'), content: <KundeStammdaten kunde={kunde} editor={editor} /> },
          { id: 'forstbetriebe', label: t('Forstbetriebe'), content: <KundeForstbetriebe id={id} base="/kunden" /> },
          { id: 'personen', label: t('Personen'), content: <KundePersonen id={id} teamTitle={t('Eigenes Team')} /> },
          { id: 'verlauf', label: t('Verlauf'), content: <VerlaufList query={kundeVerlauf(id)} words={() => KUNDE_WORDS} /> },
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}
