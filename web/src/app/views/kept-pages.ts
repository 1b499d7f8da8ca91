// What the outlet draws: the open page and those kept behind it. Pure: from what was drawn before, the tabs and the router's page to what is drawn now.
import type { Role } from '#domain/roles.ts'
import type { RouteLine } from '../routes.ts'
import { drop, NO_TABS, pin, retain, type Tab, type TabsState, visit } from './tabs.ts'

/** The page of the address, as the router tells it. */
export interface RoutedPage {
  readonly path: string
  /** Path and query. */
  readonly href: string
  readonly line: RouteLine | undefined
  readonly params: Readonly<Record<string, string>>
  readonly search: Readonly<Record<string, string>>
}

/** One drawn page. Its params and search are its own: while it is hidden the router's belong to somebody else. */
export interface KeptPage extends RoutedPage {
  readonly line: RouteLine
  /** Another key is another page: the path, and how often it was asked to begin anew. */
  readonly key: string
}

export interface ViewsState {
  readonly tabs: TabsState
  /** In the order in which they were first opened: moving them in the document would cost their scroll offsets. */
  readonly pages: readonly KeptPage[]
  /** Names of records, told by their pages; by path. */
  readonly names: Readonly<Record<string, string>>
  /** What the present state was made from. */
  readonly from: {
    readonly key: string
    readonly href: string
    readonly tabsView: boolean
    readonly roles: readonly Role[]
  } | null
}

export const NO_VIEWS: ViewsState = { tabs: NO_TABS, pages: [], names: {}, from: null }

export interface Surroundings {
  readonly page: RoutedPage
  readonly refreshes: number
  readonly tabsView: boolean
  readonly roles: readonly Role[]
  readonly pinned: readonly Omit<Tab, 'pinned'>[]
  /** Tabs of the same person before the page was loaded anew. */
  readonly restored: () => readonly Tab[]
  readonly isAllowed: (path: string) => boolean
  readonly isDirty: (path: string) => boolean
}

/** The state that belongs to the surroundings; the same object when nothing has changed. */
export function advance(state: ViewsState, now: Surroundings): ViewsState {
  const { page, tabsView, roles } = now
  const key = `${page.path}#${now.refreshes}`
  const { from } = state
  if (
    from &&
    from.key === key &&
    from.href === page.href &&
    from.tabsView === tabsView &&
    from.roles === roles
  )
    return state
  const tabs = tabsView ? nextTabs(state, now, key) : withoutTabs(state.tabs, now)
  return {
    tabs,
    pages: nextPages(state.pages, tabs, page, key),
    names: state.names,
    from: { key, href: page.href, tabsView, roles },
  }
}

/** Without a tabs bar nothing is kept, except unsaved work from before it was switched off. */
function withoutTabs({ cached }: TabsState, { page, isDirty }: Surroundings): TabsState {
  const kept = cached.filter((path) => path !== page.path && isDirty(path))
  return kept.length === 0 ? NO_TABS : { ...NO_TABS, cached: kept }
}

function nextTabs({ tabs: before, from, names }: ViewsState, now: Surroundings, key: string): TabsState {
  const { page, roles } = now
  let tabs = before
  if (!from?.tabsView) tabs = pin({ ...tabs, visited: now.restored() }, now.pinned)
  else if (from.roles !== roles) tabs = pin(tabs, now.pinned)
  if (from?.roles !== roles) tabs = retain(tabs, now.isAllowed)
  // Asked to begin anew: what is kept of it is given up, and the new one is kept in its place.
  if (from && from.key !== key && from.key.startsWith(`${page.path}#`)) tabs = drop(tabs, page.path)
  const dirty = new Set(tabs.cached.filter(now.isDirty))
  const { path, href, line } = page
  // A page that is no longer allowed is on its way to /401.
  return visit(
    tabs,
    { path, href, title: names[path] ?? null, named: now.isAllowed(path), noCache: line?.noCache === true },
    dirty,
  )
}

/** Kept ones stay where they are; the open one takes the address it has now. */
export function nextPages(
  before: readonly KeptPage[],
  tabs: TabsState,
  page: RoutedPage,
  key: string,
): readonly KeptPage[] {
  const cached = new Set(tabs.cached)
  const kept = before.filter((one) => (one.path === page.path ? one.key === key : cached.has(one.path)))
  const { line } = page
  if (!line?.page) return kept
  const open = kept.find((one) => one.key === key)
  if (!open) return [...kept, { ...page, line, key }]
  return open.href === page.href ? kept : kept.map((one) => (one === open ? { ...page, line, key } : one))
}

/** After tabs were closed: pages that are no longer kept go, except the one on screen. */
export function withTabs(state: ViewsState, tabs: TabsState): ViewsState {
  if (tabs === state.tabs) return state
  const cached = new Set(tabs.cached)
  return {
    ...state,
    tabs,
    pages: state.pages.filter((one) => one.key === state.from?.key || cached.has(one.path)),
  }
}
