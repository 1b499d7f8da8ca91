// Open, collapsed or a drawer. What the person chose is kept in the cookie sidebarStatus; what the narrow window did is not.
import { useCallback, useState, useSyncExternalStore } from 'react'
import { usePlace } from '../routing/RouterProvider.tsx'

export interface SidebarState {
  readonly open: boolean
  readonly mobile: boolean
  /** The window has just become narrow or wide: what follows from that happens without movement. */
  readonly still: boolean
  readonly toggle: () => void
  readonly close: () => void
}

/** 992 px itself is a desktop. */
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
/** Told only when the width is crossed: a phone's keyboard or address bar changes nothing. */
const useNarrow = (): boolean =>
  useSyncExternalStore(subscribeNarrow, () => window.matchMedia(NARROW).matches)

export function useSidebar(): SidebarState {
  const mobile = useNarrow()
  const [wide, setWide] = useState(() => readSidebarStatus(document.cookie))
  const path = usePlace().pathname
  // The drawer belongs to the page it was opened on: another page closes it, and so does another mode.
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
