// Manages the open pages: which are rendered, which are kept in the background, which have a tab, and what
// happens when one closes.
import type { Role } from '#domain/roles.ts'
import { useQueryClient } from '@tanstack/react-query'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useOptionalSession } from '../../data/session.ts'
import { usePreference } from '../../ui/preferences.ts'
import { forgetUnsavedChanges, hasUnsavedChanges } from '../../ui/unsaved.ts'
import { ADDRESSES, homeOf, isPermitted, routeOf } from '../routes.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
import { advance, type KeptPage, NO_VIEWS, type RoutedPage, withTabs } from './kept-pages.ts'
import { refreshesOf, subscribeRefreshes, totalRefreshes } from './refreshes.ts'
import { restoreTabs, storeTabs } from './stored-tabs.ts'
import { close, closeAll, closeOthers, refresh, rename, type Step, type Tab, type TabsState } from './tabs.ts'

export interface TabEvent {
  readonly kind: 'close' | 'closeOthers' | 'closeAll' | 'refresh'
  readonly path: string
}

export interface Views {
  readonly tabsView: boolean
  readonly tabs: TabsState
  readonly pages: readonly KeptPage[]
  readonly names: Readonly<Record<string, string>>
  readonly setName: (path: string, name: string | null) => void
  /** Closes or refreshes tabs; asks first if that would lose unsaved work. */
  readonly act: (event: TabEvent) => void
  /** Tabs that would lose work, while the user is being asked. */
  readonly asking: readonly Tab[] | null
  readonly answer: (discard: boolean) => void
  /** Whether this page stays alive when another one is opened. */
  readonly keeps: (path: string) => boolean
}

const NO_ROLES: readonly Role[] = []
const NO_PINNED: readonly Tab[] = []

/** What is currently shown, for effect cleanups that need to know whether the page is gone or only hidden. */
let shown: { path: string; pages: readonly KeptPage[] } = { path: '', pages: [] }
export const isHiddenPage = (path: string): boolean =>
  path !== shown.path && shown.pages.some((page) => page.path === path)

export function useViews(page: RoutedPage): Views {
  const router = useRouter()
  const queries = useQueryClient()
  const session = useOptionalSession()
  const roles = session?.roles ?? NO_ROLES
  const tabsView = usePreference('tagsView') && session !== null
  const refreshes = useSyncExternalStore(subscribeRefreshes, () => refreshesOf(page.path))
  const [stored, setState] = useState(NO_VIEWS)
  const isAllowed = useCallback((path: string) => isAllowedPath(path, roles), [roles])
  const pinned = useMemo(() => (session ? pinnedTabs(roles) : NO_PINNED), [session, roles])
  const person = session?.email ?? ''
  const state = advance(stored, {
    page,
    refreshes,
    tabsView,
    roles,
    pinned,
    restored: () => restoreTabs(person).filter(({ path }) => isAllowed(path)),
    isAllowed,
    isDirty: hasUnsavedChanges,
  })
  if (state !== stored) setState(state)

  useShown(page.path, state.pages)
  useEffect(() => {
    if (tabsView) storeTabs(person, state.tabs.visited)
  }, [tabsView, person, state.tabs.visited])
  useRefetch(queries)
  // After a change of rights the visible page has to pass the guard again.
  const rolesBefore = useRef(roles)
  useEffect(() => {
    if (rolesBefore.current === roles) return
    rolesBefore.current = roles
    router.invalidate()
  }, [router, roles])

  const [asked, setAsked] = useState<TabEvent | null>(null)
  const perform = useCallback(
    (event: TabEvent) => {
      const { state: tabs, go } = stepOf(state.tabs, event, homeOf(roles))
      for (const path of losersOf(state.tabs, event)) forgetUnsavedChanges(path)
      setState((before) => withTabs(before, tabs))
      if (go !== undefined) router.navigate(go, { replace: event.kind === 'refresh' })
    },
    [router, state.tabs, roles],
  )
  const act = (event: TabEvent) =>
    dirtyTabs(state.tabs, event).length > 0 ? setAsked(event) : perform(event)
  const answer = (discard: boolean) => {
    setAsked(null)
    if (discard && asked) perform(asked)
  }
  const setName = useCallback(
    (path: string, name: string | null) =>
      setState((before) => {
        if (name === null || before.names[path] === name) return before
        return { ...before, names: { ...before.names, [path]: name }, tabs: rename(before.tabs, path, name) }
      }),
    [],
  )
  return {
    tabsView,
    tabs: state.tabs,
    pages: state.pages,
    names: state.names,
    setName,
    act,
    asking: asked ? dirtyTabs(state.tabs, asked) : null,
    answer,
    keeps: (path) => state.tabs.cached.includes(path),
  }
}

function isAllowedPath(path: string, roles: readonly Role[]): boolean {
  const line = routeOf(path)
  return line !== undefined && !line.open && isPermitted(line, roles)
}

const pinnedTabs = (roles: readonly Role[]): readonly Tab[] =>
  ADDRESSES.filter((line) => line.affix && !line.path.includes('$') && isPermitted(line, roles)).map(
    ({ path }) => ({
      path,
      href: path,
      title: null,
      pinned: true,
    }),
  )

function stepOf(tabs: TabsState, { kind, path }: TabEvent, home: string): Step {
  if (kind === 'close') return close(tabs, path, home)
  if (kind === 'closeOthers') return closeOthers(tabs, path)
  if (kind === 'closeAll') return closeAll(tabs, home)
  return refresh(tabs, path)
}

/** Paths of the tabs that would lose their state. */
function losersOf(tabs: TabsState, { kind, path }: TabEvent): readonly string[] {
  const closable = tabs.visited.filter(({ pinned }) => !pinned).map((tab) => tab.path)
  if (kind === 'closeOthers') return closable.filter((one) => one !== path)
  return kind === 'closeAll' ? closable : [path]
}
const dirtyTabs = (tabs: TabsState, event: TabEvent): readonly Tab[] => {
  const losers = losersOf(tabs, event)
  return tabs.visited.filter((tab) => losers.includes(tab.path) && hasUnsavedChanges(tab.path))
}

/** Records which page is visible, and discards the unsaved work of pages that have been removed. */
function useShown(path: string, pages: readonly KeptPage[]) {
  useLayoutEffect(() => {
    const present = new Set(pages.map(({ key }) => key))
    const gone = shown.pages.filter(({ key }) => !present.has(key))
    shown = { path, pages }
    for (const page of gone) forgetUnsavedChanges(page.path)
  }, [path, pages])
}

/** A refreshed page refetches its data, even if it is still fresh. */
function useRefetch(queries: ReturnType<typeof useQueryClient>) {
  const total = useSyncExternalStore(subscribeRefreshes, totalRefreshes)
  const seen = useRef(total)
  useEffect(() => {
    if (seen.current === total) return
    seen.current = total
    void queries.invalidateQueries()
  }, [queries, total])
}
