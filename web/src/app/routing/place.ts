// Normalised addresses of the application: path without a trailing slash, query as text in a fixed spelling,
// fragment. Pure.
import { type RouteLine, routeOf } from '../routes.ts'
import { parseSearch, type Search, stringifySearch } from '../search.ts'

export interface Place {
  /** Decoded, with umlauts. */
  readonly pathname: string
  readonly search: Search
  /** With question mark, or empty. */
  readonly searchStr: string
  /** With hash sign, or empty. */
  readonly hash: string
  /** The whole address, as in the address bar. */
  readonly href: string
  readonly line: RouteLine | undefined
  readonly params: Readonly<Record<string, string>>
}

/** The page shown, and the previous one. */
export interface Shown {
  readonly place: Place
  readonly from: Place | null
  readonly pathChanged: boolean
  /** Reached with the back or forward button. */
  readonly byHistory: boolean
}

/** Leaves an address that cannot be decoded as it is: no route matches it anyway. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Path parameters: /kunden/$id and /kunden/17 → {id: '17'}. */
function paramsOf(line: RouteLine | undefined, pathname: string): Record<string, string> {
  const given = pathname.split('/')
  const named = (line?.path ?? '').split('/').map((part, at) => [part, given[at]] as const)
  return Object.fromEntries(
    named.flatMap(([part, value]) =>
      /^\$\w/.test(part) && value !== undefined ? [[part.slice(1), value]] : [],
    ),
  )
}

/** Undefined for addresses of other origins. Relative addresses are resolved against the root. */
export function placeOf(address: string, origin: string): Place | undefined {
  if (!URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  if (url.origin !== origin) return undefined
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') || '/' : url.pathname
  const search = parseSearch(url.search)
  const searchStr = stringifySearch(search)
  const pathname = decoded(path)
  const line = routeOf(pathname)
  return {
    pathname,
    search,
    searchStr,
    hash: url.hash,
    href: path + searchStr + url.hash,
    line,
    params: paramsOf(line, pathname),
  }
}
