// /kunden/{id}: one customer, for staff.
import type { Kunde } from '#contract/kunde.ts'
import { RecordConflict } from '../../record/RecordForm.tsx'
import { HistoryList } from '../../record/HistoryList.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { KundeForstbetriebe } from './KundeForstbetriebe.tsx'
import { KundePeople } from './KundePeople.tsx'
import { KundeMasterData } from './KundeMasterData.tsx'
import './kunde.css'
import { KundeLoad } from '../../record/kunde/KundeLoad.tsx'
import { kundeHistory } from '../../record/kunde/kunde-record.data.ts'
import { KUNDE_WORDS } from '../../record/kunde/kunde-kind.ts'
import { useKundeForm } from '../../record/kunde/use-kunde-form.ts'

export function KundePage() {
  const id = useView().params['id'] ?? ''
  return (
    <KundeLoad key={id} id={id} list="/kunden/index">
      {(kunde) => <Record kunde={kunde} />}
    </KundeLoad>
  )
}

function Record({ kunde }: { kunde: Kunde }) {
  const { search, setSearch } = useView()
  const editor = useKundeForm(kunde)
  const id = String(kunde.client_id)
  const changed = kunde.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', {
        when: formatDateTime(kunde.geaendert_am),
        who: kunde.geaendert_von,
      })
    : t('zuletzt geändert am {when}', { when: formatDateTime(kunde.geaendert_am) })
  return (
    <Page record={kunde.name} subtitle={`${t('Kundennummer {id}', { id })} · ${changed}`}>
      <Tabs
        label={t('Angaben zum Kunden')}
        value={search['ansicht'] ?? 'stammdaten'}
        onChange={(tab) => setSearch({ ansicht: tab === 'stammdaten' ? undefined : tab }, { replace: true })}
        tabs={[
          {
            id: 'stammdaten',
            label: t('Stammdaten'),
            content: <KundeMasterData kunde={kunde} editor={editor} />,
          },
          {
            id: 'forstbetriebe',
            label: t('Forstbetriebe'),
            content: <KundeForstbetriebe id={id} base="/kunden" />,
          },
          {
            id: 'personen',
            label: t('Personen'),
            content: <KundePeople id={id} teamTitle={t('Eigenes Team')} />,
          },
          {
            id: 'verlauf',
            label: t('Verlauf'),
            content: <HistoryList query={kundeHistory(id)} words={() => KUNDE_WORDS} />,
          },
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}
