// State of the sidebar: expanded, collapsed or a drawer. The user's choice is stored in the cookie
// sidebarStatus; changes caused by a narrow window are not.
import { useCallback, useState, useSyncExternalStore } from 'react'
import { usePlace } from '../routing/RouterProvider.tsx'

export interface SidebarState {
  readonly open: boolean
  readonly mobile: boolean
  /** The window has just crossed the width limit: changes are not animated. */
  readonly still: boolean
  readonly toggle: () => void
  readonly close: () => void
}

/** 992 px itself counts as desktop. */
const NARROW = '(max-width: 991.98px)'
const COOKIE = 'sidebarStatus'

export const readSidebarStatus = (cookies: string): boolean =>
  !/(?:^|;\s*)sidebarStatus=0(?:;|$)/.test(cookies)
function writeSidebarStatus(open: boolean) {
  document.cookie = `${COOKIE}=${open ? 1 : 0}; path=/; max-age=31536000; samesite=lax`
}

function subscribeNarrow(listener: () => void) {
  const query = window.matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
/** Changes only when the width limit is crossed, not with a phone's keyboard or address bar. */
const useNarrow = (): boolean =>
  useSyncExternalStore(subscribeNarrow, () => window.matchMedia(NARROW).matches)

export function useSidebar(): SidebarState {
  const mobile = useNarrow()
  const [wide, setWide] = useState(() => readSidebarStatus(document.cookie))
  const path = usePlace().pathname
  // The drawer belongs to the page it was opened on: navigating or changing mode closes it.
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const [still, setStill] = useState(true)
  const [mode, setMode] = useState(mobile)
  if (mode !== mobile) {
    setMode(mobile)
    setStill(true)
    setDrawerAt(null)
  }
  const drawer = drawerAt === path
  const close = useCallback(() => setDrawerAt(null), [])
  const toggle = () => {
    setStill(false)
    if (mobile) return setDrawerAt(drawer ? null : path)
    setWide(!wide)
    writeSidebarStatus(!wide)
  }
  return { open: mobile ? drawer : wide, mobile, still, toggle, close }
}
