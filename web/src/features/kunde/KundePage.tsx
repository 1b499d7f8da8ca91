// /kunden/{id}: one customer, for staff. It begins with everything at a glance.
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
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import type { SummaryDialogs } from '../../record/summary/KundeSummary.tsx'
import { SummaryLoading } from '../../record/summary/SummaryLoading.tsx'
import { useRecordTabs } from '../../record/summary/use-record-tabs.ts'
import { splitOff } from '../../ui/split-off.tsx'

const KundeSummary = splitOff(
  async () => (await import('../../record/summary/KundeSummary.tsx')).KundeSummary,
  <SummaryLoading />,
)

/** `dialogs`: what can be begun on the summary, by id of the customer. */
export function KundePage({ dialogs }: { dialogs: (client_id: number) => SummaryDialogs }) {
  const id = useView().params['id'] ?? ''
  return (
    <KundeLoad key={id} id={id} list="/kunden/index">
      {(kunde) => <Record kunde={kunde} dialogs={dialogs(kunde.client_id)} />}
    </KundeLoad>
  )
}

function Record({ kunde, dialogs }: { kunde: Kunde; dialogs: SummaryDialogs }) {
  const editor = useKundeForm(kunde)
  const id = String(kunde.client_id)
  const notes = useNotesTab({ art: 'kunde', id: kunde.client_id })
  const changed = kunde.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', {
        when: formatDateTime(kunde.geaendert_am),
        who: kunde.geaendert_von,
      })
    : t('zuletzt geändert am {when}', { when: formatDateTime(kunde.geaendert_am) })
  const tabs = useRecordTabs({ stammdaten: editor.draft })
  return (
    <Page record={kunde.name} subtitle={`${t('Kundennummer {id}', { id })} · ${changed}`}>
      <Tabs
        label={t('Angaben zum Kunden')}
        {...tabs}
        tabs={[
          {
            id: 'ueberblick',
            label: t('Überblick'),
            content: <KundeSummary client_id={kunde.client_id} kind="forst" dialogs={dialogs} />,
          },
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
          ...notes,
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
