// Files and jobs of scanned plans: the uploaded scan, the georeferenced result, and the job that turns one
// into the other.
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import type { GeorefType } from '#domain/georef/transform.ts'
import type { MosaicValues } from './karte-mosaic.ts'

type Id = number | string

export type KarteFileKind = 'scan' | 'ergebnis'

/**
 * A stored file of a plan. Its bytes never change; a new scan or result is a new file, and the newest of its
 * kind is used.
 */
export interface KarteFile {
  id: number
  karte_id: number
  art: KarteFileKind
  name: string
  mime: string
  /** Bytes */
  groesse: number
  sha256: string
  /** Pixels */
  breite: number
  hoehe: number
  /** Dots per inch as stated in the file; null if not stated. */
  dpi: number | null
  angelegt_am: string
  wer: string | null
  /** Tiles are available: a scan is tiled after its upload, a result when it is made. */
  kacheln: boolean
  /** For a result: where it is. Closed ring of [easting, northing] in `epsg`. */
  epsg: number | null
  umriss: [number, number][] | null
  /** Null for a mosaic, too. */
  georef_typ: GeorefType | null
  /** Of a scan of more than eight bits per value: the values that are shown black and white. */
  grau_von: number | null
  grau_bis: number | null
  /** Parts of the scan's picture are broken, and something was drawn in their place. */
  beschaedigt: boolean
}

/**
 * What became of the place that an uploaded scan has of its own, in the header `Karte-Lage` of the last
 * answer. uebernommen: it is the plan's, and the result is being made. vorhanden: the plan had points already.
 * system: its coordinate system is unknown to us, or its numbers can be no place in that of the plan. annahme: it names
 * none, so its points were saved in the plan's, and somebody has to confirm that.
 */
export type ScanPlace = 'uebernommen' | 'vorhanden' | 'system' | 'annahme'

export type KarteJobState = 'wartet' | 'laeuft' | 'fertig' | 'fehlgeschlagen' | 'abgebrochen'

interface KarteJobBase {
  id: number
  karte_id: number
  stand: KarteJobState
  /** 0 to 100. */
  fortschritt: number
  /** Stable code of the failure; the browser has its German text. */
  fehler: string | null
  /** Details beyond the code, such as the points concerned; German. */
  einzelheit: string | null
  angelegt_am: string
  begonnen_am: string | null
  beendet_am: string | null
  wer: string | null
}
/** Cuts a scan into tiles, puts it into the map, or merges the results of several plans. */
export type KarteJob = KarteJobBase &
  (
    | { art: 'kacheln'; werte: null }
    | { art: 'entzerren'; werte: RectifyValues }
    | { art: 'mosaik'; werte: MosaicValues }
  )

/** Where a plan without points may be. */
export interface KarteSurroundings {
  /** [west, south, east, north] of the customer's other results, else of the survey; in Web Mercator. */
  kasten: [number, number, number, number] | null
  /** The customer's German postcode. */
  plz: string | null
}

export interface KarteFilesRpc {
  /** Newest first. */
  a_get_karte_dateien: { takes: { karte_id: Id }; answers: KarteFile[] }
  a_get_karte_auftraege: { takes: { karte_id: Id }; answers: KarteJob[] }
  /** Null for a plan that the caller may not see. */
  a_get_karte_umgebung: { takes: { karte_id: Id }; answers: KarteSurroundings | null }
  /**
   * Starts a job that makes the result from the saved points and method; refused while one is running.
   * Returns the job's id.
   */
  a_add_karte_auftrag: {
    takes: {
      karte_id: Id
      verfahren?: RectifyValues['verfahren']
      kompression?: RectifyValues['kompression']
      /** Without it a job whose points are far from the customer fails with `karte_ort`. */
      ort_bestaetigt?: boolean
    }
    answers: number
  }
  a_cancel_karte_auftrag: { takes: { id: Id }; answers: boolean }
  /** Tiles a plan's newest scan again after that failed or was cancelled. Returns the job's id. */
  a_retry_karte_kacheln: { takes: { datei_id: Id }; answers: number }
  a_delete_karte_datei: { takes: { id: Id }; answers: boolean }
}

/** Under the base path of the general API; every request carries the bearer token. */
export const kartePaths = {
  /** Resumable upload (tus 1.0.0) of a plan's scan; metadata `filename` and `sha256`. */
  upload: (karte: Id) => `/karte/${karte}/upload`,
  /**
   * POST {datei, seite}: a further sheet of a scan of the same customer becomes this plan's scan. Returns the
   * id of its file as `datei`.
   */
  seite: (karte: Id) => `/karte/${karte}/seite`,
  /** The stored bytes; range requests are supported. */
  datei: (karte: Id, file: Id) => `/karte/${karte}/datei/${file}`,
  /** At most 320 pixels on the longer edge. */
  vorschau: (karte: Id, file: Id) => `/karte/${karte}/vorschau/${file}`,
  /**
   * Deep zoom of a file in its own pixels: squares of TILE_SIZE pixels from the upper left. Level 0 fits into
   * one tile, each further level doubles the pixels, and the last is the file itself.
   */
  kachel: (karte: Id, file: Id, z: Id, x: Id, y: Id) => `/karte/${karte}/kachel/${file}/${z}/${x}/${y}`,
  /** A result as map tiles of 256 pixels in web mercator. 204 outside the result. */
  overlay: (karte: Id, file: Id, z: Id, x: Id, y: Id) => `/karte/${karte}/auflage/${file}/${z}/${x}/${y}`,
} as const

/**
 * Size in bytes of one piece of an upload: a request lasts at most a minute, and what arrived by then is
 * kept. The last response names the file in the header `Karte-Datei`, the fate of its own place in
 * `Karte-Lage`, and in `Karte-Seiten` how many sheets it holds, if there are several: the plan is the first.
 */
export const UPLOAD_PIECE = 4 * 1024 * 1024

export const TILE_SIZE = 512

/** Of one file, as plans; as many as are counted in a TIFF. */
export const MOST_SHEETS = 64

/** Number of levels of a file's tiles; the last one is full size. */
export const levelsOf = (width: number, height: number): number =>
  Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / TILE_SIZE))) + 1
