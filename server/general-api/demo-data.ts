// Made-up records for the template's demo endpoints: the same at every start, so that a screen shown twice
// looks the same.

/**
 * A small generator of evenly distributed numbers from 0 to below 1 (mulberry32); a real random source would
 * change the demo at every start.
 */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const next = numbersFrom(20_000)
const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
const one = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T
const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const FIRST_NAMES = (
  'Anna Bernd Clara David Elena Frank Greta Hannes Ines Jonas Karin Lukas Maria Nils Olga Peter ' +
  'Rita Simon Tanja Uwe'
).split(' ')
const LAST_NAMES = 'Ahorn Birke Eiche Erle Esche Fichte Kiefer Linde Tanne Ulme'.split(' ')
const fullName = (): string => `${one(FIRST_NAMES)} ${one(LAST_NAMES)}`
const day = (from: string, days: number): number =>
  Date.parse(from) + Math.floor(next() * days * 86_400) * 1000
const hex = (length: number): string => several(length, () => between(0, 15).toString(16)).join('')

/** Drawn once, so it is the same for every role that is added. */
export const NEW_ROLE_KEY = between(300, 5000)

export const USERS: Record<
  string,
  { token: string; roles: string[]; introduction: string; avatar: string; name: string }
> = {
  admin: {
    token: 'admin-token',
    roles: ['admin'],
    introduction: 'I am a super administrator',
    avatar: '',
    name: 'Super Admin',
  },
  editor: {
    token: 'editor-token',
    roles: ['editor'],
    introduction: 'I am an editor',
    avatar: '',
    name: 'Normal Editor',
  },
}

export const NAMES = [...several(100, () => ({ name: one(FIRST_NAMES) })), { name: 'mock-Pan' }]

export const TRANSACTIONS = several(20, () => ({
  order_no: [hex(8), hex(4), hex(4), hex(4), hex(12)].join('-'),
  timestamp: day('2026-01-01', 300),
  username: fullName(),
  price: between(100_000, 1_500_000) / 100,
  status: one(['success', 'pending']),
}))

export const ARTICLES = several(100, (index) => ({
  id: index + 1,
  timestamp: day('2026-01-01', 300),
  author: one(FIRST_NAMES),
  reviewer: one(FIRST_NAMES),
  title: `${one(['Durchforstung', 'Pflanzung', 'Wegebau', 'Inventur', 'Dränage'])} ${one(LAST_NAMES)} ${index + 1}`,
  content_short: 'mock data',
  content: 'Beispieltext der Vorlage.',
  forecast: between(0, 10_000) / 100,
  importance: between(1, 3),
  type: one(['CN', 'US', 'JP', 'EU']),
  status: one(['published', 'draft']),
  display_time: new Date(day('2026-01-01', 300)).toISOString(),
  comment_disabled: true,
  pageviews: between(300, 5000),
  image_uri: '',
  platforms: ['a-platform'],
}))

export const PAGE_VIEWS = ['PC', 'mobile', 'ios', 'android'].map((key) => ({ key, pv: 1024 }))

const page = (path: string, name: string, title: string) => ({
  path,
  component: `views/${path}/index`,
  name,
  meta: { title },
})
export const ROUTES = [
  {
    path: '/redirect',
    component: 'layout/Layout',
    hidden: true,
    children: [{ path: '/redirect/:path*', component: 'views/redirect/index' }],
  },
  { path: '/login', component: 'views/login/index', hidden: true },
  { path: '/404', component: 'views/error-page/404', hidden: true },
  { path: '/401', component: 'views/error-page/401', hidden: true },
  {
    path: '',
    component: 'layout/Layout',
    redirect: 'dashboard',
    children: [page('dashboard', 'Dashboard', 'Dashboard')],
  },
  {
    path: '/permission',
    component: 'layout/Layout',
    redirect: '/permission/index',
    alwaysShow: true,
    meta: { title: 'Permission', roles: ['admin', 'editor'] },
    children: [
      page('page', 'PagePermission', 'Page Permission'),
      page('role', 'RolePermission', 'Role Permission'),
    ],
  },
  { path: '*', redirect: '/404', hidden: true },
]
export const ROLES = [
  {
    key: 'admin',
    name: 'admin',
    description: 'Super Administrator. Have access to view all pages.',
    routes: ROUTES,
  },
  {
    key: 'editor',
    name: 'editor',
    description: 'Normal Editor. Can see all pages except permission page',
    routes: ROUTES.filter((route) => route.path !== '/permission'),
  },
  {
    key: 'visitor',
    name: 'visitor',
    description: 'Just a visitor. Can only see the home page and the document page',
    routes: ROUTES.filter((route) => route.path === ''),
  },
]
