// The only table of routes. Guard, menu, breadcrumb and window title all use it; a new page is one line here.
import type { ComponentType } from 'react'
import { ROLES, type Role } from '#domain/roles.ts'
import { firstOf, menuOf } from './menu.ts'
import { isPermitted, type RouteLine, type RouteTable } from './route-line.ts'

export { isPermitted, type RouteLine }

/** The page that a module exports under this name; loaded when it is first opened. */
const pageIn =
  <N extends string>(load: () => Promise<Readonly<Record<N, ComponentType>>>, name: N) =>
  async () =>
    (await load())[name]

const EVERYONE_BUT_NEW: readonly Role[] = ROLES.filter((role) => role !== 'ogf_init')

/** An auditor reads the books and opens nothing else. */
const EVERYONE_BUT_AUDITORS: readonly Role[] = ROLES.filter((role) => role !== 'pruefer')
const AUDITED: readonly Role[] = ['apus_admin', 'pruefer']

const HABITAT: readonly Role[] = ['ogf_standard', 'ogf_fb_admin', 'kundenadmin', 'ogf_team', 'ogf_admin']
const KARTEN: readonly Role[] = ['appuser', 'appuser_admin', 'apus_team', 'apus_admin']
/** Roles that record trees; the database also requires a link to an enabled headquarters. */
const FIELDWORK: readonly Role[] = ['ogf_standard', 'ogf_fb_admin', 'ogf_admin']
/** Trees or survey objects. */
const FIELD: readonly Role[] = [...FIELDWORK, 'apus_team', 'apus_admin']
/** Who starts subscriptions; more people read them (app.abo). */
const BUYERS: readonly Role[] = ['ogf_standard', 'ogf_fb_admin']
const documentPages = () => import('../features/documents/DocumentPage.tsx')
const errorPages = () => import('./pages/ErrorPages.tsx')
const forstbetriebPage = pageIn(
  () => import('../features/forstbetrieb/ForstbetriebPage.tsx'),
  'ForstbetriebPage',
)
const fieldworkPages = () => import('./pages/FieldworkPage.tsx')
const fieldwork = pageIn(fieldworkPages, 'FieldworkPage')

const beleg = (name: keyof typeof import('../features/buchhaltung/pages.ts')['pages']) => async () =>
  (await import('../features/buchhaltung/pages.ts')).pages[name]()
const kataster = (name: keyof typeof import('../features/kataster/pages.ts')['pages']) => async () =>
  (await import('../features/kataster/pages.ts')).pages[name]()

/**
 * Open to those who may open anything in it. Hidden pages belong to the last entry before them and are open to whom
 * it is, unless they name others.
 */
const group = (line: RouteLine & { readonly children: readonly RouteLine[] }): RouteLine => {
  let before: RouteLine = line
  return {
    roles: [...new Set(line.children.flatMap(({ roles }) => roles ?? []))],
    ...line,
    children: line.children.map((child) => {
      const { path, roles } = before
      if (child.hidden) return { activeMenu: path, ...(roles && { roles }), ...child }
      before = child
      return child
    }),
  }
}

/**
 * In menu order, grouped by what people do: at most eight entries at the top, and no title twice in a group
 * (menu.test.ts). A line without a page is an address that does not exist yet: menu and guard ignore it until
 * it has one.
 */
