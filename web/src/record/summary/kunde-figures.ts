// The figures at the top of a customer's summary; each leads to just its rows.
import type { KundeBooks, KundeSummary } from '#contract/summary.ts'
import { formatEuro } from '#domain/geld.ts'
import type { Figure } from '../../ui/Figures.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { mahnLevelText } from '../beleg/beleg-states.ts'
import type { KundePlaces } from './kunde-places.ts'
import { surveyed } from './survey.ts'

export const invoicesText = (n: number): string =>
  n === 0 ? t('keine Rechnung') : n === 1 ? t('1 Rechnung') : t('{n} Rechnungen', { n: formatNumber(n) })

function offersText(n: number, own: boolean): string {
  if (own) return n === 1 ? t('Angebot zur Entscheidung') : t('Angebote zur Entscheidung')
  return n === 1 ? t('Angebot beim Kunden') : t('Angebote beim Kunden')
}

function bookFigures(books: KundeBooks, places: KundePlaces): Figure[] {
  const { offen, ueberfaellig, zurueck, umsatz, angebote, mahnstufe, mahnungen, sicht } = books
  return [
    {
      key: 'offen',
      name: t('Offen'),
      value: formatEuro(offen.betrag),
      more: invoicesText(offen.anzahl),
      href: places.invoices('stand=offen,teilbezahlt,ueberfaellig'),
    },
    {
      key: 'ueberfaellig',
      name: t('Überfällig'),
      value: formatEuro(ueberfaellig.betrag),
      more:
        ueberfaellig.seit === null
          ? invoicesText(0)
          : t('{rechnungen}, seit {tag}', {
              rechnungen: invoicesText(ueberfaellig.anzahl),
              tag: formatDate(ueberfaellig.seit),
            }),
      bad: ueberfaellig.anzahl > 0,
      href: places.invoices('stand=ueberfaellig&sort=faellig'),
    },
    ...(Number(zurueck) > 0
      ? [
          {
            key: 'zurueck',
            name: t('Zurückzuzahlen'),
            value: formatEuro(zurueck),
            more: t('zu viel bezahlt'),
            href: places.invoices(),
          },
        ]
      : []),
    ...(umsatz === null ? [] : revenueFigures(umsatz, places)),
    {
      key: 'angebote',
      name: offersText(angebote.versendet, sicht === 'kunde'),
      value: formatNumber(angebote.versendet),
      more: formatEuro(angebote.betrag),
      href: places.offers('stand=versendet'),
    },
    ...(mahnungen === null
      ? []
      : [
          {
            key: 'mahnstufe',
            name: t('Mahnstufe'),
            value: mahnstufe === null ? '–' : formatNumber(mahnstufe),
            more: mahnstufe === null ? t('nichts gemahnt') : mahnLevelText(mahnstufe),
            href: places.reminders,
          },
        ]),
  ]
}

const revenueFigures = (umsatz: NonNullable<KundeBooks['umsatz']>, places: KundePlaces): Figure[] => [
  {
    key: 'umsatz',
    name: t('Umsatz {jahr}, netto', { jahr: umsatz.jahr }),
    value: formatEuro(umsatz.netto),
    href: places.invoices(yearOf(umsatz.jahr)),
  },
  {
    key: 'vorjahr',
    name: t('Umsatz {jahr}, netto', { jahr: umsatz.jahr - 1 }),
    value: formatEuro(umsatz.vorjahr),
    more: t('davon bis zum gleichen Tag {betrag}', { betrag: formatEuro(umsatz.vorjahr_bis_heute) }),
    href: places.invoices(yearOf(umsatz.jahr - 1)),
  },
]
const yearOf = (year: number): string => `zeit=${year}-01-01..${year}-12-31`

/**
 * Money for those who may see it; otherwise how much there is of the rest. Parts that are null do not concern
 * this person.
 */
export function kundeFigures(summary: KundeSummary, places: KundePlaces): Figure[] {
  const { buch, forstbetriebe, karten, vermessung, personen } = summary
  if (buch !== null) return bookFigures(buch, places)
  const none: Figure[] = []
  return [
    ...(forstbetriebe === null
      ? none
      : [
          {
            key: 'forstbetriebe',
            name: t('Forstbetriebe'),
            value: formatNumber(forstbetriebe.anzahl),
            ...(forstbetriebe.hektar !== null && {
              more: t('{ha} ha', { ha: formatNumber(forstbetriebe.hektar, 2) }),
            }),
            ...(places.holdings !== undefined && { href: places.holdings }),
          },
        ]),
    ...(karten === null
      ? none
      : [
          {
            key: 'karten',
            name: t('Pläne'),
            value: formatNumber(karten.anzahl),
            ...(karten.rueckfragen > 0 && {
              more:
                karten.rueckfragen === 1
                  ? t('1 Rückfrage')
                  : t('{n} Rückfragen', { n: formatNumber(karten.rueckfragen) }),
            }),
            href: places.plans,
          },
        ]),
    ...(vermessung === null
      ? none
      : [
          {
            key: 'vermessung',
            name: t('Vermessene Objekte'),
            value: formatNumber(surveyed(vermessung)),
            href: places.survey,
          },
        ]),
    ...(personen === null
      ? none
      : [
          {
            key: 'personen',
            name: t('Personen'),
            value: formatNumber(personen.anzahl),
            href: places.people,
          },
        ]),
  ]
}
