// What waits in the drainage half and in the books: figures that lead to their lists.
import { useQuery } from '@tanstack/react-query'
import type { KartenStand, KarteStatus } from '#contract/karte.ts'
import type { Buchhaltung } from '#contract/uebersicht.ts'
import { formatEuro } from '#domain/geld.ts'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import './mein-betrieb.css'
import { buchhaltungQuery, kartenStandQuery } from './mein-betrieb.data.ts'

interface Zahl {
  readonly key: string
  readonly name: string
  readonly value: string
  /** Beside the figure. */
  readonly more?: string
  readonly href: string
}

const Zahlen = ({ label, zahlen }: { label: string; zahlen: readonly Zahl[] }) => (
  <ul className="betrieb-zahlen" aria-label={label}>
    {zahlen.map(({ key, name, value, more, href }) => (
      <li key={key}>
        <a href={href}>
          <strong className="nums">{value}</strong>
          {name}
          {more !== undefined && <span className="soft nums"> {more}</span>}
        </a>
      </li>
    ))}
  </ul>
)

export function Arbeitsstand() {
  return (
    <div className="betrieb-teile">
      <KartenTeil />
      <BuecherTeil />
    </div>
  )
}

function KartenTeil() {
  const { data, error, refetch } = useQuery(kartenStandQuery)
  return (
    <Card title={t('Karten')}>
      {data !== undefined ? (
        <Zahlen label={t('Karten nach dem nächsten Schritt')} zahlen={kartenZahlen(data)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={5} />
      )}
    </Card>
  )
}

function kartenZahlen(staende: readonly KartenStand[]): Zahl[] {
  const step = (key: KarteStatus, name: string): Zahl => ({
    key,
    name,
    value: formatNumber(staende.find(({ status }) => status === key)?.anzahl ?? 0),
    href: `/karten/index?status=${key}`,
  })
  return [
    step('neu', t('warten auf den Scan')),
    step('gescannt', t('zu georeferenzieren')),
    step('georeferenziert', t('zu digitalisieren')),
    step('digitalisiert', t('zu prüfen')),
    {
      key: 'rueckfrage',
      name: t('Rückfragen von Kunden'),
      value: formatNumber(staende.reduce((sum, { rueckfragen }) => sum + rueckfragen, 0)),
      href: '/karten/index?antwort=rueckfrage',
    },
  ]
}

function BuecherTeil() {
  const { data, error, refetch } = useQuery(buchhaltungQuery)
  return (
    <Card title={t('Buchhaltung')}>
      {data !== undefined ? (
        <Zahlen label={t('Was in der Buchhaltung wartet')} zahlen={buchZahlen(data)} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={5} />
      )}
    </Card>
  )
}

function buchZahlen({ rechnungen: { offen, ueberfaellig, entwuerfe }, angebote }: Buchhaltung): Zahl[] {
  const versendet = angebote.find(({ stand }) => stand === 'versendet')
  const of = (key: string, name: string, { anzahl, betrag }: { anzahl: number; betrag: string }, href: string): Zahl => ({
    key,
    name,
    value: formatNumber(anzahl),
    more: formatEuro(betrag),
    href,
  })
  return [
    of('ueberfaellig', t('Rechnungen überfällig'), ueberfaellig, '/buchhaltung/rechnungen?stand=ueberfaellig&sort=faellig'),
    of('offen', t('Rechnungen offen'), offen, '/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig'),
    of('entwuerfe', t('Rechnungen im Entwurf'), entwuerfe, '/buchhaltung/rechnungen?stand=entwurf'),
    of(
      'angebote',
      t('Angebote warten auf Antwort'),
      { anzahl: versendet?.anzahl ?? 0, betrag: versendet?.brutto ?? '0.00' },
      '/buchhaltung/angebote?stand=versendet',
    ),
  ]
}
