// What the start page says about tasks and figures, and where each leads.
import { DESK_MOST, type Desk, type DeskFigure, type DeskTask } from '#contract/desk.ts'
import type { KarteStatus, KarteStatusCount } from '#contract/karte.ts'
import type { Buchhaltung } from '#contract/overview.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { Figure } from '../../ui/Figures.tsx'

export const countText = (count: number): string =>
  count > DESK_MOST ? t('über {n}', { n: formatNumber(DESK_MOST) }) : formatNumber(count)

const TASKS: Record<DeskTask, { one: () => string; many: () => string; href: string }> = {
  angebote: {
    one: () => t('Angebot wartet auf Ihre Entscheidung'),
    many: () => t('Angebote warten auf Ihre Entscheidung'),
    href: '/dokumente/index?tun=antworten',
  },
  rechnungen: {
    one: () => t('Rechnung ist zu bezahlen'),
    many: () => t('Rechnungen sind zu bezahlen'),
    href: '/dokumente/index?tun=zahlen',
  },
  karten_antwort: {
    one: () => t('Plan wartet auf Ihre Antwort'),
    many: () => t('Pläne warten auf Ihre Antwort'),
    href: '/karten/index?antwort=offen,in_pruefung',
  },
  nutzer_neu: {
    one: () => t('neuer Nutzer ist noch nicht zugeordnet'),
    many: () => t('neue Nutzer sind noch nicht zugeordnet'),
    href: '/nutzer/index?status=ogf_init&zugang=offen&verknuepft=nein&pruefung=nein',
  },
  fb_gesperrt: {
    one: () => t('Forstbetrieb ist nicht freigeschaltet'),
    many: () => t('Forstbetriebe sind nicht freigeschaltet'),
    href: '/forstbetriebe/index?zugang=gesperrt',
  },
  fb_ohne_flaeche: {
    one: () => t('Forstbetrieb hat noch keine Fläche'),
    many: () => t('Forstbetriebe haben noch keine Fläche'),
    href: '/forstbetriebe/index?gezeichnet=nein',
  },
  abo_endet: {
    one: () => t('gekündigtes Abo endet in den nächsten 60 Tagen'),
    many: () => t('gekündigte Abos enden in den nächsten 60 Tagen'),
    href: '/abo/index',
  },
  serien: {
    one: () => t('wiederkehrende Rechnung ist fällig'),
    many: () => t('wiederkehrende Rechnungen sind fällig'),
    href: '/buchhaltung/rechnungen/wiederkehrend',
  },
  eingang: {
    one: () => t('Eingangsrechnung ist zu prüfen'),
    many: () => t('Eingangsrechnungen sind zu prüfen'),
    href: '/buchhaltung/eingang?stand=neu',
  },
  mahnungen: {
    one: () => t('Rechnung ist mahnbar'),
    many: () => t('Rechnungen sind mahnbar'),
    href: '/buchhaltung/mahnungen?lage=dran',
  },
  bank: {
    one: () => t('Bankumsatz ist zuzuordnen'),
    many: () => t('Bankumsätze sind zuzuordnen'),
    href: '/buchhaltung/zahlungen',
  },
}

/** @param staff subscriptions are then those of all customers, on another page */
export const deskTasks = ({ wartet }: Desk, staff: boolean): Figure[] =>
  wartet.map(({ art, anzahl, betrag }) => ({
    key: art,
    name: anzahl === 1 ? TASKS[art].one() : TASKS[art].many(),
    value: countText(anzahl),
    href: art === 'abo_endet' && staff ? '/finanzen/index?teil=ablauf' : TASKS[art].href,
    ...(betrag !== null && { more: formatEuro(betrag) }),
  }))

/** Pages with these records; each half has its own list of customers. */
const FIGURES: Record<DeskFigure, { name: () => string; hrefs: readonly string[] }> = {
  kunden: { name: () => t('Kunden'), hrefs: ['/kunden/index', '/member-management/client'] },
  forstbetriebe: { name: () => t('Forstbetriebe'), hrefs: ['/forstbetriebe/index'] },
  nutzer: { name: () => t('Nutzer'), hrefs: ['/nutzer/index'] },
  baeume: { name: () => t('Habitatbäume'), hrefs: ['/habitatbaeume/index'] },
  karten: { name: () => t('Karten'), hrefs: ['/karten/index'] },
}

