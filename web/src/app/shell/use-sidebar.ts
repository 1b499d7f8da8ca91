// Open, collapsed or a drawer. What the person chose is kept in the cookie sidebarStatus; what the narrow window did is not.
import { useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

export interface SidebarState {
  readonly open: boolean
  readonly mobile: boolean
  readonly toggle: () => void
  readonly close: () => void
}

const NARROW = '(max-width: 991.98px)'
const COOKIE = 'sidebarStatus'

export const readSidebarStatus = (cookies: string): boolean => !/(?:^|;\s*)sidebarStatus=0(?:;|$)/.test(cookies)
function writeSidebarStatus(open: boolean) {
  document.cookie = `${COOKIE}=${open ? 1 : 0}; path=/; max-age=31536000; samesite=lax`
}

function useNarrow(): boolean {
  const subscribe = useCallback((listener: () => void) => {
    const query = window.matchMedia(NARROW)
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }, [])
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches)
}

export function useSidebar(): SidebarState {
  const mobile = useNarrow()
  const [wide, setWide] = useState(() => readSidebarStatus(document.cookie))
  const path = useRouterState({ select: (state) => state.location.pathname })
  // The drawer belongs to the page it was opened on: another page closes it, and so does another mode.
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const drawer = drawerAt === path
  const close = useCallback(() => setDrawerAt(null), [])
  useEffect(() => {
    const query = window.matchMedia(NARROW)
    query.addEventListener('change', close)
    return () => query.removeEventListener('change', close)
  }, [close])
  const toggle = () => {
    if (mobile) return setDrawerAt(drawer ? null : path)
    setWide(!wide)
    writeSidebarStatus(!wide)
  }
  return { open: mobile ? drawer : wide, mobile, toggle, close }
}
