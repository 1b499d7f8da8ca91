// Tests the tabs' state machine, row by row of its description: showing the bar, visiting, closing,
// refreshing, renaming.
import { describe, expect, test } from 'vitest'
import {
  close,
  closeAll,
  closeOthers,
  drop,
  MOST_KEPT,
  NO_TABS,
  pin,
  refresh,
  rename,
  retain,
  type TabsState,
  type Visit,
  visit,
} from './tabs.ts'

const page = (path: string, more: Partial<Visit> = {}): Visit => ({
  path,
  href: path,
  title: path,
  named: true,
  noCache: false,
  ...more,
})
const DASHBOARD = { path: '/dashboard', href: '/dashboard', title: 'Mein Forstbetrieb' }
const PINNED = [DASHBOARD, { path: '/b', href: '/b', title: 'B' }]
const visiting = (start: TabsState, ...paths: string[]): TabsState =>
  paths.reduce((state, path) => visit(state, page(path)), start)
const paths = (state: TabsState) => state.visited.map(({ path }) => path)
/** Dashboard pinned, three pages open, the last one visible. */
const OPEN = visiting(pin(NO_TABS, [DASHBOARD]), '/kunden/1', '/kunden/2', '/kunden/3')
const HOME = '/dashboard'

describe('the bar appears', () => {
  test('pinned tabs stand first, in the order of the table, and are not kept before their first visit', () => {
    const state = visiting(pin(NO_TABS, PINNED), '/x')
    expect(paths(state)).toEqual(['/dashboard', '/b', '/x'])
    expect(state.cached).toEqual(['/x'])
    expect(state.visited.map(({ pinned }) => pinned)).toEqual([true, true, false])
  })
  test('a pinned page that is open already keeps its one tab, and appearing again changes nothing', () => {
    const state = pin(NO_TABS, PINNED)
    expect(pin(state, PINNED)).toBe(state)
    expect(paths(visiting(state, '/b'))).toEqual(['/dashboard', '/b'])
    expect(visiting(state, '/b').visited[1]?.pinned).toBe(true)
  })
})

describe('another page', () => {
  test('gets a tab at the end and is kept', () => {
    expect(paths(OPEN)).toEqual(['/dashboard', '/kunden/1', '/kunden/2', '/kunden/3'])
    expect(OPEN.cached).toEqual(['/kunden/1', '/kunden/2', '/kunden/3'])
    expect(OPEN.active).toBe('/kunden/3')
  })
  test('that has a tab gets no second one; the bar keeps its order', () => {
    const state = visiting(OPEN, '/kunden/1')
    expect(paths(state)).toEqual(paths(OPEN))
    expect(state.active).toBe('/kunden/1')
    expect(state.cached).toEqual(['/kunden/2', '/kunden/3', '/kunden/1'])
  })
  test('that is not to be kept has a tab all the same', () => {
    const state = visit(OPEN, page('/profile/index', { noCache: true }))
    expect(paths(state)).toContain('/profile/index')
    expect(state.cached).toEqual(OPEN.cached)
    expect(state.active).toBe('/profile/index')
  })
  test('siblings of one route are tabs of their own', () => {
    const state = close(OPEN, '/kunden/2', HOME).state
    expect(state.cached).toEqual(['/kunden/1', '/kunden/3'])
  })
  test('the same path with another query: the stored tab leads there now, its title stays', () => {
    const named = rename(OPEN, '/kunden/3', 'Muster Wald GmbH')
    const state = visit(named, page('/kunden/3', { href: '/kunden/3?bereich=verlauf', title: 'Kunde' }))
    expect(state.visited).toHaveLength(OPEN.visited.length)
    expect(state.visited.at(-1)).toEqual({
      path: '/kunden/3',
      href: '/kunden/3?bereich=verlauf',
      title: 'Muster Wald GmbH',
      pinned: false,
    })
  })
  test('the same query again leaves the tab as it is', () =>
    expect(visit(OPEN, page('/kunden/3')).visited.at(-1)).toBe(OPEN.visited.at(-1)))
  test('an error page has no tab, and no tab is marked while it is open', () => {
    const state = visit(OPEN, page('/404', { named: false }))
    expect(state).toEqual({ ...OPEN, active: null })
    expect(visit(state, page('/401', { named: false }))).toBe(state)
  })
})

describe('what is kept has an end', () => {
  const many = Array.from({ length: MOST_KEPT + 5 }, (_, at) => `/kunden/${at}`)
  test('the views not shown for longest are given up; their tabs stay', () => {
    const state = visiting(NO_TABS, ...many)
    expect(state.cached).toEqual(many.slice(5))
    expect(paths(state)).toEqual(many)
  })
  test('going back to one counts as shown', () => {
    const state = visiting(NO_TABS, ...many.slice(0, MOST_KEPT), many[0]!, '/neu')
    expect(state.cached).toContain(many[0])
    expect(state.cached).not.toContain(many[1])
  })
  test('pinned views and unsaved work stay', () => {
    const pinned = visiting(pin(NO_TABS, [DASHBOARD]), '/dashboard')
    const state = many.reduce((before, path) => visit(before, page(path), new Set(['/kunden/1'])), pinned)
    expect(state.cached).toHaveLength(MOST_KEPT)
    expect(state.cached).toEqual(expect.arrayContaining(['/dashboard', '/kunden/1', many.at(-1)]))
    expect(state.cached).not.toContain('/kunden/0')
    expect(state.cached).not.toContain('/kunden/2')
  })
  test('with nothing else to give up there may be more', () => {
    const state = many.reduce((before, path) => visit(before, page(path), new Set(many)), NO_TABS)
    expect(state.cached).toEqual(many)
  })
})

