import { describe, expect, test } from 'vitest'
import { crumbsOf } from './breadcrumb.ts'
import { activeMenuOf, menuOf } from './menu.ts'
import { type RouteLine, ROUTES } from './routes.ts'

const page: NonNullable<RouteLine['page']> = async () => () => null
const line = (path: string, more: Partial<RouteLine> = {}): RouteLine => ({ path, title: path, page, ...more })
const group = (path: string, children: readonly RouteLine[], more: Partial<RouteLine> = {}): RouteLine => ({
  path,
  title: path,
  children,
  ...more,
})
const paths = (lines: readonly RouteLine[], roles: readonly string[] = ['ogf_admin']) => menuOf(lines, roles).map(({ path }) => path)

describe('menu', () => {
  test('hidden lines drop out with all below them', () =>
    expect(paths([group('/a', [line('/a/b')], { hidden: true }), line('/c', { hidden: true }), line('/d')])).toEqual(['/d']))
  test('a group with one visible entry becomes that entry, with the icon of the group where it has none', () => {
    const menu = menuOf([group('/a', [line('/a/b'), line('/a/c', { hidden: true })], { icon: 'server' })], ['ogf_admin'])
    expect(menu).toMatchObject([{ path: '/a/b', icon: 'server', children: [] }])
  })
  test('alwaysShow keeps the heading', () =>
    expect(menuOf([group('/a', [line('/a/b')], { alwaysShow: true })], [])).toMatchObject([{ path: '/a', children: [{ path: '/a/b' }] }]))
  test('one entry that is a group itself stays inside its group', () =>
    expect(menuOf([group('/a', [group('/a/b', [line('/a/b/c'), line('/a/b/d')])])], [])).toMatchObject([
      { path: '/a', children: [{ path: '/a/b' }] },
    ]))
  test('a group whose entries are all forbidden is left out', () =>
    expect(paths([group('/a', [line('/a/b', { roles: ['apus_admin'] })])])).toEqual([]))
  test('a forbidden group hides what it holds', () => expect(paths([group('/a', [line('/a/b')], { roles: ['apus_admin'] })])).toEqual([]))
  test('only these beginnings are external', () => {
    const external = (path: string) => menuOf([line(path)], [])[0]?.external
    for (const path of ['https://x.example', 'http://x.example', 'mailto:a@b.example', 'tel:+4930']) expect(external(path), path).toBe(true)
    for (const path of ['//x.example', 'ftp://x.example', '/https://x']) expect(external(path), path).toBe(false)
  })
  test('what each role sees', () => {
    expect(paths(ROUTES, ['ogf_admin'])).toEqual(['/kunden/index', '/verwaltung/betrieb'])
    expect(paths(ROUTES, ['apus_admin'])).toEqual(['/dashboard', '/verwaltung/betrieb'])
    expect(paths(ROUTES, ['kundenadmin'])).toEqual(['/kunde/index'])
    expect(paths(ROUTES, ['ogf_init'])).toEqual(['/dashboard'])
    expect(paths(ROUTES, ['admin'])).toEqual(['/dashboard', '/kunden/index', '/kunde/index', '/verwaltung/betrieb'])
  })
  test('hidden pages mark the entry they belong to', () => {
    expect(activeMenuOf('/kunden/17')).toBe('/kunden/index')
    expect(activeMenuOf('/kunden/import')).toBe('/kunden/index')
    expect(activeMenuOf('/dashboard')).toBe('/dashboard')
  })
})

describe('breadcrumb', () => {
  test('the record in place of the route, its list before it, home first', () =>
    expect(crumbsOf('/kunden/17', ['ogf_admin'], 'Muster Wald GmbH')).toEqual([
      { title: 'Mein Forstbetrieb', href: '/kunden/index' },
      { title: 'Kunden', href: '/kunden/index' },
      { title: 'Muster Wald GmbH' },
    ]))
  test('no second home on the dashboard', () =>
    expect(crumbsOf('/dashboard', ['ogf_standard'], null)).toEqual([{ title: 'Mein Forstbetrieb' }]))
  test('lines with breadcrumb false are no part of it', () =>
    expect(crumbsOf('/login', ['ogf_standard'], null)).toEqual([{ title: 'Mein Forstbetrieb', href: '/dashboard' }]))
})
