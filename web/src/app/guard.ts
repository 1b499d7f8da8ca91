// Who comes through where. Pure: the router asks before each navigation and does what the decision says.
import type { Role } from '#domain/roles.ts'
import { homeOf, insideOf, isPermitted, routeOf } from './routes.ts'
import { loginPath, safeTarget } from './targets.ts'

export interface Visit {
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
  /** With its hash sign, or empty. */
  readonly hash: string
  /** A token is stored. */
  readonly signedIn: boolean
  readonly roles: readonly Role[]
}

/** An address to go to instead, or undefined: may be shown. */
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
