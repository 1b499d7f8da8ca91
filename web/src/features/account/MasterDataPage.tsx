// /account/index: a customer's admin of the drainage half sees their own customer at a glance and keeps the
// contact person up to date.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { contactFacts, fixedFacts } from '../../record/kunde/kunde-facts.tsx'
import { CONTACT_FIELDS } from '../../record/kunde/kunde-fields.ts'
import { ContactFields } from '../../record/kunde/KundeFields.tsx'
import { KUNDE_WORDS } from '../../record/kunde/kunde-kind.ts'
import { kundeHistory } from '../../record/kunde/kunde-record.data.ts'
import { useKundeForm } from '../../record/kunde/use-kunde-form.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { HistoryList } from '../../record/HistoryList.tsx'
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import { SummaryLoading } from '../../record/summary/SummaryLoading.tsx'
import { useRecordTabs } from '../../record/summary/use-record-tabs.ts'
import { Card, Facts, Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { splitOff } from '../../ui/split-off.tsx'
import './account.css'
import { ContactPeople } from './ContactPeople.tsx'
import { isManaging } from './own-kunden.ts'
import { KundePicker } from './KundePicker.tsx'

const KundeSummary = splitOff(
  async () => (await import('../../record/summary/KundeSummary.tsx')).KundeSummary,
  <SummaryLoading />,
)

export const MasterDataPage = () => (
  <KundePicker
    none={t(
      'Ihrem Zugang ist noch kein Kunde zugeordnet. Bitte wenden Sie sich an Ihren Ansprechpartner ' +
        'bei uns.',
    )}
  >
    {(own, { choice }) => (
      <MasterData key={own.kunde.client_id} kunde={own.kunde} mayChange={isManaging(own)} choice={choice} />
    )}
  </KundePicker>
)

function MasterData({ kunde, mayChange, choice }: { kunde: Kunde; mayChange: boolean; choice: ReactNode }) {
  // Kept here and not in the tab, so that opening the history does not lose what was typed.
  const editor = useKundeForm(kunde, CONTACT_FIELDS)
  const notes = useNotesTab({ art: 'kunde', id: kunde.client_id, forKunde: true })
  const tabs = useRecordTabs({ stammdaten: editor.draft })
  return (
    <Page title={kunde.name} subtitle={t('Kundennummer {id}', { id: kunde.client_id })}>
      {choice}
      <Tabs
        label={t('Angaben zum Kunden')}
        {...tabs}
        tabs={[
          {
            id: 'ueberblick',
            label: t('Überblick'),
            content: <KundeSummary client_id={kunde.client_id} kind="konto" />,
          },
          {
            id: 'stammdaten',
            label: t('Stammdaten'),
            content: (
              <div className="account-columns">
                <div className="stack">
                  <Card>
                    {mayChange ? (
                      <RecordForm editor={editor}>
                        <ContactFields form={editor.form} />
                      </RecordForm>
                    ) : (
                      <ContactFacts kunde={kunde} />
                    )}
                  </Card>
                  <FixedData kunde={kunde} />
                </div>
                <ContactPeople client_id={kunde.client_id} />
              </div>
            ),
          },
          ...notes,
          {
            id: 'verlauf',
            label: t('Verlauf'),
            content: <HistoryList query={kundeHistory(String(kunde.client_id))} words={() => KUNDE_WORDS} />,
          },
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}

const ContactFacts = ({ kunde }: { kunde: Kunde }) => (
  <div className="stack">
    <Facts facts={contactFacts(kunde)} />
    <Notice>
      {t('Bei diesem Kunden sind Sie Nutzer. Den Ansprechpartner können nur dessen Administratoren ändern.')}
    </Notice>
  </div>
)

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
