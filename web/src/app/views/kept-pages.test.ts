// What is rendered after each event: with tabs, without them, after switching them on and off, after a change
// of rights and after a refresh.
import type { Role } from '#domain/roles.ts'
import { describe, expect, test } from 'vitest'
import type { RouteLine } from '../routes.ts'
import {
  advance,
  NO_VIEWS,
  type RoutedPage,
  type Surroundings,
  type ViewsState,
  withTabs,
} from './kept-pages.ts'
import { close, type Tab } from './tabs.ts'

const line = (path: string, more: Partial<RouteLine> = {}): RouteLine => ({
  path,
  title: path,
  page: async () => () => null,
  ...more,
})
const SAME = {}
const page = (path: string, more: Partial<RoutedPage> = {}): RoutedPage => ({
  path,
  href: path,
  line: line(path),
  params: {},
  search: {},
  visit: SAME,
  ...more,
})
const ROLES: readonly Role[] = ['ogf_admin']
const around = (opened: RoutedPage, more: Partial<Surroundings> = {}): Surroundings => ({
  page: opened,
  refreshes: 0,
  tabsView: true,
  roles: ROLES,
  pinned: [],
  restored: () => [],
  isAllowed: (path) => !path.startsWith('/40'),
  isDirty: () => false,
  ...more,
})
const opening = (start: ViewsState, ...paths: string[]): ViewsState =>
  paths.reduce((state, path) => advance(state, around(page(path))), start)
const drawn = (state: ViewsState) => state.pages.map(({ key }) => key)
const tabs = (state: ViewsState) => state.tabs.visited.map(({ path }) => path)

test('the same surroundings, the same state', () => {
  const state = opening(NO_VIEWS, '/a')
  expect(advance(state, around(page('/a')))).toBe(state)
})

describe('with tabs', () => {
  test('pages stay in the order in which they were first opened', () => {
    const state = opening(NO_VIEWS, '/a', '/b', '/c', '/a')
    expect(drawn(state)).toEqual(['/a#0', '/b#0', '/c#0'])
    expect(state.tabs.active).toBe('/a')
  })
  test('a hidden page keeps its own address while another one is open', () => {
    const first = advance(
      NO_VIEWS,
      around(page('/k/1', { href: '/k/1?x=1', params: { id: '1' }, search: { x: '1' } })),
    )
    const then = advance(first, around(page('/k/2', { params: { id: '2' } })))
    expect(then.pages[0]).toBe(first.pages[0])
    expect(then.pages[0]).toMatchObject({ href: '/k/1?x=1', params: { id: '1' }, search: { x: '1' } })
  })
  test('another query is the same page with another address', () => {
    const state = advance(opening(NO_VIEWS, '/a'), around(page('/a', { href: '/a?x=2', search: { x: '2' } })))
    expect(drawn(state)).toEqual(['/a#0'])
    expect(state.pages[0]?.search).toEqual({ x: '2' })
    expect(state.tabs.visited[0]?.href).toBe('/a?x=2')
  })
  test('a page that is not to be kept is drawn only while it is open', () => {
    const there = advance(
      opening(NO_VIEWS, '/a'),
      around(page('/p', { line: line('/p', { noCache: true }) })),
    )
    expect(drawn(there)).toEqual(['/a#0', '/p#0'])
    expect(drawn(opening(there, '/a'))).toEqual(['/a#0'])
    expect(tabs(there)).toEqual(['/a', '/p'])
  })
  test('error pages are drawn, have no tab and are not kept', () => {
    const there = advance(
      opening(NO_VIEWS, '/a'),
      around(page('/404', { line: line('/404', { open: true }) })),
    )
    expect(drawn(there)).toEqual(['/a#0', '/404#0'])
    expect(tabs(there)).toEqual(['/a'])
    expect(drawn(opening(there, '/a'))).toEqual(['/a#0'])
  })
  test('closing a hidden one takes its page away; the open one stays until the next is there', () => {
    const state = opening(NO_VIEWS, '/a', '/b')
    expect(drawn(withTabs(state, close(state.tabs, '/a', '/').state))).toEqual(['/b#0'])
    const closing = withTabs(state, close(state.tabs, '/b', '/').state)
    expect(drawn(closing)).toEqual(['/a#0', '/b#0'])
    expect(advance(closing, around(page('/b')))).toBe(closing)
    expect(drawn(opening(closing, '/a'))).toEqual(['/a#0'])
  })
  test('asked to begin anew, a page has another key and is kept again', () => {
    const state = advance(opening(NO_VIEWS, '/a', '/b'), around(page('/b'), { refreshes: 1 }))
    expect(drawn(state)).toEqual(['/a#0', '/b#1'])
    expect(state.tabs.cached).toEqual(['/a', '/b'])
  })
  test('a closed home that begins anew has its tab again', () => {
    const state = opening(NO_VIEWS, '/a')
    const closed = withTabs(state, close(state.tabs, '/a', '/a').state)
    expect(tabs(closed)).toEqual([])
    const again = advance(closed, { ...around(page('/a')), refreshes: 1 })
    expect(tabs(again)).toEqual(['/a'])
    expect(drawn(again)).toEqual(['/a#1'])
  })
  test('a page that was closed and is opened again before another was drawn has its tab again', () => {
    const state = opening(NO_VIEWS, '/a', '/b')
    const closed = withTabs(state, close(state.tabs, '/b', '/').state)
    expect(tabs(closed)).toEqual(['/a'])
    const again = advance(closed, around(page('/b', { visit: {} })))
    expect(tabs(again)).toEqual(['/a', '/b'])
    expect(again.tabs.active).toBe('/b')
    expect(drawn(again)).toEqual(['/a#0', '/b#0'])
  })
  test('tabs of before come back as tabs, not as pages', () => {
    const before: readonly Tab[] = [{ path: '/x', href: '/x?q=1', title: 'Forst Süd', pinned: false }]
    const state = advance(
      NO_VIEWS,
      around(page('/a'), { restored: () => before, pinned: [{ path: '/d', href: '/d', title: null }] }),
    )
    expect(tabs(state)).toEqual(['/d', '/x', '/a'])
    expect(drawn(state)).toEqual(['/a#0'])
  })
  test('a page that was named before opens with its name', () => {
    const state = { ...opening(NO_VIEWS, '/a'), names: { '/b': 'Forst Süd' } }
    expect(opening(state, '/b').tabs.visited[1]?.title).toBe('Forst Süd')
  })
})