export const ROUTES: readonly RouteLine[] = [
  {
    path: '/dashboard',
    title: 'Mein Forstbetrieb',
    roles: EVERYONE_BUT_AUDITORS,
    icon: 'tree',
    affix: true,
    page: pageIn(() => import('./pages/DashboardPage.tsx'), 'DashboardPage'),
  },
  group({
    path: '/kunden',
    title: 'Kunden',
    icon: 'people',
    children: [
      {
        path: '/kunden/index',
        title: 'Kunden',
        roles: ['ogf_admin'],
        icon: 'people',
        page: pageIn(() => import('../features/kunde/KundenPage.tsx'), 'KundenPage'),
      },
      {
        path: '/kunden/$id',
        title: 'Kunde',
        hidden: true,
        page: pageIn(() => import('./pages/KundeOverviewPage.tsx'), 'KundeOverviewPage'),
      },
      {
        path: '/kunden/$id/forstbetrieb/$detailid',
        title: 'Forstbetrieb',
        hidden: true,
        parent: '/kunden/$id',
        page: forstbetriebPage,
      },
      {
        path: '/kunden/import',
        title: 'Kunden importieren',
        hidden: true,
        noCache: true,
        page: pageIn(() => import('../features/import/ImportPage.tsx'), 'ImportPage'),
      },
      {
        path: '/kunde/index',
        title: 'Kundenstammdaten',
        roles: ['kundenadmin'],
        icon: 'card',
        page: pageIn(() => import('../features/kunde/OwnKundenPage.tsx'), 'OwnKundenPage'),
      },
      {
        path: '/kunde/$id/forstbetrieb/$detailid',
        title: 'Forstbetrieb',
        hidden: true,
        page: forstbetriebPage,
      },
      {
        path: '/forstbetriebe/index',
        title: 'Forstbetriebe',
        roles: ['ogf_admin', 'multiple_fb', 'ogf_team', 'inactive_fb', 'ogf_fb_admin'],
        icon: 'building',
        page: pageIn(() => import('../features/forstbetrieb/ForstbetriebePage.tsx'), 'ForstbetriebePage'),
      },
      {
        path: '/forstbetriebe/$detailid',
        title: 'Forstbetrieb',
        roles: ['ogf_admin', 'ogf_fb_admin'],
        hidden: true,
        noCache: true,
        page: forstbetriebPage,
      },
      {
        path: '/nutzer/index',
        title: 'Nutzer',
        roles: ['ogf_admin'],
        icon: 'person',
        page: pageIn(() => import('../features/nutzer/NutzerPage.tsx'), 'NutzerPage'),
      },
      {
        path: '/nutzer/$user_id',
        title: 'Nutzerdetails',
        hidden: true,
        page: pageIn(() => import('./pages/NutzerDetailsPage.tsx'), 'NutzerDetailsPage'),
      },
      // The drainage half's customers and people, beside the forest half's of the same names.
      group({
        path: '/member-management',
        title: 'Entwässerung',
        icon: 'layers',
        // With one entry it would stand beside another "Kunden".
        alwaysShow: true,
        children: [
          {
            path: '/member-management/client',
            title: 'Kunden',
            roles: ['apus_admin', 'apus_team'],
            icon: 'people',
            page: pageIn(() => import('../features/members/KundenPage.tsx'), 'KundenPage'),
          },
          // Two variants at the same address: the page chooses by role.
          {
            path: '/member-management/client/$id',
            title: 'Kunde',
            roles: ['apus_admin', 'apus_team'],
            hidden: true,
            page: pageIn(() => import('./pages/KundeWithBillingPage.tsx'), 'KundeWithBillingPage'),
          },
          {
            path: '/member-management/client/update/$update_id',
            title: 'Kunde bearbeiten',
            roles: ['apus_admin'],
            hidden: true,
            page: pageIn(() => import('../features/members/EditKundePage.tsx'), 'EditKundePage'),
          },
          {
            path: '/member-management/users',
            title: 'Nutzer',
            roles: ['apus_admin'],
            icon: 'person',
            page: pageIn(() => import('../features/members/NutzerListPage.tsx'), 'NutzerListPage'),
          },
          {
            path: '/member-management/users/$user_id',
            title: 'Nutzerdetails',
            roles: ['apus_admin'],
            hidden: true,
            page: pageIn(() => import('../features/members/NutzerPage.tsx'), 'NutzerPage'),
          },
        ],
      }),
    ],
  }),
  group({
    path: '/wald',
    title: 'Wald',
    icon: 'forest',
    children: [
      {
        path: '/habitatbaeume/index',
        title: 'Habitatbäume',
        roles: HABITAT,
        icon: 'leaf',
        page: pageIn(() => import('../features/habitat/HabitatPage.tsx'), 'HabitatPage'),
      },
      {
        path: '/habitatbaeume/$id',
        title: 'Habitatbaum',
        hidden: true,
        page: pageIn(() => import('../features/habitat/TreePage.tsx'), 'TreePage'),
      },
      {
        path: '/habitatbaeume/import',
        title: 'Habitatbäume importieren',
        roles: FIELDWORK,
        hidden: true,
        noCache: true,
        page: pageIn(() => import('../features/habitat/HabitatImportPage.tsx'), 'HabitatImportPage'),
      },
      {
        path: '/kawm/index',
        title: 'KAWM',
        roles: HABITAT,
        icon: 'shield',
        page: pageIn(() => import('../features/kawm/KawmPage.tsx'), 'KawmPage'),
      },
      {
        path: '/waldbestand/index',
        title: 'Waldbestand',
        roles: HABITAT,
        icon: 'forest',
        page: pageIn(() => import('../features/waldbestand/WaldbestandPage.tsx'), 'WaldbestandPage'),
      },
      {
        path: '/waldbestand/import',
        title: 'Forsteinrichtung importieren',
        roles: ['ogf_admin'],
        hidden: true,
        noCache: true,
        page: pageIn(() => import('../features/waldbestand/BestandImportPage.tsx'), 'BestandImportPage'),
      },
      {
        path: '/feld',
        title: 'Feldmodus',
        roles: FIELD,
        icon: 'mobile',
        noCache: true,
        breadcrumb: false,
        whole: true,
        page: fieldwork,
      },
      {
        path: '/habitatbaeume/feldsicherung',
        title: 'Feldsicherung',
        hidden: true,
        noCache: true,
        page: pageIn(fieldworkPages, 'RescuePage'),
      },
      // The field mode's trees, survey objects, form and queue; some of these addresses contain a kennung.
      {
        path: '/feld/$',
        title: 'Feldmodus',
        hidden: true,
        noCache: true,
        breadcrumb: false,
        whole: true,
        page: fieldwork,
      },
    ],
  }),
  group({
    path: '/entwaesserung',
    title: 'Entwässerung',
    icon: 'layers',
    children: [
      {
        path: '/karten/index',
        title: 'Karten',
        roles: KARTEN,
        icon: 'map',
        page: pageIn(() => import('../features/karte/KartenPage.tsx'), 'KartenPage'),
      },
      {
        path: '/karten/$id',
        title: 'Karte',
        hidden: true,
        page: pageIn(() => import('../features/karte/KartePage.tsx'), 'KartePage'),
      },
      {
        path: '/karten/$id/georef',
        title: 'Georeferenzierung',
        roles: ['apus_team', 'apus_admin'],
        hidden: true,
        parent: '/karten/$id',
        page: pageIn(() => import('../features/georef/GeorefPage.tsx'), 'GeorefPage'),
      },
      {
        path: '/kataster/index',
        title: 'Kataster',
        roles: KARTEN,
        icon: 'layers',
        page: kataster('index'),
      },
      {
        path: '/kataster/objekt/$',
        title: 'Vermessungsobjekt',
        hidden: true,
        page: kataster('objekt'),
      },
      {
        path: '/kataster/import',
        title: 'Kataster importieren',
        roles: ['apus_team', 'apus_admin'],
        hidden: true,
        noCache: true,
        page: kataster('import'),
      },
    ],
  }),
  group({
    path: '/buchhaltung',
    title: 'Buchhaltung',
    icon: 'euro',
    children: [
      {
        path: '/buchhaltung/dashboard',
        title: 'Übersicht',
        roles: ['apus_admin'],
        icon: 'chart',
        page: beleg('dashboard'),
      },
      {
        path: '/buchhaltung/rechnungen',
        title: 'Rechnungen',
        roles: AUDITED,
        icon: 'euro',
        page: beleg('rechnungen'),
      },
      {
        path: '/buchhaltung/rechnungen/rechnung/$id',
        title: 'Rechnung',
        hidden: true,
        page: beleg('rechnung/$'),
      },
      {
        path: '/buchhaltung/rechnungen/rechnung/new/$new_id',
        title: 'Neue Rechnung',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('rechnung/new/'),
      },
      {
        path: '/buchhaltung/rechnungen/rechnung/update/$update_id',
        title: 'Rechnung bearbeiten',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('rechnung/update/'),
      },
      {
        path: '/buchhaltung/rechnungen/wiederkehrend',
        title: 'Wiederkehrende Rechnungen',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('wiederkehrend'),
      },
      {
        path: '/buchhaltung/rechnungen/wiederkehrend/serie/$id',
        title: 'Wiederkehrende Rechnung',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('serie/$'),
      },
      {
        path: '/buchhaltung/angebote',
        title: 'Angebote',
        roles: AUDITED,
        icon: 'file',
        page: beleg('angebote'),
      },
      {
        path: '/buchhaltung/angebote/angebot/$id',
        title: 'Angebot',
        hidden: true,
        page: beleg('angebot/$'),
      },
      {
        path: '/buchhaltung/angebote/angebot/new/$new_id',
        title: 'Neues Angebot',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('angebot/new/'),
      },
      {
        path: '/buchhaltung/angebote/angebot/update/$update_id',
        title: 'Angebot bearbeiten',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('angebot/update/'),
      },
      {
        path: '/buchhaltung/offene-posten',
        title: 'Offene Posten',
        roles: AUDITED,
        icon: 'clock',
        page: beleg('offene-posten'),
      },
      {
        path: '/buchhaltung/offene-posten/konto/$id',
        title: 'Kundenkonto',
        hidden: true,
        page: beleg('konto/$'),
      },
      {
        path: '/buchhaltung/eingang',
        title: 'Eingang',
        roles: AUDITED,
        icon: 'inbox',
        page: beleg('eingang'),
      },
      {
        path: '/buchhaltung/eingang/rechnung/$id',
        title: 'Eingangsrechnung',
        hidden: true,
        page: beleg('eingang/$'),
      },
      {
        path: '/buchhaltung/eingang/ueberweisungen',
        title: 'Überweisungen',
        roles: ['apus_admin'],
        hidden: true,
        page: beleg('eingang/ueberweisungen'),
      },
      {
        path: '/buchhaltung/mahnungen',
        title: 'Mahnungen',
        roles: ['apus_admin'],
        icon: 'mail',
        page: beleg('mahnungen'),
      },
      {
        path: '/buchhaltung/zahlungen',
        title: 'Zahlungen',
        roles: ['apus_admin'],
        icon: 'inbox',
        page: beleg('zahlungen'),
      },
      {
        path: '/buchhaltung/lastschriften',
        title: 'Lastschriften',
        roles: ['apus_admin'],
        icon: 'card',
        page: beleg('lastschriften'),
      },
      {
        path: '/buchhaltung/prognosen',
        title: 'Prognosen',
        roles: ['apus_admin'],
        icon: 'chart',
        page: beleg('prognosen'),
      },
      {
        path: '/buchhaltung/umsatzsteuer',
        title: 'Umsatzsteuer',
        roles: AUDITED,
        icon: 'card',
        page: beleg('umsatzsteuer'),
      },
      {
        path: '/buchhaltung/pruefung',
        title: 'DATEV und Prüfung',
        roles: AUDITED,
        icon: 'shield',
        page: beleg('pruefung'),
      },
      {
        path: '/buchhaltung/einstellungen',
        title: 'Einstellungen',
        roles: ['apus_admin'],
        icon: 'gear',
        page: beleg('einstellungen'),
      },
    ],
  }),
  {
    path: '/dokumente/index',
    title: 'Dokumente',
    roles: ['kundenadmin', 'appuser_admin'],
    icon: 'file',
    page: pageIn(() => import('../features/documents/DocumentsPage.tsx'), 'DocumentsPage'),
  },
  {
    path: '/dokumente/rechnung/$id',
    title: 'Rechnung',
    roles: ['kundenadmin', 'appuser_admin'],
    hidden: true,
    activeMenu: '/dokumente/index',
    page: pageIn(documentPages, 'RechnungPage'),
  },
  {
    path: '/dokumente/angebot/$id',
    title: 'Angebot',
    roles: ['kundenadmin', 'appuser_admin'],
    hidden: true,
    activeMenu: '/dokumente/index',
    page: pageIn(documentPages, 'AngebotPage'),
  },
  group({
    path: '/verwaltung',
    title: 'Verwaltung',
    icon: 'server',
    children: [
      {
        path: '/account/index',
        title: 'Stammdaten',
        roles: ['appuser_admin'],
        icon: 'card',
        page: pageIn(() => import('../features/account/MasterDataPage.tsx'), 'MasterDataPage'),
      },
      {
        path: '/members/index',
        title: 'Nutzer',
        roles: ['appuser_admin'],
        icon: 'people',
        page: pageIn(() => import('../features/account/MembersPage.tsx'), 'MembersPage'),
      },
      {
        path: '/gutschein/index',
        title: 'Gutscheine',
        roles: ['ogf_admin'],
        icon: 'ticket',
        page: pageIn(() => import('../features/gutschein/GutscheinPage.tsx'), 'GutscheinPage'),
      },
      {
        path: '/finanzen/index',
        title: 'Finanzen',
        roles: ['ogf_admin'],
        icon: 'chart',
        page: pageIn(() => import('../features/finances/FinancesPage.tsx'), 'FinancesPage'),
      },
      {
        path: '/abo/index',
        title: 'Abo',
        roles: [...BUYERS, 'kundenadmin', 'ogf_admin'],
        icon: 'calendar',
        page: pageIn(() => import('./pages/AboPage.tsx'), 'AboPage'),
      },
      {
        path: '/na/index',
        title: 'Abo',
        roles: BUYERS,
        icon: 'ticket',
        hidden: true,
        page: pageIn(() => import('../features/abo/AboStartPage.tsx'), 'AboStartPage'),
      },
      {
        path: '/verwaltung/betrieb',
        title: 'Betrieb',
        roles: ['ogf_admin', 'apus_admin'],
        icon: 'server',
        page: pageIn(() => import('./pages/BetriebPage.tsx'), 'BetriebPage'),
      },
      {
        path: '/verwaltung/webhooks',
        title: 'Programme benachrichtigen',
        roles: ['ogf_admin', 'apus_admin'],
        icon: 'bell',
        page: pageIn(() => import('../features/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
      },
      {
        path: '/verwaltung/datenschutz',
        title: 'Datenschutz',
        roles: ['ogf_admin', 'apus_admin'],
        icon: 'shield',
        page: pageIn(() => import('../features/privacy/PrivacyPage.tsx'), 'PrivacyPage'),
      },
      {
        path: '/verwaltung/bausteine',
        title: 'Bausteine',
        roles: ['ogf_admin', 'apus_admin'],
        icon: 'layers',
        page: pageIn(() => import('../features/parts/PartsPage.tsx'), 'PartsPage'),
      },
    ],
  }),
  {
    path: '/abkuerzungen/index',
    title: 'Abkürzungen',
    roles: ['appuser', 'apus_admin'],
    icon: 'book',
    page: pageIn(() => import('../features/abkuerzung/AbkuerzungenPage.tsx'), 'AbkuerzungenPage'),
  },
  {
    path: '/profile/index',
    title: 'Profil',
    roles: EVERYONE_BUT_NEW,
    icon: 'person',
    hidden: true,
    noCache: true,
    page: pageIn(() => import('./pages/ProfilePage.tsx'), 'ProfilePage'),
  },
  {
    path: '/geraet',
    title: 'Programm verbinden',
    roles: EVERYONE_BUT_NEW,
    icon: 'lock',
    hidden: true,
    noCache: true,
    page: pageIn(() => import('../features/program-keys/ConnectPage.tsx'), 'ConnectPage'),
  },
  {
    path: '/login',
    title: 'Anmelden',
    open: true,
    hidden: true,
    breadcrumb: false,
    page: pageIn(() => import('./pages/LoginPage.tsx'), 'LoginPage'),
  },
  {
    path: '/landing',
    title: 'Willkommen',
    open: true,
    hidden: true,
    noCache: true,
    breadcrumb: false,
    page: pageIn(() => import('./pages/LandingPage.tsx'), 'LandingPage'),
  },
  {
    path: '/annahme',
    title: 'Ihr Angebot',
    open: true,
    hidden: true,
    noCache: true,
    breadcrumb: false,
    page: pageIn(() => import('./pages/AcceptancePage.tsx'), 'AcceptancePage'),
  },
  { path: '/auth-redirect', title: 'Anmelden', open: true, hidden: true, breadcrumb: false },
  {
    path: '/401',
    title: 'Kein Zugriff',
    open: true,
    hidden: true,
    noCache: true,
    page: pageIn(errorPages, 'ForbiddenPage'),
  },
  {
    path: '/404',
    title: 'Nicht gefunden',
    open: true,
    hidden: true,
    noCache: true,
    page: pageIn(errorPages, 'UnknownPage'),
  },
  { path: '/redirect/$', title: '', open: true, hidden: true, breadcrumb: false },
]

/** All lines that are addresses: without groups and without lines that have no page yet. */
export function flatten(lines: readonly RouteLine[] = ROUTES): RouteLine[] {
  return lines.flatMap((line) => [
    ...(line.page || (line.open && !line.children) ? [line] : []),
    ...flatten(line.children ?? []),
  ])
}
export const ADDRESSES: readonly RouteLine[] = flatten()

export const isDigits = (text: string): boolean => /^\d{1,18}$/.test(text)

function matches(pattern: string, path: string): boolean {
  if (pattern.endsWith('/$')) return path.startsWith(pattern.slice(0, -1))
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith('$') ? isDigits(given[at]!) : part === given[at]))
  )
}
/** Finds the line of an address. A trailing slash makes no difference. */
export function routeOf(path: string): RouteLine | undefined {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path
  return (
    ADDRESSES.find((line) => !line.path.includes('$') && line.path === clean) ??
    ADDRESSES.find((line) => matches(line.path, clean))
  )
}

