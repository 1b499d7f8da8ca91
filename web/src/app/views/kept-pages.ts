// What the outlet renders: the current page and those kept in the background. Pure: computes the next state
// from the previous one, the tabs and the router's page.
import type { Role } from '#domain/roles.ts'
import type { RouteLine } from '../routes.ts'
import { drop, NO_TABS, pin, retain, type Tab, type TabsState, visit } from './tabs.ts'

/** The page of the current address, as reported by the router. */
export interface RoutedPage {
  readonly path: string
  /** Path and query. */
  readonly href: string
  readonly line: RouteLine | undefined
  readonly params: Readonly<Record<string, string>>
  readonly search: Readonly<Record<string, string>>
  /** Another one each time the page is opened, even where it is the page before. */
  readonly visit: object
}

/**
 * A rendered page. Has its own params and search, because while it is hidden the router's belong to another
 * page.
 */
export interface KeptPage extends RoutedPage {
  readonly line: RouteLine
  /** React key: the path, and how often it was refreshed. */
  readonly key: string
}

export interface ViewsState {
  readonly tabs: TabsState
  /** In the order they were first opened: moving them in the document would lose their scroll offsets. */
  readonly pages: readonly KeptPage[]
  /** Names of records as reported by their pages, by path. */
  readonly names: Readonly<Record<string, string>>
  /** The inputs that this state was computed from. */
  readonly from: {
    readonly key: string
    readonly href: string
    readonly visit: object
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
  /** Tabs of the same person from before a reload. */
  readonly restored: () => readonly Tab[]
  readonly isAllowed: (path: string) => boolean
  readonly isDirty: (path: string) => boolean
}

/** The state for these surroundings; the same object if nothing has changed. */
export function advance(state: ViewsState, now: Surroundings): ViewsState {
  const { page, tabsView, roles } = now
  const key = `${page.path}#${now.refreshes}`
  const { from } = state
  if (
    from &&
    from.key === key &&
    from.href === page.href &&
    // Closed and opened again at once, a page is never left in between: it needs its tab back.
    from.visit === page.visit &&
    from.tabsView === tabsView &&
    from.roles === roles
  )
    return state
  const tabs = tabsView ? nextTabs(state, now, key) : withoutTabs(state.tabs, now)
  return {
    tabs,
    pages: nextPages(state.pages, tabs, page, key),
    names: state.names,
    from: { key, href: page.href, visit: page.visit, tabsView, roles },
  }
}

/** Without a tabs bar no page is kept, except those with unsaved work from before it was switched off. */
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
  // A refresh: drops the kept page, and the new one takes its place.
  if (from && from.key !== key && from.key.startsWith(`${page.path}#`)) tabs = drop(tabs, page.path)
  const dirty = new Set(tabs.cached.filter(now.isDirty))
  const { path, href, line } = page
  // A page that is no longer allowed is about to be redirected to /401.
  return visit(
    tabs,
    { path, href, title: names[path] ?? null, named: now.isAllowed(path), noCache: line?.noCache === true },
    dirty,
  )
}

/** Kept pages keep their position; the current one gets its new address. */
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

/** After closing tabs: removes the pages that are no longer kept, except the visible one. */
export function withTabs(state: ViewsState, tabs: TabsState): ViewsState {
  if (tabs === state.tabs) return state
  const cached = new Set(tabs.cached)
  return {
    ...state,
    tabs,
    pages: state.pages.filter((one) => one.key === state.from?.key || cached.has(one.path)),
  }
}
