// Every part of the interface in every state, for people who change one: a test compares pictures of this
// page. Nothing here depends on data or on the time.
import { type ReactNode, useState } from 'react'
import { Page, Stack } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { Foundations } from './Foundations.tsx'
import './parts.css'
import { Buttons, Fields, Overlays } from './PartsControls.tsx'
import { Contents, Messages, Pictures, Tables } from './PartsContents.tsx'

export function PartsPage() {
  const [tab, setTab] = useState('eins')
  return (
    <Page subtitle={t('Alle Teile der Oberfläche in allen Zuständen, hell und dunkel')}>
      <div className="parts">
        <Part title={t('Farben, Schrift, Abstände')}>
          <Foundations />
        </Part>
        <Part title={t('Knöpfe')}>
          <Buttons />
        </Part>
        <Part title={t('Felder')}>
          <Fields />
        </Part>
        <Part title={t('Dialoge und Menüs')}>
          <Overlays />
        </Part>
        <Part title={t('Meldungen und leere Seiten')}>
          <Messages />
        </Part>
        <Part title={t('Tabellen')}>
          <Tables />
        </Part>
        <Part title={t('Karten, Abzeichen, Angaben')}>
          <Contents />
        </Part>
        <Part title={t('Reiter')}>
          <Tabs
            label={t('Reiter')}
            value={tab}
            onChange={setTab}
            tabs={[
              { id: 'eins', label: t('Stammdaten'), content: <p>{t('Stammdaten')}</p> },
              { id: 'zwei', label: t('Rechnungen'), count: 12, content: <p>{t('Rechnungen')}</p> },
              { id: 'drei', label: t('Notizen'), count: 0, content: <p>{t('Notizen')}</p> },
            ]}
          />
        </Part>
        <Part title={t('Diagramme')}>
          <Pictures />
        </Part>
      </div>
    </Page>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="parts-part">
    <h2>{title}</h2>
    <Stack>{children}</Stack>
  </section>
)
