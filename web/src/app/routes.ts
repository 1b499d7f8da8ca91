// The one table of routes. Guard, menu, breadcrumb and window title all read it; a new page is one line here.
import type { ComponentType } from 'react'
import { hasOneOf, ROLLEN } from '#domain/rollen.ts'
import type { IconName } from '../ui/Icon.tsx'

export interface RouteLine {
  /** `$id` stands for digits, a last `$` for the rest of the path. */
  readonly path: string
  readonly title: string
  /** Who may open it; left out: everybody who is signed in. */
  readonly roles?: readonly string[]
  readonly icon?: IconName
  /** Not in the menu. */
  readonly hidden?: boolean
  /** A group that keeps its heading even with one entry. */
  readonly alwaysShow?: boolean
  /** The menu entry that is marked while this hidden page is open; also its parent in the breadcrumb. */
  readonly activeMenu?: string
  /** Never kept alive in the background. */
  readonly noCache?: boolean
  /** Pinned tab. */
  readonly affix?: boolean
  /** False: no part of the breadcrumb. */
  readonly breadcrumb?: boolean
  /** Shown without sign-in. */
  readonly open?: boolean
  /** Left out for groups, which only hold others. */
  readonly page?: () => Promise<ComponentType>
  readonly children?: readonly RouteLine[]
}

const EVERYONE_BUT_NEW = ROLLEN.filter((role) => role !== 'ogf_init')

export const ROUTES: readonly RouteLine[] = [
  {
    path: '/dashboard',
    title: 'Mein Forstbetrieb',
    roles: ['ogf_standard', 'apus_admin', 'ogf_init'],
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
    page: async () => (await import('../features/kunde/EigeneKundenPage.tsx')).EigeneKundenPage,
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
    ],
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

/** The same without groups: every line that is an address. */
export function flatten(lines: readonly RouteLine[] = ROUTES): RouteLine[] {
  return lines.flatMap((line) => (line.children ? [...(line.page ? [line] : []), ...flatten(line.children)] : [line]))
}
export const ADDRESSES: readonly RouteLine[] = flatten()

export const isDigits = (text: string): boolean => /^\d{1,18}$/.test(text)

function matches(pattern: string, path: string): boolean {
  if (pattern.endsWith('/$')) return path.startsWith(pattern.slice(0, -1))
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => (part.startsWith('$') ? isDigits(given[at]!) : part === given[at]))
}
/** The line of an address. A slash at the end makes no difference. */
export function routeOf(path: string): RouteLine | undefined {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path
  return ADDRESSES.find((line) => !line.path.includes('$') && line.path === clean) ?? ADDRESSES.find((line) => matches(line.path, clean))
}

export const isPermitted = (line: RouteLine, roles: readonly string[]): boolean => !line.roles || hasOneOf(roles, line.roles)

const DASHBOARD = '/dashboard'

/** Where a role starts: the dashboard where it may, else its first menu entry, else anything it may open. Never `/`, so there is no way round in circles. */
export function homeOf(roles: readonly string[]): string {
  const permitted = ADDRESSES.filter((line) => !line.open && !line.path.includes('$') && isPermitted(line, roles))
  const home = permitted.find((line) => line.path === DASHBOARD) ?? permitted.find((line) => !line.hidden) ?? permitted[0]
  return home?.path ?? '/401'
}