/** The ids in an address by their names in the table: {id: '17'}. */
export function paramsOf(line: RouteLine, path: string): Readonly<Record<string, string>> {
  const given = path.split('/')
  return Object.fromEntries(
    line.path
      .split('/')
      .flatMap((part, at) => (/^\$\w/.test(part) ? [[part.slice(1), given[at] ?? '']] : [])),
  )
}

/** Menu entry of an address. */
export const activeMenuOf = (path: string): string => routeOf(path)?.activeMenu ?? path

/**
 * Target for an address without a page: a group's first permitted page; `/na/index` for `/na/`. Null: a group
 * with nothing for these roles.
 */
export function insideOf(path: string, roles: readonly Role[]): string | null | undefined {
  const clean = path.replace(/\/+$/, '')
  const index = routeOf(`${clean}/index`)
  const group = groupOf(clean)
  if (index || !group) return index?.path
  const [entry] = menuOf([group], roles)
  return entry ? firstOf(entry) : null
}
const groupOf = (path: string): RouteLine | undefined => groupsOf(ROUTES).find((line) => line.path === path)
const groupsOf = (lines: readonly RouteLine[]): RouteLine[] =>
  lines.flatMap((line) => (line.children ? [line, ...groupsOf(line.children)] : []))

/** Customers of the drainage side have the dashboard too, but come for their maps. */
const STARTS_AT_KARTEN: readonly Role[] = ['appuser', 'appuser_admin']

/** Start page of the roles. Never `/`, so that there are no redirect loops. */
export function homeOf(roles: readonly Role[]): string {
  if (roles.length > 0 && roles.every((role) => role === 'pruefer')) return '/buchhaltung/pruefung'
  return roles.every((role) => STARTS_AT_KARTEN.includes(role)) ? '/karten/index' : '/dashboard'
}

export const TABLE: RouteTable = { lines: ROUTES, addresses: ADDRESSES, routeOf, homeOf }
