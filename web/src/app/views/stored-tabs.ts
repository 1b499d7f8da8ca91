// Keeps the open tabs across a reload: their addresses and names, for the same person in the same window,
// until the session ends.
import { safeTarget } from '../targets.ts'
import { MOST_KEPT, type Tab } from './tabs.ts'

const KEY = 'forstkontor.tabs'
/** Maximum number of stored tabs; of more only the last ones are restored. */
const MOST = MOST_KEPT * 2

export function storeTabs(person: string, tabs: readonly Tab[]) {
  const open = tabs.filter((tab) => !tab.pinned).slice(-MOST)
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ person, tabs: open.map(({ path, href, title }) => ({ path, href, title })) }),
    )
  } catch {
    // Storage is full: the tabs work, but are not remembered.
  }
}

/** Discards another person's tabs, and addresses that are not ours. */
export function restoreTabs(person: string): readonly Tab[] {
  let stored: unknown
  try {
    stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  } catch {
    stored = null
  }
  if (
    typeof stored !== 'object' ||
    stored === null ||
    !('person' in stored) ||
    !('tabs' in stored) ||
    !Array.isArray(stored.tabs)
  )
    return []
  if (stored.person !== person) {
    sessionStorage.removeItem(KEY)
    return []
  }
  const tabs = stored.tabs.filter(isTab).slice(0, MOST)
  return tabs
    .filter(({ path }, at) => tabs.findIndex((other) => other.path === path) === at)
    .map(({ path, href, title }) => ({ path, href, title, pinned: false }))
}

function isTab(value: unknown): value is Pick<Tab, 'path' | 'href' | 'title'> {
  if (typeof value !== 'object' || value === null) return false
  const { path, href, title } = value as Record<string, unknown>
  return (
    typeof path === 'string' &&
    path !== '/' &&
    typeof href === 'string' &&
    safeTarget(href) === href &&
    href.split('?')[0] === path &&
    (title === null || typeof title === 'string')
  )
}
