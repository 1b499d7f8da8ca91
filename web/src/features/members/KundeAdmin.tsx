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
import { useView } from '../../ui/view.tsx'
import { KundeHistory } from './KundeHistory.tsx'
import { KundeNutzer } from './KundeNutzer.tsx'
import { KundeTeamList } from './KundeTeamList.tsx'
import { AddressFacts, placeFacts, subtitle } from './kunde-facts.tsx'
import './members.css'

export function KundeAdmin({
  kunde,
  billing,
  karten,
}: {
  kunde: Kunde
  billing: ReactNode
  karten: ReactNode
}) {
  const { search, setSearch } = useView()
  const { user } = useSession()
  const viewer: Viewer = {
    user_id: user?.user_id ?? 0,
    provider: true,
    forst: useHasRole('ogf_admin'),
    rolle: null,
  }
  return (
    <Page
      record={kunde.name}
      subtitle={subtitle(kunde)}
      actions={
        <>
          <ButtonLink href={`/buchhaltung/angebote/angebot/new/${kunde.client_id}`}>
            {t('Angebot schreiben')}
          </ButtonLink>
          <ButtonLink href={`/buchhaltung/rechnungen/rechnung/new/${kunde.client_id}`}>
            {t('Rechnung schreiben')}
          </ButtonLink>
          <ButtonLink
            variant="primary"
            icon="edit"
            href={`/member-management/client/update/${kunde.client_id}`}
          >
            {t('Stammdaten ändern')}
          </ButtonLink>
        </>
      }
    >
      <Tabs
        label={t('Angaben zum Kunden')}
        value={search['ansicht'] ?? 'stammdaten'}
        onChange={(tab) => setSearch({ ansicht: tab === 'stammdaten' ? undefined : tab }, { replace: true })}
        tabs={[
          { id: 'stammdaten', label: t('Stammdaten'), content: <MasterData kunde={kunde} /> },
          { id: 'karten', label: t('Karten'), content: karten },
          { id: 'abrechnung', label: t('Abrechnung'), content: billing },
          { id: 'nutzer', label: t('Nutzer'), content: <KundeNutzer kunde={kunde} viewer={viewer} /> },
          { id: 'team', label: t('Team'), content: <KundeTeamList kunde={kunde} mayChange /> },
          { id: 'verlauf', label: t('Verlauf'), content: <KundeHistory id={String(kunde.client_id)} /> },
        ]}
      />
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
