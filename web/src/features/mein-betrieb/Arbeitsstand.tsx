// What waits in the drainage half and in the books: figures that lead to their lists.
import { useQuery } from '@tanstack/react-query'
import type { KartenStand, KarteStatus } from '#contract/karte.ts'
import type { Buchhaltung } from '#contract/uebersicht.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import './mein-betrieb.css'
import { buchhaltungQuery, kartenStandQuery } from './mein-betrieb.data.ts'
import { Teil } from './Teil.tsx'
import { type Zahl, Zahlen } from './Zahlen.tsx'

export function Arbeitsstand() {
  return (
    <div className="betrieb-teile">
      <KartenTeil />
      <BuecherTeil />
    </div>
  )
}

function KartenTeil() {
  return (
    <Teil title={t('Karten')} query={useQuery(kartenStandQuery)} lines={5}>
      {(data) => <Zahlen label={t('Karten nach dem nächsten Schritt')} zahlen={kartenZahlen(data)} />}
    </Teil>
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
  return (
    <Teil title={t('Buchhaltung')} query={useQuery(buchhaltungQuery)} lines={5}>
      {(data) => <Zahlen label={t('Was in der Buchhaltung wartet')} zahlen={buchZahlen(data)} />}
    </Teil>
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
