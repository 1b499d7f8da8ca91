// React context and hooks for the router.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'
import type { Place } from './place.ts'
import type { Blocked, Blocker, Router } from './router.ts'

const RouterContext = createContext<Router | null>(null)

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  return (
    <RouterContext value={router}>
      {children}
      <Drawn router={router} />
    </RouterContext>
  )
}

/** Rendered as the last sibling, so that the page is in the document when it reports it. */
function Drawn({ router }: { router: Router }) {
  const place = useSyncExternalStore(router.subscribe, router.shown)
  useLayoutEffect(() => router.drawn(), [router, place])
  return null
}

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('useRouter outside of the application')
  return router
}

/** The current page. */
export function usePlace(): Place {
  const router = useRouter()
  return useSyncExternalStore(router.subscribe, router.shown)
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
