// Contents of the jump-to search: the permitted pages, the records that the database finds, and previous
// choices.

import type { Hit, SearchKind } from '#contract/search.ts'
import type { Role } from '#domain/roles.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { type MenuEntry, menuOf } from '../menu.ts'
import { ADDRESSES, isPermitted, ROUTES, routeOf } from '../routes.ts'
import { rankOf } from './rank.ts'

export interface Goal {
  /** seite: a page of the application; aktion: something to begin; otherwise a record. */
  readonly art: SearchKind | 'seite' | 'aktion'
  readonly href: string
  readonly title: string
  /** Second line: the menu group, a customer's town. */
  readonly detail: string
  readonly icon: IconName
}

/** Alternative words for a page, as used by people who do not know our titles. */
function synonymsOf(path: string): string {
  switch (path) {
    case '/dashboard':
      return t('Startseite Übersicht Home')
    case '/kunden/index':
      return t('Auftraggeber Waldbesitzer Firmen Adressen')
    case '/kunden/import':
      return t('Einlesen Hochladen CSV Excel Datei')
    case '/kunde/index':
    case '/account/index':
      return t('Kunde Adresse Ansprechpartner Kontakt')
    case '/karten/index':
      return t('Pläne Dränpläne Scans Georeferenzierung')
    case '/kataster/index':
      return t('Vermessung Dränagen Schächte Ausmündungen Karte')
    case '/forstbetriebe/index':
      return t('Betriebe Reviere HQ Wald')
    case '/habitatbaeume/index':
      return t('Biotopbäume Naturschutz KAWM Fotos')
    case '/kawm/index':
      return t('Förderung Klimaangepasstes Waldmanagement Nachweis')
    case '/waldbestand/index':
      return t('Bestände Baumarten Forsteinrichtung')
    case '/feld':
      return t('Außendienst Wald Tablet Handy GPS Standort ohne Netz offline')
    case '/members/index':
    case '/nutzer/index':
    case '/member-management/users':
      return t('Benutzer Personen Konten Einladung Zugang')
    case '/member-management/client':
      return t('Auftraggeber Firmen Kataster Projektordner')
    case '/gutschein/index':
      return t('Rabatt Voucher Code Aktion')
    case '/finanzen/index':
      return t('Umsatz Einnahmen Abos Auswertung')
    case '/dokumente/index':
      return t('Rechnungen Angebote PDF Belege')
    case '/buchhaltung/rechnungen':
      return t('Faktura Beleg Rechnung')
    case '/buchhaltung/angebote':
      return t('Offerte Kostenvoranschlag Angebot')
    case '/buchhaltung/zahlungen':
      return t('Bank Kontoauszug CAMT Umsätze Zahlungseingang')
    case '/buchhaltung/pruefung':
      return t('Steuerberater Buchungsstapel GoBD Betriebsprüfung Protokoll Export')
    case '/buchhaltung/umsatzsteuer':
      return t('Voranmeldung UStVA Finanzamt Kennzahlen ELSTER')
    case '/buchhaltung/prognosen':
      return t('Vorschau Planung Forecast')
    case '/verwaltung/betrieb':
      return t('Sicherung Datenbank Status System Backup')
    case '/verwaltung/datenschutz':
      return t('DSGVO Auskunft Löschung Export')
    case '/abkuerzungen/index':
      return t('Glossar Begriffe Lexikon')
    case '/profile/index':
      return t('Konto Einstellungen Name Benachrichtigungen Passwort')
    default:
      return ''
  }
}

interface Page extends Goal {
  readonly synonyms: string
}

function entriesOf(entries: readonly MenuEntry[], group = ''): Page[] {
  return entries.flatMap((entry) =>
    entry.children.length > 0
      ? entriesOf(entry.children, t(entry.title))
      : [
          {
            art: 'seite' as const,
            href: entry.path,
            title: t(entry.title),
            detail: group,
            icon: entry.icon ?? 'file',
            synonyms: synonymsOf(entry.path),
          },
        ],
  )
}

/**
 * Every page without an id in its path: the menu in its order, then pages that are not in it (the profile).
 */
