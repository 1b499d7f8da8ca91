// Which pages are open as tabs and which of them are kept alive. Pure: every event answers the next state, and where to go now.
// Keyed by path throughout: the same path with another query is the same tab, another record is another one.

export interface Tab {
  readonly path: string
  /** Path and query: where the tab leads. */
  readonly href: string
  /** Name of the record, once the page has told it; null: called by its route. */
  readonly title: string | null
  readonly pinned: boolean
}

export interface TabsState {
  /** In the order of the bar, unique by path. */
  readonly visited: readonly Tab[]
  /** Paths of views that stay alive while hidden, the one not shown for longest first. */
  readonly cached: readonly string[]
  /** The open page, as far as it has a tab. */
  readonly active: string | null
}

/** What is opened. */
export interface Visit {
  readonly path: string
  readonly href: string
  readonly title: string | null
  /** Error pages, the sign-in and what is not allowed have no tab. */
  readonly named: boolean
  readonly noCache: boolean
}

/** The next state, and an address to go to; undefined: stay. */
export interface Step {
  readonly state: TabsState
  readonly go: string | undefined
}

export const NO_TABS: TabsState = { visited: [], cached: [], active: null }
/** More hidden views than this would cost more memory than they save time. */
export const MOST_KEPT = 20

const has = (state: TabsState, path: string) => state.visited.some((tab) => tab.path === path)
const stay = (state: TabsState): Step => ({ state, go: undefined })

/** The bar appears: pinned pages in the order of the route table, in front of what is there already. */
export function pin(state: TabsState, pinned: readonly Omit<Tab, 'pinned'>[]): TabsState {
  const missing = pinned.filter(({ path }) => !has(state, path)).map((tab) => ({ ...tab, pinned: true }))
  return missing.length === 0 ? state : { ...state, visited: [...missing, ...state.visited] }
}

/** Another page, or the same with another query. */
export function visit(state: TabsState, page: Visit, keep: ReadonlySet<string> = new Set()): TabsState {
  if (!page.named) return state.active === null ? state : { ...state, active: null }
  const { path, href, title } = page
  const visited = has(state, path)
    ? state.visited.map((tab) => (tab.path === path && tab.href !== href ? { ...tab, href } : tab))
    : [...state.visited, { path, href, title, pinned: false }]
  const cached = page.noCache ? state.cached : [...state.cached.filter((kept) => kept !== path), path]
  return { visited, cached: evict(cached, visited, keep), active: path }
}

/** Gives up the views that were not shown for longest. Pinned ones stay, so do those in `keep` (unsaved work) and the one on screen, which stands last. */
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

/** Where to go when the open page has lost its tab: to the last tab; with none left home, and if that is where one is, through /redirect, which makes it new. */
function leave(visited: readonly Tab[], closed: string, home: string): string {
  const last = visited.at(-1)
  if (last) return last.href
  return closed === home ? `/redirect${closed}` : '/'
}

/** A tab in the background closes and nothing else happens; the open one makes room for the last that remains. Pinned tabs do not close. */
export function close(state: TabsState, path: string, home: string): Step {
  const closing = state.visited.find((tab) => tab.path === path)
  if (!closing || closing.pinned) return stay(state)
  const visited = state.visited.filter((tab) => tab !== closing)
  const next = { ...state, visited, cached: state.cached.filter((kept) => kept !== path) }
  return { state: next, go: state.active === path ? leave(visited, path, home) : undefined }
}

/** Pinned tabs and this one stay, with what they hold; and this one is opened. */
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

/** Only pinned tabs stay. Whether the page moves is decided by the page that is open, whichever tab was pressed. */
export function closeAll(state: TabsState, home: string): Step {
  const visited = state.visited.filter((tab) => tab.pinned)
  const paths = new Set(visited.map(({ path }) => path))
  const next = { ...state, visited, cached: state.cached.filter((one) => paths.has(one)) }
  if (state.active === null || paths.has(state.active)) return stay(next)
  return { state: next, go: leave(visited, state.active, home) }
}

/** What the view holds is given up; /redirect leads back to the same address, where it begins anew. */
export function refresh(state: TabsState, path: string): Step {
  const tab = state.visited.find((one) => one.path === path)
  if (!tab) return stay(state)
  return { state: drop(state, path), go: `/redirect${tab.href}` }
}

/** The view is no longer kept; its tab stays. */
export const drop = (state: TabsState, path: string): TabsState =>
  state.cached.includes(path) ? { ...state, cached: state.cached.filter((one) => one !== path) } : state

/** The page has told its record's name. */
export function rename(state: TabsState, path: string, title: string): TabsState {
  const tab = state.visited.find((one) => one.path === path)
  if (!tab || tab.title === title) return state
  return { ...state, visited: state.visited.map((one) => (one === tab ? { ...one, title } : one)) }
}

/** Rights have changed: tabs of pages that are no longer allowed go, and so does what they held. */
export function retain(state: TabsState, isAllowed: (path: string) => boolean): TabsState {
  if (state.visited.every(({ path }) => isAllowed(path))) return state
  const visited = state.visited.filter(({ path }) => isAllowed(path))
  const active = state.active !== null && isAllowed(state.active) ? state.active : null
  return { visited, cached: state.cached.filter(isAllowed), active }
}
