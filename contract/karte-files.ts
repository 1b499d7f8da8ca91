// Files and jobs of scanned plans: the scan as it was uploaded, the georeferenced result, and the work that makes one of the other.
import type { GeorefType } from '#domain/georef/transform.ts'
import type { MappointInput } from './karte.ts'

type Id = number | string

export type KarteFileKind = 'scan' | 'ergebnis'

/** A stored file of a plan. Its bytes never change; a new scan or result is a new file, and the newest of its kind counts. */
export interface KarteFile {
  id: number
  karte_id: number
  art: KarteFileKind
  name: string
  mime: string
  /** Bytes. */
  groesse: number
  sha256: string
  /** Pixels. */
  breite: number
  hoehe: number
  /** Dots per inch as the file says; null when it does not. */
  dpi: number | null
  angelegt_am: string
  wer: string | null
  /** Tiles can be asked for: a scan is cut after its upload, a result when it is made. */
  kacheln: boolean
  /** Of a result: where it lies. Ring of [easting, northing] in `epsg`, closed. */
  epsg: number | null
  umriss: [number, number][] | null
  georef_typ: GeorefType | null
}

export type KarteJobState = 'wartet' | 'laeuft' | 'fertig' | 'fehlgeschlagen' | 'abgebrochen'

/** How a scan is laid onto the map. */
export interface RectifyValues {
  georef_typ: GeorefType
  epsg: number
  /** Units of the map per pixel of the result; null takes that of the scan. */
  res: number | null
  verfahren: 'near' | 'bilinear' | 'cubic' | 'cubicspline' | 'lanczos'
  kompression: 'jpeg' | 'deflate'
  punkte: MappointInput[]
}

export interface KarteJob {
  id: number
  karte_id: number
  art: 'kacheln' | 'entzerren'
  stand: KarteJobState
  /** 0 to 100. */
  fortschritt: number
  /** Stable code of what went wrong; a German sentence belongs to it in the browser. */
  fehler: string | null
  /** What the code alone does not say, such as the points meant; German. */
  einzelheit: string | null
  angelegt_am: string
  begonnen_am: string | null
  beendet_am: string | null
  wer: string | null
  werte: RectifyValues | null
}

export interface KarteFilesRpc {
  /** The newest first. */
  a_get_karte_dateien: { takes: { karte_id: Id }; answers: KarteFile[] }
  a_get_karte_auftraege: { takes: { karte_id: Id }; answers: KarteJob[] }
  /** Orders the result from the points and the method as they are saved; refused while one is under way. Answers the order's id. */
  a_add_karte_auftrag: {
    takes: {
      karte_id: Id
      verfahren?: RectifyValues['verfahren']
      kompression?: RectifyValues['kompression']
    }
    answers: number
  }
  a_cancel_karte_auftrag: { takes: { id: Id }; answers: boolean }
  /** Cuts a plan's newest scan once more, after that failed or was cancelled. Answers the order's id. */
  a_retry_karte_kacheln: { takes: { datei_id: Id }; answers: number }
  a_delete_karte_datei: { takes: { id: Id }; answers: boolean }
}

/** Under the base path of the general API; every request carries the bearer token. */
export const kartePaths = {
  /** Resumable upload (tus 1.0.0) of a plan's scan; metadata `filename` and `sha256`. */
  upload: (karte: Id) => `/karte/${karte}/upload`,
  /** The stored bytes; ranges are answered. */
  datei: (karte: Id, datei: Id) => `/karte/${karte}/datei/${datei}`,
  /** 320 pixels at most on the longer edge. */
  vorschau: (karte: Id, datei: Id) => `/karte/${karte}/vorschau/${datei}`,
  /** Deep zoom of a file in its own pixels: squares of KACHEL pixels from the upper left; level 0 fits into one, each further level has twice as many pixels, the last is the file itself. */
  kachel: (karte: Id, datei: Id, z: Id, x: Id, y: Id) => `/karte/${karte}/kachel/${datei}/${z}/${x}/${y}`,
  /** A result as map tiles of 256 pixels in web mercator. 204 outside. */
  overlay: (karte: Id, datei: Id, z: Id, x: Id, y: Id) => `/karte/${karte}/auflage/${datei}/${z}/${x}/${y}`,
} as const

/** Bytes of one piece of an upload: a request lasts a minute at most, and what it brought until then is kept. The last answer names the file in the header `Karte-Datei`. */
export const UPLOAD_PIECE = 4 * 1024 * 1024

export const TILE_SIZE = 512

/** Levels of a file's tiles: the last one is full size. */
export const levelsOf = (breite: number, hoehe: number): number =>
  Math.max(0, Math.ceil(Math.log2(Math.max(breite, hoehe) / TILE_SIZE))) + 1
