// What is pending in the drainage half and in the books: figures that link to their lists.
import { useQuery } from '@tanstack/react-query'
import type { KarteStatusCount, KarteStatus } from '#contract/karte.ts'
import type { Buchhaltung } from '#contract/overview.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import './my-betrieb.css'
import { buchhaltungQuery, kartenProgressQuery } from './my-betrieb.data.ts'
import { Part } from './Part.tsx'
import { type Figure, Figures } from './Figures.tsx'

export function WorkProgress() {
  return (
    <div className="betrieb-teile">
      <KartenPart />
      <BooksPart />
    </div>
  )
}

function KartenPart() {
  return (
    <Part title={t('Karten')} query={useQuery(kartenProgressQuery)} lines={5}>
      {(data) => <Figures label={t('Karten nach dem nächsten Schritt')} zahlen={kartenNumbers(data)} />}
    </Part>
  )
}

function kartenNumbers(states: readonly KarteStatusCount[]): Figure[] {
  const step = (key: KarteStatus, name: string): Figure => ({
    key,
    name,
    value: formatNumber(states.find(({ status }) => status === key)?.anzahl ?? 0),
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
      value: formatNumber(states.reduce((sum, { rueckfragen }) => sum + rueckfragen, 0)),
      href: '/karten/index?antwort=rueckfrage',
    },
  ]
}

function BooksPart() {
  return (
    <Part title={t('Buchhaltung')} query={useQuery(buchhaltungQuery)} lines={5}>
      {(data) => <Figures label={t('Was in der Buchhaltung wartet')} zahlen={bookNumbers(data)} />}
    </Part>
  )
}

function bookNumbers({ rechnungen: { offen, ueberfaellig, entwuerfe }, angebote }: Buchhaltung): Figure[] {
  const sent = angebote.find(({ stand }) => stand === 'versendet')
  const of = (
    key: string,
    name: string,
    { anzahl, betrag }: { anzahl: number; betrag: string },
    href: string,
  ): Figure => ({
    key,
    name,
    value: formatNumber(anzahl),
    more: formatEuro(betrag),
    href,
  })
  return [
    of(
      'ueberfaellig',
      t('Rechnungen überfällig'),
      ueberfaellig,
      '/buchhaltung/rechnungen?stand=ueberfaellig&sort=faellig',
    ),
    of('offen', t('Rechnungen offen'), offen, '/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig'),
    of('entwuerfe', t('Rechnungen im Entwurf'), entwuerfe, '/buchhaltung/rechnungen?stand=entwurf'),
    of(
      'angebote',
      t('Angebote warten auf Antwort'),
      { anzahl: sent?.anzahl ?? 0, betrag: sent?.brutto ?? '0.00' },
      '/buchhaltung/angebote?stand=versendet',
    ),
  ]
}
