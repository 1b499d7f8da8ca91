// The router, made from the route table. Its rules are guard.ts; its pages read their address from useView.
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { currentSession } from '../data/session.ts'
import { guard } from './guard.ts'
import { pageOf } from './page-loading.ts'
import { ADDRESSES, isDigits, type RouteLine } from './routes.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { Frame } from './shell/Frame.tsx'
import { requestRefresh } from './views/refreshes.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    line?: RouteLine
  }
}

export function makeRouter(hasToken: () => boolean) {
  const root = createRootRoute({
    component: Frame,
    notFoundComponent: () => null,
    beforeLoad: ({ location }) => {
      const visit = { path: location.pathname, search: location.searchStr, hash: location.hash ? `#${location.hash}` : '' }
      const instead = guard({ ...visit, signedIn: hasToken() && currentSession() !== null, roles: currentSession()?.roles ?? [] })
      if (instead === undefined) return
      // Whoever comes by /redirect wants the page anew, not the view that is kept of it.
      if (visit.path.startsWith('/redirect/')) requestRefresh(new URL(instead, 'https://application.invalid').pathname)
      throw redirect({ href: instead, replace: true })
    },
  })
  const routes = ADDRESSES.filter((line) => line.page).map((line) =>
    createRoute({
      getParentRoute: () => root,
      path: line.path,
      staticData: { line },
      ...(line.path.includes('$') && { params: { parse: digitsOnly, stringify: (params: Record<string, string>) => params } }),
      // The old page stays until the code of the new one is there; if it cannot be had, the page itself says so.
      loader: () =>
        pageOf(line).then(
          () => null,
          () => null,
        ),
    }),
  )
  return createRouter({
    routeTree: root.addChildren(routes),
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant',
    defaultPendingMs: 10_000,
    defaultPreload: false,
    trailingSlash: 'never',
  })
}
/** A path whose id is no number is another path, and none of ours. */
const digitsOnly = (params: Record<string, string>) => (Object.values(params).every(isDigits) ? params : false)

export type AppRouter = ReturnType<typeof makeRouter>
