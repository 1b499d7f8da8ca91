// Vector tiles of the survey: addresses, layers and attributes shared by server and browser.
type Id = number | string

/**
 * Kinds of objects, in the order in which they are drawn and listed. Each is a table and a layer of a tile.
 */
export const OBJECT_KINDS = ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** Attributes of an object in a tile besides its id; unknown ones are omitted. @public */
export interface TileObject {
  vermessen?: boolean
  erfq?: string
  qdt?: string
  art?: string
  dn?: number
  material?: string
  /** Metres; drains only. */
  laenge?: number
  /** Its label on the map; not of drains. */
  schluessel?: string
}

/**
 * A tile with too many objects has only this layer, which merges objects close to each other into one point.
 */
export const CLUSTER = 'haufen'
export type TileCluster = { n: number; laenge: number; vermessen: number; vermutet: number } & Record<
  ObjectKind,
  number
>

/**
 * What is drawn; the URLs of the page, of a tile and of the lists use the same words. Omitted: everything.
 */
export interface KatasterFilter {
  arten?: readonly ObjectKind[]
  vermessen?: readonly SurveyedWord[]
  erfq?: readonly string[]
  qdt?: readonly string[]
}
export const SURVEYED = ['ja', 'nein', 'offen'] as const
export type SurveyedWord = (typeof SURVEYED)[number]
/** Stands for "not stated" among sources and qualities. */
export const OTHER = 'Andere'

/**
 * Tiles are made for 512 pixels. Below this level there are only clusters; from it on, only where there are
 * too many objects to show each one.
 */
export const FIRST_OBJECT_LEVEL = 11
export const LAST_LEVEL = 20

export const katasterPaths = {
  /** One tile with all layers: application/vnd.mapbox-vector-tile. */
  kachel: (kunde: Id, z: Id, x: Id, y: Id, filter: KatasterFilter = {}) =>
    `/kataster/${kunde}/kachel/${z}/${x}/${y}.mvt${queryOf(filter)}`,
} as const

function queryOf(filter: KatasterFilter): string {
  const parts = (['arten', 'vermessen', 'erfq', 'qdt'] as const).flatMap((key) =>
    (filter[key] ?? []).map((value) => `${key}=${encodeURIComponent(value)}`),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
