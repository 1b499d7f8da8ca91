// The only table of routes. Guard, menu, breadcrumb and window title all use it; a new page is one line here.
import { ROLES, type Role } from '#domain/roles.ts'
import { isPermitted, type RouteLine, type RouteTable } from './route-line.ts'

export { isPermitted, type RouteLine }

const EVERYONE_BUT_NEW: readonly Role[] = ROLES.filter((role) => role !== 'ogf_init')

const HABITAT: readonly Role[] = ['ogf_standard', 'ogf_fb_admin', 'kundenadmin', 'ogf_team', 'ogf_admin']
const KARTEN: readonly Role[] = ['appuser', 'appuser_admin', 'apus_team', 'apus_admin']
/** Roles that record trees; the database also requires a link to an enabled headquarters. */
const FIELDWORK: readonly Role[] = ['ogf_standard', 'ogf_fb_admin', 'ogf_admin']
const fieldwork = async () => (await import('./pages/FieldworkPage.tsx')).FieldworkPage

const beleg = (name: keyof typeof import('../features/buchhaltung/pages.ts')['pages']) => async () =>
  (await import('../features/buchhaltung/pages.ts')).pages[name]()

/**
 * In menu order. A line without a page is an address that does not exist yet: menu and guard ignore it until
 * it has one.
 */
