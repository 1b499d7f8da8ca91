import { ROLES, type Role } from '#domain/roles.ts'
import { describe, expect, test } from 'vitest'
import { crumbsOf } from './breadcrumb.ts'
import { firstOf, groupsAround, type MenuEntry, menuOf, pagesIn } from './menu.ts'
import { activeMenuOf, ADDRESSES, type RouteLine, ROUTES, routeOf } from './routes.ts'

const page: NonNullable<RouteLine['page']> = async () => () => null
const line = (path: string, more: Partial<RouteLine> = {}): RouteLine => ({
  path,
  title: path,
  page,
  ...more,
})
const group = (path: string, children: readonly RouteLine[], more: Partial<RouteLine> = {}): RouteLine => ({
  path,
  title: path,
  children,
  ...more,
})
const paths = (lines: readonly RouteLine[], roles: readonly Role[] = ['ogf_admin']) =>
  menuOf(lines, roles).map(({ path }) => path)

const groupsIn = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => (entry.children.length > 0 ? [entry, ...groupsIn(entry.children)] : []))
/** Verwaltung: Betrieb, Datenschutz */
const spelled = ({ title, children }: MenuEntry): string =>
  children.length === 0 ? title : `${title}: ${children.map(spelled).join(', ')}`

describe('menu', () => {
  test('hidden lines drop out with all below them', () =>
    expect(
      paths([group('/a', [line('/a/b')], { hidden: true }), line('/c', { hidden: true }), line('/d')]),
    ).toEqual(['/d']))
  test('a group with one visible entry becomes that entry, with the icon of the group where it has none', () => {
    const menu = menuOf(
      [group('/a', [line('/a/b'), line('/a/c', { hidden: true })], { icon: 'server' })],
      ['ogf_admin'],
    )
    expect(menu).toMatchObject([{ path: '/a/b', icon: 'server', children: [] }])
  })
  test('alwaysShow keeps the heading', () =>
    expect(menuOf([group('/a', [line('/a/b')], { alwaysShow: true })], [])).toMatchObject([
      { path: '/a', children: [{ path: '/a/b' }] },
    ]))
  test('a group that holds only a group takes its entries and keeps its own name', () =>
    expect(menuOf([group('/a', [group('/a/b', [line('/a/b/c'), line('/a/b/d')])])], [])).toMatchObject([
      { path: '/a', title: '/a', children: [{ path: '/a/b/c' }, { path: '/a/b/d' }] },
    ]))
  test('a group whose entries are all forbidden is left out', () =>
    expect(paths([group('/a', [line('/a/b', { roles: ['apus_admin'] })])])).toEqual([]))
  test('a forbidden group hides what it holds', () =>
    expect(paths([group('/a', [line('/a/b')], { roles: ['apus_admin'] })])).toEqual([]))
  test('only these beginnings are external', () => {
    const external = (path: string) => menuOf([line(path)], [])[0]?.external
    for (const path of ['https://x.example', 'http://x.example', 'mailto:a@b.example', 'tel:+4930'])
      expect(external(path), path).toBe(true)
    for (const path of ['//x.example', 'ftp://x.example', '/https://x'])
      expect(external(path), path).toBe(false)
  })
  test('what each role sees, in this order', () => {
    const FOREST = 'Wald: Habitatbäume, KAWM, Waldbestand'
    const MAPS = 'Entwässerung: Karten, Kataster'
    const shown = (...roles: Role[]) => menuOf(ROUTES, roles).map(spelled)
    expect(shown('ogf_init')).toEqual(['Mein Forstbetrieb'])
    expect(shown('ogf_standard')).toEqual(['Mein Forstbetrieb', `${FOREST}, Feldmodus`, 'Abo'])
    expect(shown('kundenadmin')).toEqual([
      'Mein Forstbetrieb',
      'Kundenstammdaten',
      FOREST,
      'Dokumente',
      'Abo',
    ])
    expect(shown('ogf_team')).toEqual(['Mein Forstbetrieb', 'Forstbetriebe', FOREST])
    expect(shown('ogf_fb_admin')).toEqual([
      'Mein Forstbetrieb',
      'Forstbetriebe',
      `${FOREST}, Feldmodus`,
      'Abo',
    ])
    expect(shown('multiple_fb')).toEqual(['Mein Forstbetrieb', 'Forstbetriebe'])
    expect(shown('inactive_fb')).toEqual(['Mein Forstbetrieb', 'Forstbetriebe'])
    expect(shown('ogf_admin')).toEqual([
      'Mein Forstbetrieb',
      'Kunden: Kunden, Forstbetriebe, Nutzer',
      `${FOREST}, Feldmodus`,
      'Verwaltung: Gutscheine, Finanzen, Abo, Betrieb, Programme benachrichtigen, Datenschutz, Bausteine',
    ])
    expect(shown('appuser')).toEqual(['Mein Forstbetrieb', MAPS, 'Abkürzungen'])
    expect(shown('appuser_admin')).toEqual([
      'Mein Forstbetrieb',
      MAPS,
      'Dokumente',
      'Verwaltung: Stammdaten, Nutzer',
    ])
    expect(shown('apus_team')).toEqual(['Mein Forstbetrieb', 'Kunden', 'Feldmodus', MAPS])
    const BOOKS =
      'Buchhaltung: Übersicht, Rechnungen, Angebote, Offene Posten, Eingang, Mahnungen, Zahlungen, ' +
      'Lastschriften, Prognosen, Umsatzsteuer, DATEV und Prüfung, Einstellungen'
    expect(shown('pruefer')).toEqual([
      'Buchhaltung: Rechnungen, Angebote, Offene Posten, Eingang, Umsatzsteuer, DATEV und Prüfung',
    ])
    expect(shown('apus_admin')).toEqual([
      'Mein Forstbetrieb',
      'Kunden: Kunden, Nutzer',
      'Feldmodus',
      MAPS,
      BOOKS,
      'Verwaltung: Betrieb, Programme benachrichtigen, Datenschutz, Bausteine',
      'Abkürzungen',
    ])
    expect(shown('admin')).toEqual([
      'Mein Forstbetrieb',
      'Kunden: Kunden, Kundenstammdaten, Forstbetriebe, Nutzer, Entwässerung: Kunden, Nutzer',
      `${FOREST}, Feldmodus`,
      MAPS,
      BOOKS,
      'Dokumente',
      'Verwaltung: Stammdaten, Nutzer, Gutscheine, Finanzen, Abo, Betrieb, ' +
        'Programme benachrichtigen, Datenschutz, Bausteine',
      'Abkürzungen',
    ])
  })
  test('for every combination of roles: at most eight at the top, no title twice in a group, no page twice', () => {
    // Its one entry would stand beside another of the same title.
    const keptOpen = ['/member-management']
    for (let bits = 1; bits < 2 ** ROLES.length; bits++) {
      const roles = ROLES.filter((_role, at) => bits & (1 << at))
      const menu = menuOf(ROUTES, roles)
      const about = roles.join('+')
      if (menu.length > 8) expect.fail(`${about}: ${menu.length} entries at the top`)
      const levels = [menu, ...groupsIn(menu).map(({ children }) => children)]
      for (const titles of levels.map((level) => level.map(({ title }) => title)))
        if (new Set(titles).size < titles.length) expect.fail(`${about}: twice in ${titles.join(', ')}`)
      for (const { path, children } of groupsIn(menu))
        if (children.length < 2 && !keptOpen.includes(path)) expect.fail(`${about}: a group of one, ${path}`)
      const pages = pagesIn(menu).map(({ path }) => path)
      if (new Set(pages).size < pages.length) expect.fail(`${about}: a page twice`)
      // Pages of equal titles differ by the group that is named above them.
      const named = pages.map((path) =>
        [groupsAround(menu, path)?.at(-1)?.title, routeOf(path)?.title].join(),
      )
      if (new Set(named).size < named.length) expect.fail(`${about}: not told apart`)
    }
  })
  test('hidden pages mark the entry they belong to', () => {
    expect(activeMenuOf('/kunden/17')).toBe('/kunden/index')
    expect(activeMenuOf('/kunden/import')).toBe('/kunden/index')
    expect(activeMenuOf('/dashboard')).toBe('/dashboard')
  })
})