/** "+12 in 30 Tagen (davor 8)"; undefined where the day is not recorded. */
export function growthText(recent: number | null, previous: number | null): string | undefined {
  if (recent === null || previous === null) return undefined
  return t('+{n} in 30 Tagen (davor {m})', { n: countText(recent), m: countText(previous) })
}

/** @param leadsTo whether this person may open the page */
export const deskFigures = ({ zahlen }: Desk, leadsTo: (path: string) => boolean): Figure[] =>
  zahlen.map(({ art, wert, neu, zuvor }) => {
    const more = growthText(neu, zuvor)
    const { name, hrefs } = FIGURES[art]
    const href = hrefs.find(leadsTo)
    return {
      key: art,
      name: name(),
      value: countText(wert),
      ...(more !== undefined && { more }),
      ...(href !== undefined && { href }),
    }
  })

const some = (figures: readonly (Figure & { count: number })[]): Figure[] =>
  figures.filter(({ count }) => count > 0)

/** Plans by the next step; steps without a plan are left out. */
export function kartenTasks(states: readonly KarteStatusCount[]): Figure[] {
  const step = (key: KarteStatus, one: string, many: string) => {
    const count = states.find(({ status }) => status === key)?.anzahl ?? 0
    return {
      key,
      name: count === 1 ? one : many,
      count,
      value: formatNumber(count),
      href: `/karten/index?status=${key}`,
    }
  }
  const asked = states.reduce((sum, { rueckfragen }) => sum + rueckfragen, 0)
  return some([
    {
      key: 'rueckfrage',
      name: asked === 1 ? t('Rückfrage eines Kunden') : t('Rückfragen von Kunden'),
      count: asked,
      value: formatNumber(asked),
      href: '/karten/index?antwort=rueckfrage',
    },
    step('neu', t('Plan wartet auf den Scan'), t('Pläne warten auf den Scan')),
    step('gescannt', t('Plan zu georeferenzieren'), t('Pläne zu georeferenzieren')),
    step('georeferenziert', t('Plan zu digitalisieren'), t('Pläne zu digitalisieren')),
    step('digitalisiert', t('Plan zu prüfen'), t('Pläne zu prüfen')),
  ])
}

/** What waits in the books; what is zero is left out. */
export function bookTasks({
  rechnungen: { offen, ueberfaellig, entwuerfe, zurueck },
  angebote,
}: Buchhaltung): Figure[] {
  const sent = angebote.find(({ stand }) => stand === 'versendet')
  const of = (
    key: string,
    [one, many]: readonly [one: string, many: string],
    { anzahl, betrag }: { anzahl: number; betrag: string },
    href: string,
  ) => ({
    key,
    name: anzahl === 1 ? one : many,
    count: anzahl,
    value: formatNumber(anzahl),
    more: formatEuro(betrag),
    href,
  })
  return some([
    of(
      'ueberfaellig',
      [t('Rechnung überfällig'), t('Rechnungen überfällig')],
      ueberfaellig,
      '/buchhaltung/rechnungen?stand=ueberfaellig&sort=faellig',
    ),
    of(
      'offen',
      [t('Rechnung offen'), t('Rechnungen offen')],
      offen,
      '/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig',
    ),
    of(
      'entwuerfe',
      [t('Rechnung im Entwurf'), t('Rechnungen im Entwurf')],
      entwuerfe,
      '/buchhaltung/rechnungen?stand=entwurf',
    ),
    of(
      'zurueck',
      [t('Guthaben ist zurückzuzahlen'), t('Guthaben sind zurückzuzahlen')],
      zurueck,
      // As the bookkeeping's overview: paid too much, or paid and then corrected or cancelled.
      '/buchhaltung/rechnungen?stand=bezahlt,storniert&rest=..-0.01&archiv=mit',
    ),
    of(
      'versendet',
      [t('Angebot wartet auf Antwort'), t('Angebote warten auf Antwort')],
      { anzahl: sent?.anzahl ?? 0, betrag: sent?.brutto ?? '0.00' },
      '/buchhaltung/angebote?stand=versendet',
    ),
  ])
}
