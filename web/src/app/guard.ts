// Access rules of the routes. Pure: the router asks before each navigation and follows the decision.
import type { Role } from '#domain/roles.ts'
import { homeOf, insideOf, isPermitted, routeOf } from './routes.ts'
import { loginPath, safeTarget } from './targets.ts'

export interface Visit {
  readonly path: string
  /** With question mark, or empty. */
  readonly search: string
  /** With hash sign, or empty. */
  readonly hash: string
  /** A token is stored. */
  readonly signedIn: boolean
  readonly roles: readonly Role[]
}

/** The address to redirect to; undefined if the page may be shown. */
export function guard({ path, search, hash, signedIn, roles }: Visit): string | undefined {
  const line = routeOf(path)
  if (line?.path === '/redirect/$') return safeTarget(path.slice('/redirect'.length) + search + hash)
  if (!signedIn)
    return line?.open && line.path !== '/auth-redirect' ? undefined : loginPath(path + search + hash)
  if (path === '/' || line?.path === '/login' || line?.path === '/auth-redirect') return homeOf(roles)
  const within = line ? undefined : insideOf(path, roles)
  if (within !== undefined)
    return within === null ? `/401?pfad=${encodeURIComponent(path)}` : within + search + hash
  if (!line) return `/404?pfad=${encodeURIComponent(path)}`
  if (!isPermitted(line, roles)) return `/401?pfad=${encodeURIComponent(path)}`
  return undefined
}
