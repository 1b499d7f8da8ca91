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
    href: '/dokumente/index',
  },
  rechnungen: {
    one: () => t('Rechnung ist zu bezahlen'),
    many: () => t('Rechnungen sind zu bezahlen'),
    href: '/dokumente/index',
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
}

/** @param staff subscriptions are then those of all customers, on another page */
export const deskTasks = ({ wartet }: Desk, staff: boolean): Figure[] =>
  wartet.map(({ art, anzahl, betrag }) => ({
    key: art,
    name: anzahl === 1 ? TASKS[art].one() : TASKS[art].many(),
    value: countText(anzahl),
    href: art === 'abo_endet' && staff ? '/finanzen/index' : TASKS[art].href,
    ...(betrag !== null && { more: formatEuro(betrag) }),
  }))

const FIGURES: Record<DeskFigure, { name: () => string; href: string }> = {
  kunden: { name: () => t('Kunden'), href: '/kunden/index' },
  forstbetriebe: { name: () => t('Forstbetriebe'), href: '/forstbetriebe/index' },
  nutzer: { name: () => t('Nutzer'), href: '/nutzer/index' },
  baeume: { name: () => t('Habitatbäume'), href: '/habitatbaeume/index' },
  karten: { name: () => t('Karten'), href: '/karten/index' },
}

/** "+12 in 30 Tagen (davor 8)"; undefined where the day is not recorded. */
export function growthText(neu: number | null, zuvor: number | null): string | undefined {
  if (neu === null || zuvor === null) return undefined
  return t('+{n} in 30 Tagen (davor {m})', { n: countText(neu), m: countText(zuvor) })
}

/** @param leadsTo whether this person may open the page */
export const deskFigures = ({ zahlen }: Desk, leadsTo: (path: string) => boolean): Figure[] =>
  zahlen.map(({ art, wert, neu, zuvor }) => {
    const more = growthText(neu, zuvor)
    const { name, href } = FIGURES[art]
    return {
      key: art,
      name: name(),
      value: countText(wert),
      ...(more !== undefined && { more }),
      ...(leadsTo(href) && { href }),
    }
  })

const some = (figures: readonly (Figure & { count: number })[]): Figure[] =>
  figures.filter(({ count }) => count > 0)

/** Plans by the next step; steps without a plan are left out. */
export function kartenTasks(states: readonly KarteStatusCount[]): Figure[] {
  const step = (key: KarteStatus, name: string) => {
    const count = states.find(({ status }) => status === key)?.anzahl ?? 0
    return { key, name, count, value: formatNumber(count), href: `/karten/index?status=${key}` }
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
    step('neu', t('Pläne warten auf den Scan')),
    step('gescannt', t('Pläne zu georeferenzieren')),
    step('georeferenziert', t('Pläne zu digitalisieren')),
    step('digitalisiert', t('Pläne zu prüfen')),
  ])
}

/** What waits in the books; what is zero is left out. */
export function bookTasks({
  rechnungen: { offen, ueberfaellig, entwuerfe },
  angebote,
}: Buchhaltung): Figure[] {
  const sent = angebote.find(({ stand }) => stand === 'versendet')
  const of = (
    key: string,
    name: string,
    { anzahl, betrag }: { anzahl: number; betrag: string },
    href: string,
  ) => ({ key, name, count: anzahl, value: formatNumber(anzahl), more: formatEuro(betrag), href })
  return some([
    of(
      'ueberfaellig',
      t('Rechnungen überfällig'),
      ueberfaellig,
      '/buchhaltung/rechnungen?stand=ueberfaellig&sort=faellig',
    ),
    of('offen', t('Rechnungen offen'), offen, '/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig'),
    of('entwuerfe', t('Rechnungen im Entwurf'), entwuerfe, '/buchhaltung/rechnungen?stand=entwurf'),
    of(
      'versendet',
      t('Angebote warten auf Antwort'),
      { anzahl: sent?.anzahl ?? 0, betrag: sent?.brutto ?? '0.00' },
      '/buchhaltung/angebote?stand=versendet',
    ),
  ])
}