describe('close', () => {
  test('the open tab: on to the last that remains, with its query', () => {
    const state = visit(visiting(OPEN, '/kunden/3'), page('/kunden/3', { href: '/kunden/3?x=1' }))
    const { state: after, go } = close(visiting(state, '/kunden/1'), '/kunden/1', HOME)
    expect(go).toBe('/kunden/3?x=1')
    expect(paths(after)).toEqual(['/dashboard', '/kunden/2', '/kunden/3'])
    expect(after.cached).toEqual(['/kunden/2', '/kunden/3'])
  })
  test('a tab in the background: the page stays', () => {
    const { state, go } = close(OPEN, '/kunden/1', HOME)
    expect(go).toBeUndefined()
    expect(paths(state)).toEqual(['/dashboard', '/kunden/2', '/kunden/3'])
    expect(state.active).toBe('/kunden/3')
  })
  test('pinned tabs and unknown ones do not close', () => {
    expect(close(OPEN, '/dashboard', HOME)).toEqual({ state: OPEN, go: undefined })
    expect(close(OPEN, '/nirgends', HOME)).toEqual({ state: OPEN, go: undefined })
  })
  test('none left: home', () =>
    expect(close(visiting(NO_TABS, '/kunden/1'), '/kunden/1', '/kunden/index').go).toBe('/'))
  test('none left and home was closed: it is loaded anew', () =>
    expect(close(visiting(NO_TABS, '/kunden/index'), '/kunden/index', '/kunden/index').go).toBe(
      '/redirect/kunden/index',
    ))
})

describe('close others', () => {
  test('pinned tabs and the pressed one stay; it is opened', () => {
    const { state, go } = closeOthers(OPEN, '/kunden/2')
    expect(paths(state)).toEqual(['/dashboard', '/kunden/2'])
    expect(state.cached).toEqual(['/kunden/2'])
    expect(go).toBe('/kunden/2')
  })
  test('of the open tab: no navigation', () => expect(closeOthers(OPEN, '/kunden/3').go).toBeUndefined())
  test('what was not kept is not kept afterwards either', () => {
    const state = visit(OPEN, page('/profile/index', { noCache: true }))
    expect(closeOthers(state, '/profile/index').state.cached).toEqual([])
  })
  test('pinned tabs keep what they hold', () =>
    expect(closeOthers(visiting(OPEN, '/dashboard', '/kunden/2'), '/kunden/2').state.cached).toEqual([
      '/dashboard',
      '/kunden/2',
    ]))
  test('of a tab that is gone: nothing', () =>
    expect(closeOthers(OPEN, '/nirgends')).toEqual({ state: OPEN, go: undefined }))
})

describe('close all', () => {
  test('pinned tabs stay, the last of them is opened', () => {
    const { state, go } = closeAll(visiting(pin(NO_TABS, PINNED), '/kunden/1'), HOME)
    expect(paths(state)).toEqual(['/dashboard', '/b'])
    expect(state.cached).toEqual([])
    expect(go).toBe('/b')
  })
  test('on a pinned page: it stays open, with what it holds', () => {
    const { state, go } = closeAll(visiting(OPEN, '/dashboard'), HOME)
    expect(paths(state)).toEqual(['/dashboard'])
    expect(state.cached).toEqual(['/dashboard'])
    expect(go).toBeUndefined()
  })
  test('without pinned tabs: home, or home anew', () => {
    expect(closeAll(visiting(NO_TABS, '/kunden/1'), '/kunden/index').go).toBe('/')
    expect(closeAll(visiting(NO_TABS, '/kunden/index'), '/kunden/index').go).toBe('/redirect/kunden/index')
  })
  test('on a page without a tab: it stays', () =>
    expect(closeAll(visit(OPEN, page('/404', { named: false })), HOME).go).toBeUndefined())
})

describe('refresh', () => {
  test('the view is given up, the tab stays, and /redirect leads back with the query', () => {
    const queried = visit(OPEN, page('/kunden/3', { href: '/kunden/3?bereich=verlauf' }))
    const { state, go } = refresh(queried, '/kunden/3')
    expect(go).toBe('/redirect/kunden/3?bereich=verlauf')
    expect(paths(state)).toEqual(paths(OPEN))
    expect(state.cached).toEqual(['/kunden/1', '/kunden/2'])
    expect(visit(state, page('/kunden/3')).cached).toEqual(['/kunden/1', '/kunden/2', '/kunden/3'])
  })
  test('a tab in the background is opened by it', () =>
    expect(refresh(OPEN, '/kunden/1').go).toBe('/redirect/kunden/1'))
  test('of a tab that is gone: nothing', () =>
    expect(refresh(OPEN, '/nirgends')).toEqual({ state: OPEN, go: undefined }))
  test('what is not kept is not given up', () => expect(drop(OPEN, '/dashboard')).toBe(OPEN))
})

describe('titles', () => {
  test('a page tells its record', () =>
    expect(rename(OPEN, '/kunden/2', 'Forst Süd').visited[2]?.title).toBe('Forst Süd'))
  test('the same again, or a tab that is gone, changes nothing', () => {
    const named = rename(OPEN, '/kunden/2', 'Forst Süd')
    expect(rename(named, '/kunden/2', 'Forst Süd')).toBe(named)
    expect(rename(OPEN, '/nirgends', 'x')).toBe(OPEN)
  })
})

describe('other rights', () => {
  test('forbidden tabs go with what they held, pinned ones too', () => {
    const state = retain(visiting(OPEN, '/dashboard'), (path) => path === '/kunden/2')
    expect(state).toEqual({ visited: [OPEN.visited[2]], cached: ['/kunden/2'], active: null })
  })
  test('the same rights change nothing', () => expect(retain(OPEN, () => true)).toBe(OPEN))
})
