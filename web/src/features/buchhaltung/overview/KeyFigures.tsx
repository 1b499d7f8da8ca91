// The key figures at the top. Their boxes are rendered before the data arrives.
import type { ReactNode } from 'react'
import type { Buchhaltung } from '#contract/overview.ts'
import { decimal, formatCents, formatEuro, sum } from '#domain/geld.ts'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { changeOf, changeText } from './figures.ts'
import { OPEN_ANGEBOTE, ORDERS, DRAFTS, OPEN, OVERDUE, umsatzInYear, TO_REPAY } from './paths.ts'

const belege = (n: number): string => (n === 1 ? t('1 Rechnung') : t('{n} Rechnungen', { n }))

export function KeyFigures({ data }: { data?: Buchhaltung | undefined }) {
  const of = (states: readonly string[]) =>
    (data?.angebote ?? []).filter(({ stand }) => states.includes(stand))
  const orders = of(['angenommen', 'teilabgerechnet'])
  const openParts = of(['versendet'])
  const total = (amounts: readonly string[]) => formatCents(sum(amounts.map(decimal)))
  const count = (rows: readonly { anzahl: number }[]) => rows.reduce((n, row) => n + row.anzahl, 0)
  const rechnungen = data?.rechnungen
  const overdue = rechnungen?.ueberfaellig
  return (
    <dl className="key-figures key-figures-wide" aria-label={t('Kennzahlen')}>
      <Figure name={t('Offen, brutto')} betrag={rechnungen?.offen.betrag} href={OPEN}>
        {rechnungen && belege(rechnungen.offen.anzahl)}
      </Figure>
      <Figure
        name={t('Davon überfällig')}
        betrag={overdue?.betrag}
        href={OVERDUE}
        serious={(overdue?.anzahl ?? 0) > 0}
      >
        {overdue &&
          (overdue.seit === null
            ? t('nichts überfällig')
            : t('{was}, die älteste seit {tag}', {
                was: belege(overdue.anzahl),
                tag: formatDate(overdue.seit),
              }))}
      </Figure>
      <Figure
        name={t('Beauftragt, noch abzurechnen')}
        betrag={data && total(orders.map(({ rest }) => rest))}
        href={ORDERS}
      >
        {data &&
          (count(orders) === 1
            ? t('brutto, aus 1 Auftrag')
            : t('brutto, aus {n} Aufträgen', { n: count(orders) }))}
      </Figure>
      <Figure
        name={t('Offene Angebote nach Chance')}
        betrag={data && total(openParts.map(({ gewichtet }) => gewichtet))}
        href={OPEN_ANGEBOTE}
      >
        {data &&
          t('von {betrag} brutto, angeboten', {
            betrag: formatEuro(total(openParts.map(({ brutto }) => brutto))),
          })}
      </Figure>
      <Figure
        name={data ? t('Umsatz {jahr}, netto', { jahr: data.jahr }) : t('Umsatz, netto')}
        betrag={data?.umsatz.netto}
        href={data ? umsatzInYear(data.jahr) : ''}
      >
        {data && compareText(data)}
      </Figure>
      <Figure name={t('In Entwürfen, brutto')} betrag={rechnungen?.entwuerfe.betrag} href={DRAFTS}>
        {rechnungen && belege(rechnungen.entwuerfe.anzahl)}
      </Figure>
      {(rechnungen?.zurueck.anzahl ?? 0) > 0 && (
        <Figure name={t('Zurückzuzahlen')} betrag={rechnungen?.zurueck.betrag} href={TO_REPAY}>
          {t('zu viel bezahlt oder gutgeschrieben')}
        </Figure>
      )}
    </dl>
  )
}

function compareText({ umsatz }: Buchhaltung): string {
  const { bis, netto } = umsatz.vergleich
  const change = changeOf(umsatz.netto, netto)
  const before = t('Vorjahr bis {tag}: {betrag}', { tag: formatDate(bis), betrag: formatEuro(netto) })
  return change === null ? before : `${changeText(change)} · ${before}`
}

function Figure({
  name,
  betrag,
  href,
  serious = false,
  children,
}: {
  name: string
  betrag: string | undefined
  href: string
  serious?: boolean
  children: ReactNode
}) {
  return (
    <div className={serious ? 'key-serious' : undefined}>
      <dt>{name}</dt>
      <dd>
        {betrag === undefined ? (
          <span className="key-value">{'\u00A0'}</span>
        ) : (
          <a className="key-value" href={href}>
            {formatEuro(betrag)}
          </a>
        )}
        <span className="soft">{children || '\u00A0'}</span>
      </dd>
    </div>
  )
}
