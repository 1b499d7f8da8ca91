// /account/index: a customer's admin of the drainage half sees their own customer and keeps the contact
// person up to date.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { CONTACT_FIELDS, contactName, fieldLabel, katasterName } from '../../record/kunde/kunde-fields.ts'
import { ContactFields } from '../../record/kunde/KundeFields.tsx'
import { KUNDE_WORDS } from '../../record/kunde/kunde-kind.ts'
import { kundeHistory } from '../../record/kunde/kunde-record.data.ts'
import { epsgName } from '../../record/kunde/kunde-values.ts'
import { useKundeForm } from '../../record/kunde/use-kunde-form.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { HistoryList } from '../../record/HistoryList.tsx'
import { Card, Facts, fact, Notice } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import './account.css'
import { ContactPeople } from './ContactPeople.tsx'
import { isManaging } from './own-kunden.ts'
import { KundePicker } from './KundePicker.tsx'

export const MasterDataPage = () => (
  <KundePicker
    none={t(
      'Ihrem Zugang ist noch kein Kunde zugeordnet. Bitte wenden Sie sich an Ihre Ansprechperson bei uns.',
    )}
  >
    {(own, { choice }) => (
      <MasterData key={own.kunde.client_id} kunde={own.kunde} mayChange={isManaging(own)} choice={choice} />
    )}
  </KundePicker>
)

function MasterData({ kunde, mayChange, choice }: { kunde: Kunde; mayChange: boolean; choice: ReactNode }) {
  const { search, setSearch } = useView()
  // Kept here and not in the tab, so that opening the history does not lose what was typed.
  const editor = useKundeForm(kunde, CONTACT_FIELDS)
  return (
    <Page title={kunde.name} subtitle={t('Kundennummer {id}', { id: kunde.client_id })}>
      {choice}
      <Tabs
        label={t('Angaben zum Kunden')}
        value={search['ansicht'] ?? 'stammdaten'}
        onChange={(tab) => setSearch({ ansicht: tab === 'stammdaten' ? undefined : tab }, { replace: true })}
        tabs={[
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
    <Facts
      facts={[fact(t('Ansprechpartner'), contactName(kunde)), fact(fieldLabel('ap_tel'), kunde.ap_tel)]}
    />
    <Notice>
      {t('Bei diesem Kunden sind Sie Nutzer. Den Ansprechpartner ändert, wer dort Administrator ist.')}
    </Notice>
  </div>
)

const FixedData = ({ kunde }: { kunde: Kunde }) => (
  <Card title={t('Anschrift und Einstellungen')}>
    <div className="stack">
      <Facts
        facts={[
          fact(fieldLabel('name'), kunde.name),
          fact(fieldLabel('name_zusatz'), kunde.name_zusatz),
          fact(fieldLabel('strasse'), kunde.strasse),
          fact(t('PLZ und Ort'), `${kunde.plz} ${kunde.ort}`),
          fact(fieldLabel('bundesland'), kunde.bundesland),
          fact(fieldLabel('epsg'), epsgName(kunde.epsg)),
          fact(fieldLabel('kataster_status'), katasterName(kunde.kataster_status)),
        ]}
      />
      <Notice>
        {t(
          'Diese Angaben pflegen wir für Sie. Ist etwas nicht mehr richtig, schreiben Sie Ihrer Ansprechperson bei uns oder rufen Sie den Support an.',
        )}
      </Notice>
    </div>
  </Card>
)
