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
  // biome-ignore lint/suspicious/noDocumentCookie: a cookie of this name is the agreed place
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
  const [drawer, setDrawer] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  // The drawer closes on every change of page and on every change of mode.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what it reacts to
  useEffect(() => setDrawer(false), [path, mobile])
  const close = useCallback(() => setDrawer(false), [])
  const toggle = () => {
    if (mobile) return setDrawer(!drawer)
    setWide(!wide)
    writeSidebarStatus(!wide)
  }
  return { open: mobile ? drawer : wide, mobile, toggle, close }
}
