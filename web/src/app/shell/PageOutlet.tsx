// Shows the open page: loads its code, gives it its address, and keeps a fault inside its frame.
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, use, useCallback, useEffect, useMemo, useState } from 'react'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { type View, ViewContext } from '../../ui/view.tsx'
import { pageOf } from '../page-loading.ts'
import type { RouteLine } from '../routes.ts'
import { ViewBoundary } from './ViewBoundary.tsx'
import type { OpenPage } from './page-name.ts'

let pagesShown = 0

export function PageOutlet({ page }: { page: OpenPage }) {
  const { path, line } = page
  if (!line?.page) return null
  return (
    <ViewProvider key={path} page={page}>
      <ViewBoundary>
        <Suspense fallback={<Skeleton lines={6} />}>
          <LoadedPage line={line} />
        </Suspense>
      </ViewBoundary>
    </ViewProvider>
  )
}

function LoadedPage({ line }: { line: RouteLine }) {
  const Page = use(pageOf(line))
  // Not made here: pageOf answers the same component each time.
  // oxlint-disable-next-line react/static-components
  return <Page />
}

/** Keyed by path: another record is another view, the same path with another query is not. */
function ViewProvider({ page, children }: { page: OpenPage; children: ReactNode }) {
  const router = useRouter()
  const { path, line, params, search, setRecord } = page
  const [arrived] = useState(() => pagesShown > 0)
  useEffect(() => {
    pagesShown += 1
  }, [])
  const setSearch = useCallback<View['setSearch']>(
    (change, { replace = false } = {}) => {
      const present = router.state.location.search as Record<string, string>
      const next = Object.fromEntries(Object.entries({ ...present, ...change }).filter(([, value]) => value !== undefined && value !== ''))
      void router.navigate({ to: path, search: next, replace, resetScroll: false })
    },
    [router, path],
  )
  const go = useCallback<View['go']>((href, { replace = false } = {}) => void router.navigate({ href, replace }), [router])
  const title = t(line?.title ?? '')
  const view = useMemo<View>(
    () => ({ path, params, search, title, arrived, setSearch, go, setTitle: setRecord }),
    [path, params, search, title, arrived, setSearch, go, setRecord],
  )
  return <ViewContext value={view}>{children}</ViewContext>
}