export function pagesOf(roles: readonly Role[]): Page[] {
  const menu = entriesOf(menuOf(ROUTES, roles)).filter(({ href }) => href.startsWith('/'))
  const known = new Set(menu.map(({ href }) => href))
  const others = ADDRESSES.filter(
    (line) => !line.open && !line.path.includes('$') && !known.has(line.path) && isPermitted(line, roles),
  )
  return [
    ...menu,
    ...others.map(({ path, title, icon, activeMenu }) => ({
      art: 'seite' as const,
      href: path,
      title: t(title),
      detail: activeMenu === undefined ? '' : t(routeOf(activeMenu)?.title ?? ''),
      icon: icon ?? 'file',
      synonyms: synonymsOf(path),
    })),
  ]
}

export function findPages(query: string, pages: readonly Page[]): Goal[] {
  return pages
    .map((page) => ({ page, rank: rankOf(query, page.title, `${page.detail} ${page.synonyms}`) }))
    .filter((found): found is { page: Page; rank: number } => found.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ page: { synonyms: _synonyms, ...goal } }) => goal)
}

const ofKunde = (client_id: number | null, more: Readonly<Record<string, string>>): string =>
  new URLSearchParams({ ...(client_id !== null && { kunde: String(client_id) }), ...more }).toString()

/** Screens for each kind of record, the best one first: the route that must be permitted, and the address. */
type Screen = readonly [line: string, href: (record: Hit) => string]
const SCREENS: Readonly<Record<SearchKind, readonly Screen[]>> = {
  kunde: [
    ['/kunden/$id', ({ id }) => `/kunden/${id}`],
    ['/member-management/client/$id', ({ id }) => `/member-management/client/${id}`],
    ['/kunde/index', ({ id }) => `/kunde/index?kunde=${id}`],
    ['/account/index', ({ id }) => `/account/index?kunde=${id}`],
  ],
  hq: [
    ['/forstbetriebe/$detailid', ({ id }) => `/forstbetriebe/${id}`],
    ['/kunden/$id/forstbetrieb/$detailid', ({ id, client_id }) => `/kunden/${client_id}/forstbetrieb/${id}`],
    ['/kunde/$id/forstbetrieb/$detailid', ({ id, client_id }) => `/kunde/${client_id}/forstbetrieb/${id}`],
  ],
  benutzer: [
    ['/nutzer/$user_id', ({ id }) => `/nutzer/${id}`],
    ['/member-management/users/$user_id', ({ id }) => `/member-management/users/${id}`],
    // Without a page for the person: the list of the customer's people, filtered to them.
    [
      '/members/index',
      ({ client_id, zusatz }) => `/members/index?${ofKunde(client_id, { suche: zusatz ?? '' })}`,
    ],
    [
      '/kunde/index',
      // The fragment makes the addresses of different people distinct.
      ({ id, client_id }) => `/kunde/index?${ofKunde(client_id, { ansicht: 'personen' })}#person-${id}`,
    ],
  ],
  karte: [['/karten/$id', ({ id }) => `/karten/${id}`]],
  rechnung: [
    ['/buchhaltung/rechnungen/rechnung/$id', ({ id }) => `/buchhaltung/rechnungen/rechnung/${id}`],
    ['/dokumente/rechnung/$id', ({ id }) => `/dokumente/rechnung/${id}`],
  ],
  angebot: [
    ['/buchhaltung/angebote/angebot/$id', ({ id }) => `/buchhaltung/angebote/angebot/${id}`],
    ['/dokumente/angebot/$id', ({ id }) => `/dokumente/angebot/${id}`],
  ],
  eingang: [['/buchhaltung/eingang/rechnung/$id', ({ id }) => `/buchhaltung/eingang/rechnung/${id}`]],
  serie: [
    [
      '/buchhaltung/rechnungen/wiederkehrend/serie/$id',
      ({ id }) => `/buchhaltung/rechnungen/wiederkehrend/serie/${id}`,
    ],
  ],
  habitatbaum: [['/habitatbaeume/$id', ({ id }) => `/habitatbaeume/${id}`]],
}
const KINDS = Object.keys(SCREENS) as SearchKind[]

function screenOf(art: SearchKind, roles: readonly Role[]) {
  return SCREENS[art].find(([path]) =>
    ADDRESSES.some((line) => line.path === path && isPermitted(line, roles)),
  )?.[1]
}
/** Kinds of records that the person has a screen for; the others are not searched. */
export const searchable = (roles: readonly Role[]): SearchKind[] =>
  KINDS.filter((art) => screenOf(art, roles) !== undefined)

