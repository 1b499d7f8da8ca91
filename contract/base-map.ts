// Base maps from other providers, as the operator lists them. The browser only asks our server, so the
// providers and their keys stay hidden from it.
type Id = number | string

export interface BaseMap {
  id: string
  titel: string
  art: 'karte' | 'luftbild'
  /** Attribution of the map's owner; shown on every map and print that uses it. */
  namensnennung: string
  /** Zoom levels that the service has. */
  min: number
  max: number
  /** Bundesländer it covers; an empty list means all. */
  laender: readonly string[]
  /** Its licence permits keeping parts of it on a device, for the field mode. */
  mitnehmen: boolean
}

/** Under the base path of the general API; every request carries the bearer token. */
export const baseMapPaths = {
  /** BaseMap[], in the operator's order, for this caller's roles. */
  liste: '/grundkarten',
  /** A 256-pixel tile in web mercator; 204 where the service has none. */
  kachel: (id: string, z: Id, x: Id, y: Id) => `/grundkarte/${id}/${z}/${x}/${y}`,
} as const
