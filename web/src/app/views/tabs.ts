// Which pages are open as tabs and which are kept alive. Pure: every event returns the next state and, if
// needed, where to navigate. Keyed by path: the same path with another query is the same tab; another record
// is another tab.

export interface Tab {
  readonly path: string
  /** Path and query that the tab links to. */
  readonly href: string
  /** Name of the record, once the page has reported it; null: the route's title is used. */
  readonly title: string | null
  readonly pinned: boolean
}

export interface TabsState {
  /** In display order, unique by path. */
  readonly visited: readonly Tab[]
  /** Paths of views that stay alive while hidden, least recently shown first. */
  readonly cached: readonly string[]
  /** The current page, if it has a tab. */
  readonly active: string | null
}

/** The page to open. */
export interface Visit {
  readonly path: string
  readonly href: string
  readonly title: string | null
  /** False for error pages, the sign-in and pages that are not allowed: they have no tab. */
  readonly named: boolean
  readonly noCache: boolean
}

/** The next state, and the address to navigate to; undefined: stay. */
export interface Step {
  readonly state: TabsState
  readonly go: string | undefined
}

export const NO_TABS: TabsState = { visited: [], cached: [], active: null }
/** Maximum number of hidden views; more would cost more memory than they save time. */
export const MOST_KEPT = 20

const has = (state: TabsState, path: string) => state.visited.some((tab) => tab.path === path)
const stay = (state: TabsState): Step => ({ state, go: undefined })

/**
 * When the bar appears: puts pinned pages, in the order of the route table, before the tabs that are already
 * open.
 */
export function pin(state: TabsState, pinned: readonly Omit<Tab, 'pinned'>[]): TabsState {
  const missing = pinned.filter(({ path }) => !has(state, path)).map((tab) => ({ ...tab, pinned: true }))
  return missing.length === 0 ? state : { ...state, visited: [...missing, ...state.visited] }
}

/** Opens another page, or the same one with another query. */
export function visit(state: TabsState, page: Visit, keep: ReadonlySet<string> = new Set()): TabsState {
  if (!page.named) return state.active === null ? state : { ...state, active: null }
  const { path, href, title } = page
  const visited = has(state, path)
    ? state.visited.map((tab) => (tab.path === path && tab.href !== href ? { ...tab, href } : tab))
    : [...state.visited, { path, href, title, pinned: false }]
  const cached = page.noCache ? state.cached : [...state.cached.filter((kept) => kept !== path), path]
  return { visited, cached: evict(cached, visited, keep), active: path }
}

/**
 * Drops the least recently shown views. Pinned ones stay, as do those in `keep` (unsaved work) and the
 * visible one, which is last.
 */
function evict(
  cached: readonly string[],
  visited: readonly Tab[],
  keep: ReadonlySet<string>,
): readonly string[] {
  const pinned = new Set(visited.filter((tab) => tab.pinned).map(({ path }) => path))
  let surplus = cached.length - MOST_KEPT
  if (surplus <= 0) return cached
  return cached.filter((path, at) => {
    if (surplus <= 0 || at === cached.length - 1 || pinned.has(path) || keep.has(path)) return true
    surplus -= 1
    return false
  })
}

/**
 * Where to go when the current page has lost its tab: to the last tab; without one to the home page, through
 * /redirect if that was the closed page, so that it is recreated.
 */
function leave(visited: readonly Tab[], closed: string, home: string): string {
  const last = visited.at(-1)
  if (last) return last.href
  return closed === home ? `/redirect${closed}` : '/'
}

/** Closes a tab. If it is the current one, the last remaining tab is opened. Pinned tabs cannot be closed. */
export function close(state: TabsState, path: string, home: string): Step {
  const closing = state.visited.find((tab) => tab.path === path)
  if (!closing || closing.pinned) return stay(state)
  const visited = state.visited.filter((tab) => tab !== closing)
  const next = { ...state, visited, cached: state.cached.filter((kept) => kept !== path) }
  return { state: next, go: state.active === path ? leave(visited, path, home) : undefined }
}

/** Keeps only pinned tabs and this one, with their state, and opens this one. */
export function closeOthers(state: TabsState, path: string): Step {
  const kept = state.visited.filter((tab) => tab.pinned || tab.path === path)
  const target = kept.find((tab) => tab.path === path)
  if (!target) return stay(state)
  const paths = new Set(kept.map((tab) => tab.path))
  return {
    state: { ...state, visited: kept, cached: state.cached.filter((one) => paths.has(one)) },
    go: state.active === path ? undefined : target.href,
  }
}

/** Keeps only pinned tabs. Whether to navigate depends on the current page, whichever tab was clicked. */
export function closeAll(state: TabsState, home: string): Step {
  const visited = state.visited.filter((tab) => tab.pinned)
  const paths = new Set(visited.map(({ path }) => path))
  const next = { ...state, visited, cached: state.cached.filter((one) => paths.has(one)) }
  if (state.active === null || paths.has(state.active)) return stay(next)
  return { state: next, go: leave(visited, state.active, home) }
}

/** Discards the view's state; /redirect leads back to the same address, where it is recreated. */
export function refresh(state: TabsState, path: string): Step {
  const tab = state.visited.find((one) => one.path === path)
  if (!tab) return stay(state)
  return { state: drop(state, path), go: `/redirect${tab.href}` }
}

/** Stops keeping a view; its tab stays. */
export const drop = (state: TabsState, path: string): TabsState =>
  state.cached.includes(path) ? { ...state, cached: state.cached.filter((one) => one !== path) } : state

/** Sets the record's name that the page has reported. */
export function rename(state: TabsState, path: string, title: string): TabsState {
  const tab = state.visited.find((one) => one.path === path)
  if (!tab || tab.title === title) return state
  return { ...state, visited: state.visited.map((one) => (one === tab ? { ...one, title } : one)) }
}

/** After a change of rights: removes tabs of pages that are no longer allowed, with their state. */
export function retain(state: TabsState, isAllowed: (path: string) => boolean): TabsState {
  if (state.visited.every(({ path }) => isAllowed(path))) return state
  const visited = state.visited.filter(({ path }) => isAllowed(path))
  const active = state.active !== null && isAllowed(state.active) ? state.active : null
  return { visited, cached: state.cached.filter(isAllowed), active }
}
