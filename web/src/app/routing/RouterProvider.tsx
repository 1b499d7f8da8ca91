// React context and hooks for the router.
import {
  createContext,
  type ReactNode,
  useContext,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'
import type { Place } from './place.ts'
import type { Blocked, Blocker, Router } from './router.ts'

const RouterContext = createContext<Router | null>(null)
const PlaceContext = createContext<Place | null>(null)

/**
 * A new page is rendered after the press that asked for it has been painted, in slices between which the
 * browser may answer other input: a press never waits for a whole page. Another query of the same page is
 * rendered at once: its fields show what they were set to, and the next change builds on it.
 */
export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const wanted = useSyncExternalStore(router.subscribe, router.shown)
  const drawn = useDeferredValue(wanted)
  const place = wanted.pathname === drawn.pathname ? wanted : drawn
  return (
    <RouterContext value={router}>
      <PlaceContext value={place}>
        {children}
        <Drawn router={router} place={place} />
      </PlaceContext>
    </RouterContext>
  )
}

/** Rendered as the last sibling, so that the page is in the document when it reports it. */
function Drawn({ router, place }: { router: Router; place: Place }) {
  useLayoutEffect(() => router.drawn(), [router, place])
  return null
}

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('useRouter outside of the application')
  return router
}

/** The page being shown. */
export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('usePlace outside of the application')
  return place
}

/** Blocks navigations that would lose work. Returns the blocked navigation, if any. */
export function useBlocker(
  blocks: Blocker['blocks'],
  blocksClosing: Blocker['blocksClosing'],
): Blocked | null {
  const router = useRouter()
  useEffect(() => router.block({ blocks, blocksClosing }), [router, blocks, blocksClosing])
  return useSyncExternalStore(router.subscribe, router.blocked)
}