export const ROUTES: readonly RouteLine[] = [
  {
    path: '/dashboard',
    title: 'Mein Forstbetrieb',
    roles: ['ogf_standard', 'apus_admin', 'ogf_init', 'appuser', 'appuser_admin'],
    icon: 'tree',
    affix: true,
    page: async () => (await import('./pages/DashboardPage.tsx')).DashboardPage,
  },
  {
    path: '/kunden/index',
    title: 'Kunden',
    roles: ['ogf_admin'],
    icon: 'people',
    page: async () => (await import('../features/kunde/KundenPage.tsx')).KundenPage,
  },
  {
    path: '/kunden/$id',
    title: 'Kunde',
    roles: ['ogf_admin'],
    hidden: true,
    activeMenu: '/kunden/index',
    page: async () => (await import('../features/kunde/KundePage.tsx')).KundePage,
  },
  {
    path: '/kunden/$id/forstbetrieb/$detailid',
    title: 'Forstbetrieb',
    roles: ['ogf_admin'],
    hidden: true,
    activeMenu: '/kunden/index',
    parent: '/kunden/$id',
    page: async () => (await import('../features/forstbetrieb/ForstbetriebPage.tsx')).ForstbetriebPage,
  },
  {
    path: '/kunden/import',
    title: 'Kunden importieren',
    roles: ['ogf_admin'],
    hidden: true,
    activeMenu: '/kunden/index',
    noCache: true,
    page: async () => (await import('../features/import/ImportPage.tsx')).ImportPage,
  },
  {
    path: '/kunde/index',
    title: 'Kundenstammdaten',
    roles: ['kundenadmin'],
    icon: 'card',
    page: async () => (await import('../features/kunde/OwnKundenPage.tsx')).OwnKundenPage,
  },
  {
    path: '/kunde/$id/forstbetrieb/$detailid',
    title: 'Forstbetrieb',
    roles: ['kundenadmin'],
    hidden: true,
    activeMenu: '/kunde/index',
    page: async () => (await import('../features/forstbetrieb/ForstbetriebPage.tsx')).ForstbetriebPage,
  },
  {
    path: '/karten/index',
    title: 'Karten',
    roles: KARTEN,
    icon: 'map',
    page: async () => (await import('../features/karte/KartenPage.tsx')).KartenPage,
  },
  {
    path: '/karten/$id',
    title: 'Karte',
    roles: KARTEN,
    hidden: true,
    activeMenu: '/karten/index',
    page: async () => (await import('../features/karte/KartePage.tsx')).KartePage,
  },
  {
    path: '/karten/$id/georef',
    title: 'Georeferenzierung',
    roles: ['apus_team', 'apus_admin'],
    hidden: true,
    activeMenu: '/karten/index',
    parent: '/karten/$id',
    page: async () => (await import('../features/georef/GeorefPage.tsx')).GeorefPage,
  },
  {
    path: '/kataster/index',
    title: 'Kataster',
    roles: KARTEN,
    icon: 'layers',
    page: async () => (await import('../features/kataster/KatasterPage.tsx')).KatasterPage,
  },
  {
    path: '/kataster/import',
    title: 'Kataster importieren',
    roles: ['apus_team', 'apus_admin'],
    hidden: true,
    activeMenu: '/kataster/index',
    noCache: true,
    page: async () => (await import('../features/kataster/KatasterImportPage.tsx')).KatasterImportPage,
  },
  {
    path: '/forstbetriebe/index',
    title: 'Forstbetriebe',
    roles: ['ogf_admin', 'multiple_fb', 'ogf_team', 'inactive_fb', 'ogf_fb_admin'],
    icon: 'building',
    page: async () => (await import('../features/forstbetrieb/ForstbetriebePage.tsx')).ForstbetriebePage,
  },
  {
    path: '/forstbetriebe/$detailid',
    title: 'Forstbetrieb',
    roles: ['ogf_admin', 'ogf_fb_admin'],
    hidden: true,
    activeMenu: '/forstbetriebe/index',
    noCache: true,
    page: async () => (await import('../features/forstbetrieb/ForstbetriebPage.tsx')).ForstbetriebPage,
  },
  {
    path: '/habitatbaeume/index',
    title: 'Habitatbäume',
    roles: HABITAT,
    icon: 'leaf',
    page: async () => (await import('../features/habitat/HabitatPage.tsx')).HabitatPage,
  },
  {
    path: '/habitatbaeume/$id',
    title: 'Habitatbaum',
    roles: HABITAT,
    hidden: true,
    activeMenu: '/habitatbaeume/index',
    page: async () => (await import('../features/habitat/TreePage.tsx')).TreePage,
  },
  {
    path: '/habitatbaeume/import',
    title: 'Habitatbäume importieren',
    roles: ['ogf_standard', 'ogf_fb_admin', 'ogf_admin'],
    hidden: true,
    activeMenu: '/habitatbaeume/index',
    noCache: true,
    page: async () => (await import('../features/habitat/HabitatImportPage.tsx')).HabitatImportPage,
  },
  {
    path: '/kawm/index',
    title: 'KAWM',
    roles: HABITAT,
    icon: 'shield',
    page: async () => (await import('../features/kawm/KawmPage.tsx')).KawmPage,
  },
  {
    path: '/waldbestand/index',
    title: 'Waldbestand',
    roles: HABITAT,
    icon: 'forest',
    page: async () => (await import('../features/waldbestand/WaldbestandPage.tsx')).WaldbestandPage,
  },
  {
    path: '/waldbestand/import',
    title: 'Forsteinrichtung importieren',
    roles: ['ogf_admin'],
    hidden: true,
    activeMenu: '/waldbestand/index',
    noCache: true,
    page: async () => (await import('../features/waldbestand/BestandImportPage.tsx')).BestandImportPage,
  },
  {
    path: '/feld',
    title: 'Feldmodus',
    roles: FIELDWORK,
    icon: 'mobile',
    noCache: true,
    breadcrumb: false,
    whole: true,
    page: fieldwork,
  },
  // The field mode's trees, form and queue; one of these addresses contains a tree's kennung.
  {
    path: '/feld/$',
    title: 'Feldmodus',
    roles: FIELDWORK,
    hidden: true,
    activeMenu: '/feld',
    noCache: true,
    breadcrumb: false,
    whole: true,
    page: fieldwork,
  },
  {
    path: '/account/index',
    title: 'Stammdaten',
    roles: ['appuser_admin'],
    icon: 'card',
    page: async () => (await import('../features/account/MasterDataPage.tsx')).MasterDataPage,
  },
  {
    path: '/members/index',
    title: 'Nutzer',
    roles: ['appuser_admin'],
    icon: 'people',
    page: async () => (await import('../features/account/MembersPage.tsx')).MembersPage,
  },
  {
    path: '/nutzer/index',
    title: 'Nutzer',
    roles: ['ogf_admin'],
    icon: 'person',
    page: async () => (await import('../features/nutzer/NutzerPage.tsx')).NutzerPage,
  },
  {
    path: '/nutzer/$user_id',
    title: 'Nutzerdetails',
    roles: ['ogf_admin'],
    hidden: true,
    activeMenu: '/nutzer/index',
    page: async () => (await import('./pages/NutzerDetailsPage.tsx')).NutzerDetailsPage,
  },
  {
    path: '/dokumente/index',
    title: 'Dokumente',
    roles: ['kundenadmin', 'appuser_admin'],
    icon: 'file',
    page: async () => (await import('../features/documents/DocumentsPage.tsx')).DocumentsPage,
  },
  {
    path: '/dokumente/rechnung/$id',
    title: 'Rechnung',
    roles: ['kundenadmin', 'appuser_admin'],
    hidden: true,
    activeMenu: '/dokumente/index',
    page: async () => (await import('../features/documents/DocumentPage.tsx')).RechnungPage,
  },
  {
    path: '/dokumente/angebot/$id',
    title: 'Angebot',
    roles: ['kundenadmin', 'appuser_admin'],
    hidden: true,
    activeMenu: '/dokumente/index',
    page: async () => (await import('../features/documents/DocumentPage.tsx')).AngebotPage,
  },
  {
    path: '/gutschein/index',
    title: 'Gutscheine',
    roles: ['ogf_admin'],
    icon: 'ticket',
    page: async () => (await import('../features/gutschein/GutscheinPage.tsx')).GutscheinPage,
  },
  {
    path: '/finanzen/index',
    title: 'Finanzen',
    roles: ['ogf_admin'],
    icon: 'chart',
    page: async () => (await import('../features/finances/FinancesPage.tsx')).FinancesPage,
  },
  {
    path: '/member-management',
    title: 'Benutzerverwaltung',
    roles: ['apus_admin', 'apus_team'],
    icon: 'people',
    // apus_team sees only one of its entries, but the group keeps its name.
    alwaysShow: true,
    children: [
      {
        path: '/member-management/client',
        title: 'Kunden',
        roles: ['apus_admin', 'apus_team'],
        icon: 'people',
        page: async () => (await import('../features/members/KundenPage.tsx')).KundenPage,
      },
      {
        path: '/member-management/users',
        title: 'Nutzer',
        roles: ['apus_admin'],
        icon: 'person',
        page: async () => (await import('../features/members/NutzerListPage.tsx')).NutzerListPage,
      },
      // Two variants at the same address: the page chooses by role.
      {
        path: '/member-management/client/$id',
        title: 'Kunde',
        roles: ['apus_admin', 'apus_team'],
        hidden: true,
        activeMenu: '/member-management/client',
        page: async () => (await import('./pages/KundeWithBillingPage.tsx')).KundeWithBillingPage,
      },
      {
        path: '/member-management/users/$user_id',
        title: 'Nutzerdetails',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/member-management/users',
        page: async () => (await import('../features/members/NutzerPage.tsx')).NutzerPage,
      },
      {
        path: '/member-management/client/update/$update_id',
        title: 'Kunde bearbeiten',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/member-management/client',
        page: async () => (await import('../features/members/EditKundePage.tsx')).EditKundePage,
      },
    ],
  },
  {
    path: '/buchhaltung',
    title: 'Buchhaltung',
    roles: ['apus_admin'],
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
        roles: ['apus_admin'],
        icon: 'euro',
        page: beleg('rechnungen'),
      },
      {
        path: '/buchhaltung/rechnungen/rechnung/$id',
        title: 'Rechnung',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/buchhaltung/rechnungen',
        page: beleg('rechnung/$'),
      },
      {
        path: '/buchhaltung/rechnungen/rechnung/new/$new_id',
        title: 'Neue Rechnung',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/buchhaltung/rechnungen',
        page: beleg('rechnung/new/'),
      },
      {
        path: '/buchhaltung/rechnungen/rechnung/update/$update_id',
        title: 'Rechnung bearbeiten',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/buchhaltung/rechnungen',
        page: beleg('rechnung/update/'),
      },
      {
        path: '/buchhaltung/angebote',
        title: 'Angebote',
        roles: ['apus_admin'],
        icon: 'file',
        page: beleg('angebote'),
      },
      {
        path: '/buchhaltung/angebote/angebot/$id',
        title: 'Angebot',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/buchhaltung/angebote',
        page: beleg('angebot/$'),
      },
      {
        path: '/buchhaltung/angebote/angebot/new/$new_id',
        title: 'Neues Angebot',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/buchhaltung/angebote',
        page: beleg('angebot/new/'),
      },
      {
        path: '/buchhaltung/angebote/angebot/update/$update_id',
        title: 'Angebot bearbeiten',
        roles: ['apus_admin'],
        hidden: true,
        activeMenu: '/buchhaltung/angebote',
        page: beleg('angebot/update/'),
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
        path: '/buchhaltung/prognosen',
        title: 'Prognosen',
        roles: ['apus_admin'],
        icon: 'chart',
        page: beleg('prognosen'),
      },
      {
        path: '/buchhaltung/pruefung',
        title: 'DATEV und Prüfung',
        roles: ['apus_admin'],
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
  },
  {
    path: '/verwaltung',
    title: 'Verwaltung',
    roles: ['ogf_admin', 'apus_admin'],
    icon: 'server',
    children: [
      {
        path: '/verwaltung/betrieb',
        title: 'Betrieb',
        roles: ['ogf_admin', 'apus_admin'],
        icon: 'server',
        page: async () => (await import('./pages/BetriebPage.tsx')).BetriebPage,
      },
      {
        path: '/verwaltung/datenschutz',
        title: 'Datenschutz',
        roles: ['ogf_admin', 'apus_admin'],
        icon: 'shield',
        page: async () => (await import('../features/privacy/PrivacyPage.tsx')).PrivacyPage,
      },
    ],
  },
  {
    path: '/abkuerzungen/index',
    title: 'Abkürzungen',
    roles: ['appuser', 'apus_admin'],
    icon: 'book',
    page: async () => (await import('../features/abkuerzung/AbkuerzungenPage.tsx')).AbkuerzungenPage,
  },
  {
    path: '/abo/index',
    title: 'Abo',
    roles: ['ogf_standard'],
    icon: 'ticket',
    hidden: true,
    page: async () => (await import('../features/abo/AboPage.tsx')).AboPage,
  },
  {
    path: '/na/index',
    title: 'Abo',
    roles: ['ogf_standard'],
    icon: 'ticket',
    hidden: true,
    page: async () => (await import('../features/abo/AboStartPage.tsx')).AboStartPage,
  },
  {
    path: '/profile/index',
    title: 'Profil',
    roles: EVERYONE_BUT_NEW,
    icon: 'person',
    hidden: true,
    noCache: true,
    page: async () => (await import('./pages/ProfilePage.tsx')).ProfilePage,
  },
  {
    path: '/login',
    title: 'Anmelden',
    open: true,
    hidden: true,
    breadcrumb: false,
    page: async () => (await import('./pages/LoginPage.tsx')).LoginPage,
  },
  {
    path: '/landing',
    title: 'Willkommen',
    open: true,
    hidden: true,
    noCache: true,
    breadcrumb: false,
    page: async () => (await import('./pages/LandingPage.tsx')).LandingPage,
  },
  {
    path: '/annahme',
    title: 'Ihr Angebot',
    open: true,
    hidden: true,
    noCache: true,
    breadcrumb: false,
    page: async () => (await import('./pages/AcceptancePage.tsx')).AcceptancePage,
  },
  { path: '/auth-redirect', title: 'Anmelden', open: true, hidden: true, breadcrumb: false },
  {
    path: '/401',
    title: 'Kein Zugriff',
    open: true,
    hidden: true,
    noCache: true,
    page: async () => (await import('./pages/ErrorPages.tsx')).ForbiddenPage,
  },
  {
    path: '/404',
    title: 'Nicht gefunden',
    open: true,
    hidden: true,
    noCache: true,
    page: async () => (await import('./pages/ErrorPages.tsx')).UnknownPage,
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
  const group = ROUTES.find((line) => line.children && line.path === clean)
  const pages = group ? flatten(group.children) : []
  if (pages.length > 0) return pages.find((line) => !line.hidden && isPermitted(line, roles))?.path ?? null
  return routeOf(`${clean}/index`)?.path
}

const DASHBOARD = '/dashboard'
/** Customers of the drainage side have the dashboard too, but come for their maps. */
const STARTS_AT_DASHBOARD = ['ogf_standard', 'apus_admin', 'ogf_init', 'admin']

/**
 * Start page of the roles: the dashboard if it is their home, else their first menu entry, else anything they
 * may open. Never `/`, so that there are no redirect loops.
 */
export function homeOf(roles: readonly Role[]): string {
  const first = roles.some((role) => STARTS_AT_DASHBOARD.includes(role))
  const permitted = ADDRESSES.filter(
    (line) => !line.open && !line.path.includes('$') && isPermitted(line, roles),
  )
  const home = permitted.find((line) => !line.hidden && (line.path === DASHBOARD) === first) ?? permitted[0]
  return home?.path ?? '/401'
}

export const TABLE: RouteTable = { lines: ROUTES, addresses: ADDRESSES, routeOf, homeOf }