describe('groups around an entry', () => {
  const menu = menuOf(
    [line('/x'), group('/a', [group('/a/b', [line('/a/b/c'), line('/a/b/d')]), line('/a/e')])],
    [],
  )
  test('from the outside in', () =>
    expect(groupsAround(menu, '/a/b/d')?.map(({ path }) => path)).toEqual(['/a', '/a/b']))
  test('a group leads to its first page', () => expect(menu.map(firstOf)).toEqual(['/x', '/a/b/c']))
  test('none around a top entry', () => expect(groupsAround(menu, '/x')).toEqual([]))
  test('unknown entries lie nowhere', () => expect(groupsAround(menu, '/y')).toBeUndefined())
})

test('every hidden page marks an entry that is in the menu of those who may open it', () => {
  const inMenu = (role: Role) => pagesIn(menuOf(ROUTES, [role])).map(({ path }) => path)
  for (const { hidden, open, path, activeMenu, roles } of ADDRESSES.filter(
    (one) => one.hidden && !one.open,
  )) {
    expect([hidden, open]).toEqual([true, undefined])
    // Linked from the user menu, not from the menu.
    if (['/profile/index', '/geraet'].includes(path)) continue
    for (const role of roles ?? []) expect(inMenu(role), `${path} as ${role}`).toContain(activeMenu)
  }
})

