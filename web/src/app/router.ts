// The application's router: its rules are guard.ts, its table is routes.ts; its pages read their address from useView.
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
      // Without sign-in the field mode is all there is, with what the person was permitted to save. Everything else is loaded anew: the start looks for the server.
      if (session?.localOnly) return isFieldwork(pathname) ? undefined : FIELDWORK
      const instead = guard({
        path: pathname,
        search: searchStr,
        hash,
        signedIn: hasToken() && session !== null,
        roles,
      })
      // Whoever comes by /redirect wants the page anew, not the view that is kept of it.
      if (instead !== undefined && pathname.startsWith('/redirect/'))
        requestRefresh(new URL(instead, 'https://application.invalid').pathname)
      return instead
    },
    load: ({ line }) => (line?.page ? pageOf(line) : Promise.resolve()),
  })
}
