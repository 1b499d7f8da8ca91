import type { Role } from '#domain/roles.ts'
import { describe, expect, test } from 'vitest'
import { crumbsOf } from './breadcrumb.ts'
import { groupsAround, type MenuEntry, menuOf } from './menu.ts'
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
  test('one entry that is a group itself stays inside its group', () =>
    expect(menuOf([group('/a', [group('/a/b', [line('/a/b/c'), line('/a/b/d')])])], [])).toMatchObject([
      { path: '/a', children: [{ path: '/a/b' }] },
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
  test('what each role sees, in this order, as far as the screens are there', () => {
    const there = (...wanted: string[]) =>
      wanted.filter(
        (path) =>
          routeOf(path) ?? ROUTES.some((one) => one.path === path && menuOf([one], ['admin']).length > 0),
      )
    const FOREST = ['/forstbetriebe/index', '/habitatbaeume/index', '/kawm/index', '/waldbestand/index']
    const MAPS = ['/karten/index', '/kataster/index']
    expect(paths(ROUTES, ['ogf_init'])).toEqual(['/dashboard'])
    expect(paths(ROUTES, ['ogf_standard'])).toEqual(
      there('/dashboard', '/habitatbaeume/index', '/kawm/index', '/waldbestand/index', '/feld'),
    )
    expect(paths(ROUTES, ['kundenadmin'])).toEqual(
      there('/kunde/index', '/habitatbaeume/index', '/kawm/index', '/waldbestand/index', '/dokumente/index'),
    )
    expect(paths(ROUTES, ['ogf_team'])).toEqual(there(...FOREST))
    expect(paths(ROUTES, ['appuser'])).toEqual(there('/dashboard', ...MAPS, '/abkuerzungen/index'))
    expect(paths(ROUTES, ['appuser_admin'])).toEqual(
      there('/dashboard', ...MAPS, '/account/index', '/members/index', '/dokumente/index'),
    )
    expect(paths(ROUTES, ['apus_team'])).toEqual(there(...MAPS, '/member-management'))
    expect(paths(ROUTES, ['multiple_fb'])).toEqual(there('/forstbetriebe/index'))
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
  test('from the outside in', () => expect(groupsAround(menu, '/a/b/d')).toEqual(['/a', '/a/b']))
  test('none around a top entry', () => expect(groupsAround(menu, '/x')).toEqual([]))
  test('unknown entries lie nowhere', () => expect(groupsAround(menu, '/y')).toBeUndefined())
})

test('every hidden page marks an entry that stands in the menu of those who may open it', () => {
  const inMenu = (role: Role) => {
    const pathsOf = (entries: readonly MenuEntry[]): string[] =>
      entries.flatMap((entry) => [entry.path, ...pathsOf(entry.children)])
    return pathsOf(menuOf(ROUTES, [role]))
  }
  for (const { hidden, open, path, activeMenu, roles } of ADDRESSES.filter(
    (one) => one.hidden && !one.open,
  )) {
    expect([hidden, open]).toEqual([true, undefined])
    // Linked from the user menu and the subscription page, not from the menu.
    if (['/profile/index', '/abo/index', '/na/index'].includes(path)) continue
    for (const role of roles ?? []) expect(inMenu(role), `${path} as ${role}`).toContain(activeMenu)
  }
})

describe('breadcrumb', () => {
  const NAMES = { '/kunden/17': 'Muster Wald GmbH' }
  const HOME = { title: 'Mein Forstbetrieb', href: '/kunden/index' }
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
  test('lines with breadcrumb false are no part of it', () =>
    expect(crumbsOf('/login', ['ogf_standard'], {})).toEqual([
      { title: 'Mein Forstbetrieb', href: '/dashboard' },
    ]))
  test('a group is named and is no link', () =>
    expect(crumbsOf('/verwaltung/betrieb', ['ogf_admin'], {})).toEqual([
      HOME,
      { title: 'Verwaltung' },
      { title: 'Betrieb' },
    ]))
  test('pages lie below pages, with the ids of the page filled in', () => {
    if (!routeOf('/kunden/17/forstbetrieb/4')) return
    expect(crumbsOf('/kunden/17/forstbetrieb/4', ['ogf_admin'], NAMES)).toEqual([
      HOME,
      { title: 'Kunden', href: '/kunden/index' },
      { title: 'Muster Wald GmbH', named: true, href: '/kunden/17' },
      { title: 'Forstbetrieb' },
    ])
  })
  test('above the page of a group stands the group', () => {
    if (!routeOf('/member-management/client/5')) return
    expect(crumbsOf('/member-management/client/5', ['apus_team'], {}).slice(1)).toEqual([
      { title: 'Benutzerverwaltung' },
      { title: 'Kunden', href: '/member-management/client' },
      { title: 'Kunde' },
    ])
  })
})
