// Places of a person at the top of the menu: favourites (pages and records with a star) and the records opened
// last. Only addresses are stored; names are looked up (places.data.ts), so that a record that is gone or no
// longer permitted has none and is left out.
import type { Role } from '#domain/roles.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { isPermitted, paramsOf, type RouteLine, routeOf } from '../routes.ts'

export const MOST_FAVOURITES = 20
export const MOST_RECENT = 8

export const RECORD_KINDS = [
  'kunde',
  'hq',
  'benutzer',
  'karte',
  'baum',
  'rechnung',
  'angebot',
  'eingang',
  'serie',
  'dokument',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Pages about one record, which is the last id in their address. */
export const RECORD_PAGES: Readonly<Record<string, RecordKind>> = {
  '/kunden/$id': 'kunde',
  '/kunden/$id/forstbetrieb/$detailid': 'hq',
  '/kunde/$id/forstbetrieb/$detailid': 'hq',
  '/forstbetriebe/$detailid': 'hq',
  '/nutzer/$user_id': 'benutzer',
  '/member-management/client/$id': 'kunde',
  '/member-management/client/update/$update_id': 'kunde',
  '/member-management/users/$user_id': 'benutzer',
  '/karten/$id': 'karte',
  '/karten/$id/georef': 'karte',
  '/habitatbaeume/$id': 'baum',
  '/buchhaltung/rechnungen/rechnung/$id': 'rechnung',
  '/buchhaltung/rechnungen/rechnung/update/$update_id': 'rechnung',
  '/buchhaltung/angebote/angebot/$id': 'angebot',
  '/buchhaltung/angebote/angebot/update/$update_id': 'angebot',
  '/buchhaltung/offene-posten/konto/$id': 'kunde',
  '/buchhaltung/eingang/rechnung/$id': 'eingang',
  '/buchhaltung/rechnungen/wiederkehrend/serie/$id': 'serie',
  '/dokumente/rechnung/$id': 'dokument',
  '/dokumente/angebot/$id': 'dokument',
}

export const ICONS: Readonly<Record<RecordKind, IconName>> = {
  kunde: 'people',
  hq: 'building',
  benutzer: 'person',
  karte: 'map',
  baum: 'leaf',
  rechnung: 'euro',
  angebot: 'file',
  eingang: 'inbox',
  serie: 'refresh',
  dokument: 'file',
}

export interface Place {
  readonly path: string
  readonly line: RouteLine
  /** Null for a page. */
  readonly record: RecordRef | null
  /** Equal for all pages about the same record. */
  readonly key: string
}
export interface RecordRef {
  readonly kind: RecordKind
  readonly id: number
}

/** Null for what cannot be a place: the sign-in, the field mode, a survey object, a document not yet stored. */
export function placeOf(path: string): Place | null {
  const line = routeOf(path)
  if (!line || line.open || line.whole || line.path.endsWith('/$')) return null
  const id = Object.values(paramsOf(line, path)).at(-1)
  if (id === undefined) return { path, line, record: null, key: path }
  const kind = RECORD_PAGES[line.path]
  if (kind === undefined) return null
  // Offers and invoices of a customer are counted separately.
  const key = kind === 'dokument' ? path : `${kind}:${Number(id)}`
  return { path, line, record: { kind, id: Number(id) }, key }
}

/** Places that these roles may open, each once. */
export function placesOf(paths: readonly string[], roles: readonly Role[]): Place[] {
  const places = paths.flatMap((path) => placeOf(path) ?? []).filter(({ line }) => isPermitted(line, roles))
  return places.filter(({ key }, at) => places.findIndex((place) => place.key === key) === at)
}

/** The records among both lists, each once. */
export function recordsOf(lists: readonly (readonly string[])[], roles: readonly Role[]): readonly Place[] {
  return placesOf(lists.flat(), roles).filter(({ record }) => record !== null)
}

const without = (paths: readonly string[], key: string) => paths.filter((path) => placeOf(path)?.key !== key)

/** The record comes first; the same list if it already does. */
export function withRecent(paths: readonly string[], path: string): readonly string[] {
  const place = placeOf(path)
  if (!place?.record || paths[0] === path) return paths
  return [path, ...without(paths, place.key)].slice(0, MOST_RECENT)
}

export const isFavourite = (paths: readonly string[], path: string): boolean => {
  const key = placeOf(path)?.key
  return paths.some((one) => placeOf(one)?.key === key)
}
/**
 * At the end, or no longer there; undefined if there are too many. Records without a name, which nobody sees,
 * make room.
 */
export function toggled(
  paths: readonly string[],
  path: string,
  names?: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const key = placeOf(path)?.key ?? path
  if (isFavourite(paths, path)) return without(paths, key)
  const isShown = (one: string) => {
    const place = placeOf(one)
    return place !== null && (place.record === null || names === undefined || place.key in names)
  }
  const kept = paths.length < MOST_FAVOURITES ? paths : paths.filter(isShown)
  return kept.length < MOST_FAVOURITES ? [...kept, path] : undefined
}
/** The two change places. */
export const swapped = (paths: readonly string[], one: string, other: string): readonly string[] =>
  paths.map((path) => (path === one ? other : path === other ? one : path))
