// One customer as apus_team sees it: read-only, except for the two fields that surveying depends on. The page
// explains what they cannot edit.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { useSession } from '../../data/session.ts'
import { BundeslandField, SettingFields } from '../../record/kunde/KundeFields.tsx'
import { TEAM_FIELDS } from '../../record/kunde/kunde-fields.ts'
import { useKundeForm, type KundeEditor } from '../../record/kunde/use-kunde-form.ts'
import type { Viewer } from '../../members/may-do.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { Card, Facts, Notice } from '../../ui/Display.tsx'
import { FieldGroup } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import { KundeHistory } from './KundeHistory.tsx'
import { KundeNutzer } from './KundeNutzer.tsx'
import { KundeTeamList } from './KundeTeamList.tsx'
import { AddressFacts, projectFacts, subtitle } from './kunde-facts.tsx'
import './members.css'
import type { SummaryDialogs } from '../../record/summary/KundeSummary.tsx'
import { SummaryLoading } from '../../record/summary/SummaryLoading.tsx'
import { useRecordTabs } from '../../record/summary/use-record-tabs.ts'
import { splitOff } from '../../ui/split-off.tsx'

const KundeSummary = splitOff(
  async () => (await import('../../record/summary/KundeSummary.tsx')).KundeSummary,
  <SummaryLoading />,
)

interface Props {
  kunde: Kunde
  karten: ReactNode
  /** Adds a plan. */
  plan: SummaryDialogs['plan']
}
export function KundeTeam({ kunde, karten, plan }: Props) {
  const { user } = useSession()
  const notes = useNotesTab({ art: 'kunde', id: kunde.client_id })
  const editor = useKundeForm(kunde, TEAM_FIELDS)
  const viewer: Viewer = { user_id: user?.user_id ?? 0, provider: false, rolle: null }
  const tabs = useRecordTabs({ stammdaten: editor.draft })
  return (
    <Page record={kunde.name} subtitle={subtitle(kunde)}>
      <Tabs
        label={t('Angaben zum Kunden')}
        {...tabs}
        tabs={[
          {
            id: 'ueberblick',
            label: t('Überblick'),
            content: <KundeSummary client_id={kunde.client_id} kind="draenage" dialogs={{ plan }} />,
          },
          { id: 'stammdaten', label: t('Stammdaten'), content: <MasterData kunde={kunde} editor={editor} /> },
          { id: 'karten', label: t('Pläne'), content: karten },
          { id: 'nutzer', label: t('Nutzer'), content: <KundeNutzer kunde={kunde} viewer={viewer} /> },
          { id: 'team', label: t('Team'), content: <KundeTeamList kunde={kunde} mayChange={false} /> },
          ...notes,
          { id: 'verlauf', label: t('Verlauf'), content: <KundeHistory id={String(kunde.client_id)} /> },
        ]}
      />
      <RecordConflict editor={editor} />
    </Page>
  )
}

const MasterData = ({ kunde, editor }: { kunde: Kunde; editor: KundeEditor }) => (
  <div className="mitglieder-columns">
    <div className="stack">
      <Card>
        <RecordForm editor={editor}>
          <FieldGroup title={t('Lage')}>
            <BundeslandField form={editor.form} />
          </FieldGroup>
          <SettingFields form={editor.form} />
        </RecordForm>
      </Card>
      <Card title={t('Anschrift und Ansprechpartner')}>
        <AddressFacts kunde={kunde} />
      </Card>
    </div>
    <Card title={t('Projekt')}>
      <div className="stack">
        <Facts facts={projectFacts(kunde)} />
        <Notice title={t('Was Sie hier ändern können')}>
          {t(
            'Bundesland und Koordinatensystem. Name, Anschrift, Kataster, Projektordner, Nutzer und Team ' +
              'ändert die Verwaltung der Vermessung. Ist dort etwas nicht richtig, sagen Sie es ihr.',
          )}
        </Notice>
      </div>
    </Card>
  </div>
)
