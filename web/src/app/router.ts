// The application's router, with the rules of guard.ts and the table of routes.ts; pages read their address
// from useView.
import { currentSession } from '../data/session.ts'
import { guard } from './guard.ts'
import { FIELDWORK, isFieldwork } from './mobile.ts'
import { pageOf } from './page-loading.ts'
import type { Place } from './routing/place.ts'
import { Router } from './routing/router.ts'
import { requestRefresh } from './views/refreshes.ts'

export function makeRouter(hasToken: () => boolean): Router {
  return new Router({
    guard: ({ pathname, searchStr, hash }: Place) => {
      const session = currentSession()
      const roles = session?.roles ?? []
      // Without a sign-in only the field mode is available, with the data the person was allowed to store.
      // Everything else needs a reload, because the start is what looks for the server.
      if (session?.localOnly) return isFieldwork(pathname) ? undefined : FIELDWORK
      const instead = guard({
        path: pathname,
        search: searchStr,
        hash,
        signedIn: hasToken() && session !== null,
        roles,
      })
      // /redirect asks for a fresh page instead of the kept view.
      if (instead !== undefined && pathname.startsWith('/redirect/'))
        requestRefresh(new URL(instead, 'https://application.invalid').pathname)
      return instead
    },
    load: ({ line }) => (line?.page ? pageOf(line) : Promise.resolve()),
  })
}