describe('without tabs', () => {
  const without = (opened: RoutedPage, more: Partial<Surroundings> = {}) =>
    around(opened, { tabsView: false, ...more })
  test('one page is drawn and nothing is kept', () => {
    const state = ['/a', '/b', '/c'].reduce((before, path) => advance(before, without(page(path))), NO_VIEWS)
    expect(drawn(state)).toEqual(['/c#0'])
    expect(state.tabs.visited).toEqual([])
  })
  test('switched on, the open page goes on as it is and has a tab', () => {
    const off = advance(NO_VIEWS, without(page('/a')))
    const on = advance(off, around(page('/a')))
    expect(on.pages[0]).toBe(off.pages[0])
    expect(tabs(on)).toEqual(['/a'])
    expect(on.tabs.cached).toEqual(['/a'])
  })
  test('switched off, hidden pages go, except those with unsaved work, until it is saved', () => {
    const on = opening(NO_VIEWS, '/a', '/b', '/c')
    const off = advance(on, without(page('/c'), { isDirty: (path) => path === '/a' }))
    expect(drawn(off)).toEqual(['/a#0', '/c#0'])
    const later = advance(off, without(page('/d'), { isDirty: (path) => path === '/a' }))
    expect(drawn(later)).toEqual(['/a#0', '/d#0'])
    expect(drawn(advance(later, without(page('/e'))))).toEqual(['/e#0'])
  })
})

test('with other rights forbidden pages go, and the open one has no tab while it is on its way to /401', () => {
  const state = opening(NO_VIEWS, '/a', '/b', '/c')
  const roles: readonly Role[] = ['ogf_team']
  const after = advance(state, around(page('/c'), { roles, isAllowed: (path) => path === '/a' }))
  expect(tabs(after)).toEqual(['/a'])
  expect(drawn(after)).toEqual(['/a#0', '/c#0'])
  const refused = advance(
    after,
    around(page('/401', { line: line('/401', { open: true }) }), {
      roles,
      isAllowed: (path) => path === '/a',
    }),
  )
  expect(drawn(refused)).toEqual(['/a#0', '/401#0'])
})

test('an address without a page draws nothing', () =>
  expect(
    drawn(advance(NO_VIEWS, around(page('/', { line: undefined }), { isAllowed: () => false }))),
  ).toEqual([]))
