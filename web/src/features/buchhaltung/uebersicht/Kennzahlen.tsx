// The figures at the top. While nothing is known yet, their boxes stand there already.
import type { ReactNode } from 'react'
import type { Buchhaltung } from '#contract/uebersicht.ts'
import { dezimal, formatCents, formatEuro, sum } from '#domain/geld.ts'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { veraenderung, veraenderungText } from './rechnen.ts'
import { ANGEBOTE_OFFEN, AUFTRAEGE, ENTWUERFE, OFFEN, UEBERFAELLIG, umsatzImJahr, ZURUECK } from './wege.ts'

const belege = (n: number): string => (n === 1 ? t('1 Rechnung') : t('{n} Rechnungen', { n }))

export function Kennzahlen({ data }: { data?: Buchhaltung | undefined }) {
  const of = (staende: readonly string[]) => (data?.angebote ?? []).filter(({ stand }) => staende.includes(stand))
  const auftraege = of(['angenommen', 'teilabgerechnet'])
  const offene = of(['versendet'])
  const total = (amounts: readonly string[]) => formatCents(sum(amounts.map(dezimal)))
  const anzahl = (rows: readonly { anzahl: number }[]) => rows.reduce((n, row) => n + row.anzahl, 0)
  const rechnungen = data?.rechnungen
  const spaet = rechnungen?.ueberfaellig
  return (
    <dl className="ueb-zahlen" aria-label={t('Kennzahlen')}>
      <Zahl name={t('Offen, brutto')} betrag={rechnungen?.offen.betrag} href={OFFEN}>
        {rechnungen && belege(rechnungen.offen.anzahl)}
      </Zahl>
      <Zahl name={t('Davon überfällig')} betrag={spaet?.betrag} href={UEBERFAELLIG} ernst={(spaet?.anzahl ?? 0) > 0}>
        {spaet &&
          (spaet.seit === null
            ? t('nichts überfällig')
            : t('{was}, die älteste seit {tag}', { was: belege(spaet.anzahl), tag: formatDate(spaet.seit) }))}
      </Zahl>
      <Zahl name={t('Beauftragt, noch abzurechnen')} betrag={data && total(auftraege.map(({ rest }) => rest))} href={AUFTRAEGE}>
        {data && (anzahl(auftraege) === 1 ? t('brutto, aus 1 Auftrag') : t('brutto, aus {n} Aufträgen', { n: anzahl(auftraege) }))}
      </Zahl>
      <Zahl name={t('Offene Angebote nach Chance')} betrag={data && total(offene.map(({ gewichtet }) => gewichtet))} href={ANGEBOTE_OFFEN}>
        {data && t('von {betrag} brutto, angeboten', { betrag: formatEuro(total(offene.map(({ brutto }) => brutto))) })}
      </Zahl>
      <Zahl
        name={data ? t('Umsatz {jahr}, netto', { jahr: data.jahr }) : t('Umsatz, netto')}
        betrag={data?.umsatz.netto}
        href={data ? umsatzImJahr(data.jahr) : ''}
      >
        {data && vergleich(data)}
      </Zahl>
      <Zahl name={t('In Entwürfen, brutto')} betrag={rechnungen?.entwuerfe.betrag} href={ENTWUERFE}>
        {rechnungen && belege(rechnungen.entwuerfe.anzahl)}
      </Zahl>
      {(rechnungen?.zurueck.anzahl ?? 0) > 0 && (
        <Zahl name={t('Zurückzuzahlen')} betrag={rechnungen?.zurueck.betrag} href={ZURUECK}>
          {t('zu viel bezahlt oder gutgeschrieben')}
        </Zahl>
      )}
    </dl>
  )
}

function vergleich({ umsatz }: Buchhaltung): string {
  const { bis, netto } = umsatz.vergleich
  const change = veraenderung(umsatz.netto, netto)
  const before = t('Vorjahr bis {tag}: {betrag}', { tag: formatDate(bis), betrag: formatEuro(netto) })
  return change === null ? before : `${veraenderungText(change)} · ${before}`
}

function Zahl({
  name,
  betrag,
  href,
  ernst = false,
  children,
}: {
  name: string
  betrag: string | undefined
  href: string
  ernst?: boolean
  children: ReactNode
}) {
  return (
    <div className={ernst ? 'ueb-zahl ueb-ernst' : 'ueb-zahl'}>
      <dt>{name}</dt>
      <dd>
        {betrag === undefined ? (
          <span className="ueb-betrag">{'\u00A0'}</span>
        ) : (
          <a className="ueb-betrag" href={href}>
            {formatEuro(betrag)}
          </a>
        )}
        <span className="soft">{children || '\u00A0'}</span>
      </dd>
    </div>
  )
}
