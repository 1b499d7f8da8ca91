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
  /** The operator's own file: its tiles are read from it in pieces, not asked for one by one. */
  datei?: BaseMapFile
  /** The grid of a service that has another one than the usual one of web mercator. */
  raster?: BaseMapRaster
}

export interface BaseMapRaster {
  /** EPSG code. */
  projektion: number
  /** From the coarsest to the finest; a tile's z is the place in this list. */
  ebenen: readonly BaseMapLevel[]
}
export interface BaseMapLevel {
  /** Metres per pixel. */
  aufloesung: number
  /** Upper left corner of the first tile, easting first. */
  ursprung: [x: number, y: number]
  /** Pixels of a tile. */
  kachel: [width: number, height: number]
  /** Tiles of the level. */
  zahl: [columns: number, rows: number]
}

/** Level, column and row. */
export interface BaseMapTile {
  readonly z: number
  readonly x: number
  readonly y: number
}

export interface BaseMapFile {
  /** Changes with the file. */
  fassung: string
  /** What its tiles are. */
  form: 'bild' | 'vektor'
}

/** Under the base path of the general API; every request carries the bearer token. */
export const baseMapPaths = {
  /** BaseMap[], in the operator's order, for this caller's roles. */
  liste: '/grundkarten',
  /** A 256-pixel tile in web mercator; 204 where the service has none. */
  kachel: (id: string, z: Id, x: Id, y: Id) => `/grundkarte/${id}/${z}/${x}/${y}`,
  /** The file itself (PMTiles), for requests with Range: at most PIECE_BYTES in one answer. */
  datei: (version: string) => `/grundkarte-datei/${version}`,
} as const

/** More than any tile or directory has. */
export const PIECE_BYTES = 8 * 1024 * 1024
