// What a new installation still needs. Gone once everything is done.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { buchhaltungQuery } from '../../features/my-betrieb/my-betrieb.data.ts'
import { deskQuery } from '../../features/my-betrieb/desk.data.ts'
import { baseMaps } from '../../karte/base-maps.data.ts'
import { useHasRole } from '../../data/session.ts'
import { Card } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { betriebQuery } from '../betrieb.data.ts'

interface Step {
  readonly key: string
  readonly name: string
  readonly done: boolean
  readonly href?: string
  readonly hint: ReactNode
}

/** Undefined until everything that is asked has answered. */
function useSteps(): readonly Step[] | undefined {
  const { config } = useApplication()
  const books = useHasRole('apus_admin')
  const forest = useHasRole('ogf_admin')
  const money = useQuery({ ...buchhaltungQuery, enabled: books })
  const desk = useQuery(deskQuery)
  const maps = useQuery(baseMaps)
  const state = useQuery({ ...betriebQuery, refetchInterval: false })
  if (!desk.data || !maps.data || !state.data || (books && !money.data)) return undefined
  const kunden = desk.data.zahlen.find(({ art }) => art === 'kunden')?.wert ?? 0
  return [
    ...(money.data === undefined
      ? []
      : [
          {
            key: 'letterhead',
            name: t('Briefkopf und Bankverbindung eintragen'),
            done: money.data.unternehmen,
            href: '/buchhaltung/einstellungen',
            hint: t('Ohne sie kann keine Rechnung ausgestellt werden.'),
          },
        ]),
    {
      key: 'kunde',
      name: t('Ersten Kunden anlegen'),
      done: kunden > 0,
      href: forest ? '/kunden/index' : '/member-management/client',
      hint: t('Einzeln oder aus einer Tabelle.'),
    },
    {
      key: 'mail',
      name: t('E-Mail einrichten'),
      done: config.mail,
      hint: t(
        'Damit Einladungen, Rechnungen und Mitteilungen ankommen: Einstellung SMTP_URL auf dem Server.',
      ),
    },
    {
      key: 'basemap',
      name: t('Hintergrundkarte einbinden'),
      done: maps.data.length > 0,
      hint: t('Zum Beispiel der WMS Ihres Landesamtes: Einstellung KARTENDIENSTE auf dem Server.'),
    },
    {
      key: 'backup',
      name: t('Erste Sicherung abwarten'),
      done: !state.data.sicherung_geplant || state.data.sicherung?.ergebnis === 'ok',
      href: '/verwaltung/betrieb',
      hint: t('Sie wird jede Nacht automatisch erstellt; „npm run dump“ sichert sofort.'),
    },
  ]
}

export function SetupList() {
  const steps = useSteps()
  const open = steps?.filter(({ done }) => !done) ?? []
  if (steps === undefined || open.length === 0) return null
  const done = steps.length - open.length
  return (
    <Card title={t('Einrichtung: {n} von {of} erledigt', { n: done, of: steps.length })}>
      <ul className="desk-steps">
        {open.map((step) => (
          <StepLine key={step.key} step={step} />
        ))}
      </ul>
    </Card>
  )
}

const StepLine = ({ step: { name, href, hint } }: { step: Step }) => (
  <li>
    <Icon name="clock" size={20} />
    <div>
      {href === undefined ? <strong>{name}</strong> : <a href={href}>{name}</a>}
      <span className="soft">{hint}</span>
    </div>
  </li>
)
