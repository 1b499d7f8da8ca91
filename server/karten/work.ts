// What a process beside the server does with a file from outside: inspect it, cut it into tiles, georeference
// it. The messages between the two.
import type { Pair } from '#domain/georef/frame.ts'
import type { KarteSeam, MosaicValues } from '#contract/karte-mosaic.ts'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import type { OwnPlace } from './geotiff-place.ts'

export type Work =
  | { readonly art: 'pruefen'; readonly filePath: string }
  | { readonly art: 'umfang'; readonly filePath: string; readonly pdftoppm: string }
  | { readonly art: 'pdf'; readonly filePath: string; readonly ziel: string; readonly pdftoppm: string }
  | ({ readonly art: 'seite' } & PageWork)
  | { readonly art: 'kacheln'; readonly filePath: string; readonly ziel: string }
  | {
      readonly art: 'entzerren'
      readonly filePath: string
      readonly ziel: string
      readonly werte: RectifyValues
      /** Paths of the programs, if GDAL is to do it. */
      readonly gdal: { readonly translate: string; readonly warp: string } | null
    }
  | ({ readonly art: 'mosaik'; readonly ziel: string } & MosaicWork)
  | ({ readonly art: 'naht' } & SeamWork)

export interface PictureDimensions {
  readonly breite: number
  readonly hoehe: number
  readonly dpi: number | null
}
/** One sheet of a file of several. */
export interface PageWork {
  readonly filePath: string
  readonly ziel: string
  /** From 1. */
  readonly seite: number
  /** For a PDF; null for a TIFF. */
  readonly pdftoppm: string | null
}
/** A result that has a place on the map. */
export interface PlacedResult {
  readonly filePath: string
  readonly epsg: number
  /** The sheet's edge in `epsg`. */
  readonly umriss: readonly Pair[]
}
export interface MosaicWork {
  /** The first on top. */
  readonly blaetter: readonly PlacedResult[]
  readonly werte: Omit<MosaicValues, 'blaetter'>
  /** With the grid of the old German systems, if it is not in the usual place. */
  readonly gridFolder: string | undefined
}
export interface SeamWork {
  readonly blaetter: readonly [PlacedResult, PlacedResult]
  readonly gridFolder: string | undefined
}
export interface Inspected extends PictureDimensions {
  /** How many sheets the file holds; the plan is the first. */
  readonly sheets: number
  /** Of a GeoTIFF. */
  readonly lage: OwnPlace | null
}
/** What decoding a scan has shown. */
export interface Tiled {
  /** Darkest and lightest value of a scan of more than eight bits, stretched for display. */
  readonly range: readonly [number, number] | null
  /** Parts of the picture's data are missing or broken, and something was drawn in their place. */
  readonly isDamaged: boolean
}
export interface Rectified {
  readonly breite: number
  readonly hoehe: number
  readonly umriss: [number, number][]
}
export interface ResultOf {
  pruefen: Inspected
  umfang: Pick<Inspected, 'sheets'>
  pdf: PictureDimensions
  seite: null
  kacheln: Tiled
  entzerren: Rectified
  mosaik: Rectified
  naht: KarteSeam
}

/**
 * Stable codes; their sentences are in web/src/data/rule-texts.ts. karte_bild: it cannot be read.
 * karte_abgeschnitten: the file ends within the picture. karte_tiff_…: a compression or depth that we do not
 * read. karte_pixel: too many pixels. karte_platz: the disk is full. karte_speicher, karte_zeit: more than a job
 * may use. karte_absturz: the process ended. karte_punkte…: the points determine no transformation.
 * karte_ort: its points are far from its customer, and nobody has confirmed it.
 * karte_raster…, karte_mosaik_gross: the result would be infinite or too large. karte_gitter: the grid of one of
 * the systems is missing. karte_gdal: GDAL failed. karte_pdf: no program for PDF, or it failed. karte_pdf_kennwort: it
 * needs a password. karte_seite: the file has no such page. karte_datei_fehlt, karte_blatt_fehlt: the bytes of the
 * scan, or of a mosaic's sheet, are gone. karte_pruefung: the result was not what it should have been.
 */
export type WorkCode =
  | 'karte_bild'
  | 'karte_abgeschnitten'
  | 'karte_tiff_lerc'
  | 'karte_tiff_lzma'
  | 'karte_tiff_zstd'
  | 'karte_tiff_art'
  | 'karte_tiff_tiefe'
  | 'karte_pixel'
  | 'karte_platz'
  | 'karte_speicher'
  | 'karte_zeit'
  | 'karte_absturz'
  | 'karte_punkte_wenige'
  | 'karte_punkte_doppelt'
  | 'karte_punkte_linie'
  | 'karte_punkte_unbestimmt'
  | 'karte_ort'
  | 'karte_raster_unendlich'
  | 'karte_raster_gross'
  | 'karte_raster_grob'
  | 'karte_gdal'
  | 'karte_gitter'
  | 'karte_mosaik_gross'
  | 'karte_pdf'
  | 'karte_pdf_kennwort'
  | 'karte_seite'
  | 'karte_datei_fehlt'
  | 'karte_blatt_fehlt'
  | 'karte_pruefung'

/** Reported by the working process; `message` is for the log, `einzelheit` for the reader. */
export class WorkFault extends Error {
  override readonly name = 'WorkFault'
  readonly code: WorkCode
  readonly einzelheit: string | null
  constructor(code: WorkCode, message: string, detail: string | null = null) {
    super(message)
    this.code = code
    this.einzelheit = detail
  }
}

export type WorkMessage =
  | { readonly kind: 'fortschritt'; readonly anteil: number }
  | { readonly kind: 'fertig'; readonly ergebnis: unknown }
  | {
      readonly kind: 'fehler'
      readonly code: WorkCode
      readonly message: string
      readonly einzelheit: string | null
    }
