// Shows the current page and keeps others in the background: loads their code, gives each its own address,
// and contains errors. Hidden pages keep their state and their place in the document; their effects are
// stopped and they are not rendered (React's Activity).
import { Activity, memo, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { splitOff, useCode } from '../../ui/split-off.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { type View, ViewContext } from '../../ui/view.tsx'
import { pageOf, readyPage } from '../page-loading.ts'
import type { RouteLine } from '../routes.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
import { stringifySearch } from '../search.ts'
import type { KeptPage } from '../views/kept-pages.ts'
import { isHiddenPage, type Views } from '../views/use-views.ts'
import { ViewBoundary } from './ViewBoundary.tsx'

const Star = splitOff(async () => (await import('../places/Star.tsx')).Star, null, { optional: true })

let pagesShown = 0

export function PageOutlet({ views, path }: { views: Views; path: string }) {
  return views.pages.map((page) => (
    <Activity key={page.key} mode={page.path === path ? 'visible' : 'hidden'}>
      <DrawnPage page={page} setName={views.setName} />
    </Activity>
  ))
}

/** Rendered again only when its own address changes. */
const DrawnPage = memo(function DrawnPage({ page, setName }: { page: KeptPage; setName: Views['setName'] }) {
  return (
    <ViewProvider page={page} setName={setName}>
      <ViewBoundary>
        <LoadedPage line={page.line} />
      </ViewBoundary>
    </ViewProvider>
  )
})

function LoadedPage({ line }: { line: RouteLine }) {
  useCode(() => (readyPage(line) ? null : pageOf(line)))
  const Page = readyPage(line)
  // Not created here: it is the same component each time.
  // oxlint-disable-next-line react/static-components
  return Page ? <Page /> : <Skeleton lines={6} />
}

/** Keyed by path: another record is another view; another query is the same one. */
function ViewProvider({
  page,
  setName,
  children,
}: {
  page: KeptPage
  setName: Views['setName']
  children: ReactNode
}) {
  const router = useRouter()
  const { path, line, params, search } = page
  const arrived = useArrived()
  const isHidden = useCallback(() => isHiddenPage(path), [path])
  const setSearch = useCallback<View['setSearch']>(
    (change, { replace = false } = {}) => {
      // A late answer in the background must not bring its page to the front.
      if (isHidden()) return
      router.navigate(path + stringifySearch({ ...router.current.search, ...change }), {
        replace,
        keepScroll: true,
      })
    },
    [router, path, isHidden],
  )
  const go = useCallback<View['go']>(
    (href, { replace = false } = {}) => {
      if (!isHidden()) router.navigate(href, { replace })
    },
    [router, isHidden],
  )
  const setTitle = useCallback<View['setTitle']>((name) => setName(path, name), [setName, path])
  const title = t(line.title)
  const view = useMemo<View>(
    () => ({
      path,
      params,
      search,
      title,
      arrived,
      setSearch,
      go,
      setTitle,
      isHidden,
      mark: <Star path={path} />,
    }),
    [path, params, search, title, arrived, setSearch, go, setTitle, isHidden],
  )
  return (
    <div className={arrived ? 'view view-arriving' : 'view'} data-path={path}>
      <ViewContext value={view}>{children}</ViewContext>
    </div>
  )
}

/**
 * Whether the page was reached from another page of the application; also true when it returns from the
 * background.
 */
function useArrived(): boolean {
  const [arrived, setArrived] = useState(() => pagesShown > 0)
  useEffect(() => {
    pagesShown += 1
    return () => setArrived(true)
  }, [])
  return arrived
}