describe('breadcrumb', () => {
  const NAMES = { '/kunden/17': 'Muster Wald GmbH' }
  const HOME = { title: 'Mein Forstbetrieb', href: '/dashboard' }
  test('the record in place of the route, its list before it, home first', () =>
    expect(crumbsOf('/kunden/17', ['ogf_admin'], NAMES)).toEqual([
      HOME,
      { title: 'Kunden', href: '/kunden/index' },
      { title: 'Muster Wald GmbH', named: true },
    ]))
  test('a name belongs to its path', () =>
    expect(crumbsOf('/kunden/18', ['ogf_admin'], NAMES).at(-1)).toEqual({ title: 'Kunde' }))
  test('no second home on the dashboard', () =>
    expect(crumbsOf('/dashboard', ['ogf_standard'], {})).toEqual([{ title: 'Mein Forstbetrieb' }]))
  test('an auditor has no start page', () =>
    expect(crumbsOf('/buchhaltung/angebote', ['pruefer'], {})).toEqual([
      { title: 'Buchhaltung', href: '/buchhaltung/rechnungen' },
      { title: 'Angebote' },
    ]))
  test('lines with breadcrumb false are no part of it', () =>
    expect(crumbsOf('/login', ['ogf_standard'], {})).toEqual([
      { title: 'Mein Forstbetrieb', href: '/dashboard' },
    ]))
  test('a group is named and leads to its first page', () =>
    expect(crumbsOf('/verwaltung/betrieb', ['ogf_admin'], {})).toEqual([
      HOME,
      { title: 'Verwaltung', href: '/gutschein/index' },
      { title: 'Betrieb' },
    ]))
  test('a group is no link on its first page, and no step of its own for those who see nothing else in it', () => {
    expect(crumbsOf('/gutschein/index', ['ogf_admin'], {}).slice(1)).toEqual([
      { title: 'Verwaltung' },
      { title: 'Gutscheine' },
    ])
    expect(crumbsOf('/kunde/index', ['kundenadmin'], {}).slice(1)).toEqual([{ title: 'Kundenstammdaten' }])
  })
  test('pages outside of the menu are in no group', () =>
    expect(crumbsOf('/profile/index', ['ogf_admin'], {})).toEqual([HOME, { title: 'Profil' }]))
  test('pages lie below pages, with the ids of the page filled in', () => {
    if (!routeOf('/kunden/17/forstbetrieb/4')) return
    expect(crumbsOf('/kunden/17/forstbetrieb/4', ['ogf_admin'], NAMES)).toEqual([
      HOME,
      { title: 'Kunden', href: '/kunden/index' },
      { title: 'Muster Wald GmbH', named: true, href: '/kunden/17' },
      { title: 'Forstbetrieb' },
    ])
  })
  test('equal titles are told apart by the groups above them', () => {
    expect(crumbsOf('/member-management/client/5', ['apus_team'], {}).slice(1)).toEqual([
      { title: 'Kunden', href: '/member-management/client' },
      { title: 'Kunde' },
    ])
    expect(crumbsOf('/member-management/users', ['admin'], {}).slice(1)).toEqual([
      { title: 'Kunden', href: '/kunden/index' },
      { title: 'Entwässerung', href: '/member-management/client' },
      { title: 'Nutzer' },
    ])
  })
})
