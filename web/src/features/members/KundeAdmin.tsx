// One customer as apus_admin sees it: master data with a link to edit them, Kataster and project folder,
// people, team, history.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { KatasterSwitch } from '../../record/kunde/KatasterSwitch.tsx'
import { ProjectFolder } from '../../record/kunde/ProjectFolder.tsx'
import type { Viewer } from '../../members/may-do.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card, Facts } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useNotesTab } from '../../record/notes/notes-tab.tsx'
import { KundeHistory } from './KundeHistory.tsx'
import { KundeNutzer } from './KundeNutzer.tsx'
import { KundeTeamList } from './KundeTeamList.tsx'
import { nutzerHref } from './nutzer-list.tsx'
import { AddressFacts, placeFacts, subtitle } from './kunde-facts.tsx'
import './members.css'
import type { SummaryDialogs } from '../../record/summary/KundeSummary.tsx'
import { SummaryLoading } from '../../record/summary/SummaryLoading.tsx'
import { useRecordTabs } from '../../record/summary/use-record-tabs.ts'
import { useMembers } from '../../members/use-members.tsx'
import { splitOff } from '../../ui/split-off.tsx'

const KundeSummary = splitOff(
  async () => (await import('../../record/summary/KundeSummary.tsx')).KundeSummary,
  <SummaryLoading />,
)

export function KundeAdmin({
  kunde,
  billing,
  karten,
  plan,
}: {
  kunde: Kunde
  billing: ReactNode
  karten: ReactNode
  /** Adds a plan. */
  plan: SummaryDialogs['plan']
}) {
  const { user } = useSession()
  const notes = useNotesTab({ art: 'kunde', id: kunde.client_id })
  const viewer: Viewer = {
    user_id: user?.user_id ?? 0,
    provider: true,
    forst: useHasRole('ogf_admin'),
    rolle: null,
  }
  const members = useMembers({ kunde, viewer, existing: true, hrefOf: nutzerHref })
  const tabs = useRecordTabs()
  return (
    <Page
      record={kunde.name}
      subtitle={subtitle(kunde)}
      actions={
        <ButtonLink
          variant="primary"
          icon="edit"
          href={`/member-management/client/update/${kunde.client_id}`}
        >
          {t('Stammdaten ändern')}
        </ButtonLink>
      }
    >
      <Tabs
        label={t('Angaben zum Kunden')}
        {...tabs}
        tabs={[
          {
            id: 'ueberblick',
            label: t('Überblick'),
            content: (
              <KundeSummary
                client_id={kunde.client_id}
                kind="draenage"
                dialogs={{ plan, onPerson: members.create }}
              />
            ),
          },
          { id: 'stammdaten', label: t('Stammdaten'), content: <MasterData kunde={kunde} /> },
          { id: 'karten', label: t('Pläne'), content: karten },
          { id: 'abrechnung', label: t('Abrechnung'), content: billing },
          { id: 'nutzer', label: t('Nutzer'), content: <KundeNutzer kunde={kunde} viewer={viewer} /> },
          { id: 'team', label: t('Team'), content: <KundeTeamList kunde={kunde} mayChange /> },
          ...notes,
          { id: 'verlauf', label: t('Verlauf'), content: <KundeHistory id={String(kunde.client_id)} /> },
        ]}
      />
      {members.dialogs}
    </Page>
  )
}

const MasterData = ({ kunde }: { kunde: Kunde }) => (
  <div className="mitglieder-columns">
    <div className="stack">
      <Card title={t('Anschrift und Ansprechpartner')}>
        <AddressFacts kunde={kunde} />
      </Card>
      <Card title={t('Lage')}>
        <Facts facts={placeFacts(kunde)} />
      </Card>
    </div>
    <Card title={t('Projekt')}>
      <div className="stack">
        <KatasterSwitch kunde={kunde} />
        <ProjectFolder kunde={kunde} />
      </div>
    </Card>
  </div>
)
