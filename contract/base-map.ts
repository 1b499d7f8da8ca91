// Base maps of other houses, as the operator lists them. The browser asks our server alone: which house it is, and its keys, stay there.
type Id = number | string

export interface BaseMap {
  id: string
  titel: string
  art: 'karte' | 'luftbild'
  /** Whose map it is; stands on every map and print that shows it. */
  namensnennung: string
  /** Zoom levels that the service has. */
  min: number
  max: number
  /** Bundesländer it covers; none: all. */
  laender: readonly string[]
  /** Its licence permits to keep pieces of it on a device, for the field mode. */
  mitnehmen: boolean
}

/** Under the base path of the general API; every request carries the bearer token. */
export const baseMapPaths = {
  /** Grundkarte[], in the operator's order, for this caller's roles. */
  liste: '/grundkarten',
  /** A picture of 256 pixels in web mercator; 204 where the service has none. */
  kachel: (id: string, z: Id, x: Id, y: Id) => `/grundkarte/${id}/${z}/${x}/${y}`,
} as const