const ICONS: Readonly<Record<SearchKind, IconName>> = {
  kunde: 'people',
  hq: 'building',
  benutzer: 'person',
  karte: 'map',
  rechnung: 'euro',
  angebot: 'file',
  eingang: 'inbox',
  serie: 'refresh',
  habitatbaum: 'tree',
}

/** Documents and trees have their number as their title; nobody knows a recurring invoice by its number. */
const numberOf = (art: SearchKind, id: number): string =>
  ['rechnung', 'angebot', 'eingang', 'serie', 'habitatbaum'].includes(art) ? '' : `#${id}`

/** A record with the address of its screen; null if the person has none. */
export function goalOf(record: Hit, roles: readonly Role[]): Goal | null {
  const { art, id, titel, zusatz } = record
  const href = screenOf(art, roles)?.(record)
  return href === undefined
    ? null
    : {
        art,
        href,
        title: titel,
        detail: [numberOf(art, id), zusatz].filter(Boolean).join(' · '),
        icon: ICONS[art],
      }
}

// Recent choices, stored in this browser under a key that is cleared at the end of the session
// (app/forget.ts).

const STORE = 'forstkontor.spruenge'
const MOST = 8
const isGoal = (value: unknown): value is Goal => {
  const { art, href, title, detail, icon } = (value ?? {}) as Partial<Record<keyof Goal, unknown>>
  return [art, href, title, detail, icon].every((part) => typeof part === 'string')
}

/** Only targets that the person may still open. */
export function recentGoals(roles: readonly Role[], store: Pick<Storage, 'getItem'> = localStorage): Goal[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(STORE) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept
      .filter(isGoal)
      .filter(({ href }) => {
        const line = routeOf(href.split(/[?#]/)[0]!)
        return line !== undefined && isPermitted(line, roles)
      })
      .slice(0, MOST)
  } catch {
    return []
  }
}
export function rememberGoal(
  goal: Goal,
  roles: readonly Role[],
  store: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
) {
  const others = recentGoals(roles, store).filter(({ href }) => href !== goal.href)
  try {
    store.setItem(STORE, JSON.stringify([goal, ...others].slice(0, MOST)))
  } catch {
    // Storage is full or blocked: the jump works, but is not remembered.
  }
}

export interface Section {
  readonly key: 'recent' | 'pages' | 'actions' | SearchKind
  readonly goals: readonly Goal[]
}

interface Material {
  readonly recent: readonly Goal[]
  readonly pages: readonly Page[]
  readonly found: readonly { goal: Goal; rang: number }[]
  readonly actions?: readonly Goal[]
  /** A verb was typed. */
  readonly commanded?: boolean
}

/**
 * The results, best first. With an empty query: recent choices and the menu; otherwise the matches. Matching
 * recent choices come first and are not repeated; records whose number or full name was typed come before
 * pages. Actions come first if a verb was typed, otherwise last.
 */
export function sectionsOf(
  query: string,
  { recent, pages, found, actions = [], commanded = false }: Material,
): Section[] {
  if (query.trim() === '')
    return shown([
      { key: 'recent', goals: recent },
      { key: 'pages', goals: pages.filter(({ href }) => !recent.some((goal) => goal.href === href)) },
    ])
  const again = recent.filter(({ title, detail }) => rankOf(query, title, detail) !== undefined).slice(0, 3)
  const isNew = (goal: Goal) => !again.some(({ href }) => href === goal.href)
  const records = KINDS.map((art) => ({
    key: art,
    best: Math.min(9, ...found.filter(({ goal }) => goal.art === art).map(({ rang }) => rang)),
    goals: found.filter(({ goal }) => goal.art === art && isNew(goal)).map(({ goal }) => goal),
  })).toSorted((a, b) => a.best - b.best)
  const exact = records.filter(({ best }) => best === 0)
  const offered: Section = { key: 'actions', goals: actions.filter(isNew) }
  return shown([
    ...(commanded ? [offered] : []),
    { key: 'recent', goals: again },
    ...exact,
    { key: 'pages', goals: findPages(query, pages).filter(isNew) },
    ...records.filter(({ best }) => best > 0),
    ...(commanded ? [] : [offered]),
  ])
}
const shown = (sections: readonly Section[]): Section[] =>
  sections.filter(({ goals }) => goals.length > 0).map(({ key, goals }) => ({ key, goals }))

/** The next selection, wrapping around. Home and End stay with the text field. */
export function nextChoice(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(at + 6, count - 1)
  if (key === 'PageUp') return Math.max(at - 6, 0)
  return undefined
}
