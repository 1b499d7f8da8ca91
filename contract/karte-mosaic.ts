// Several sheets of one area: the offsets at their seams, and the mosaic of them.
import type { SeamDoubt } from '#domain/georef/seam.ts'

type Id = number | string

/** One sheet of a mosaic, as it was when the mosaic was requested. */
export interface MosaicSheet {
  readonly karte_id: number
  readonly name: string
  readonly datei_id: number
}

/** Of two sheets, the upper one covers the lower, or the darker pixel counts: paper covers no drawing. */
export type Overlap = 'oben' | 'dunkel'

/** Pixels: in all as many as a result may have; a strip along a side is kept in memory several times. */
export const LARGEST_MOSAIC = { pixels: 1_000_000_000, side: 100_000 } as const

/** How the results of several plans become one. */
export interface MosaicValues {
  readonly epsg: number
  /** Map units per pixel; null uses those of the finest sheet. */
  readonly res: number | null
  readonly kompression: 'jpeg' | 'deflate'
  readonly ueberlappung: Overlap
  /** The first is on top. */
  readonly blaetter: readonly MosaicSheet[]
}

/** The newest result of a plan. */
export interface KarteResult {
  karte_id: number
  map_name: string
  client_id: number
  datei_id: number
  epsg: number
  /** Closed ring of [easting, northing] in `epsg`. */
  umriss: [number, number][]
  /** Pixels */
  breite: number
  hoehe: number
  sha256: string
}

/** How far the second sheet's drawing is from the first's, in metres to the east and north. */
export interface SeamOffset {
  ost: number
  nord: number
}
export type KarteSeam = {
  /** The overlap, the first sheet's drawing red and the second's blue; a PNG in base64, null if there is none. */
  bild: string | null
} & (
  | ({
      art: 'gemessen'
      /** Correlation of the two drawings, 0 to 1. */
      vertrauen: number
      /** Metres per pixel at which it was measured. */
      aufloesung: number
      /** Along the seam, in thirds; null where a third has too little drawing. */
      teile: (SeamOffset | null)[]
    } & SeamOffset)
  | { art: 'unsicher'; grund: SeamDoubt }
)

export interface KarteMosaicRpc {
  /** For up to 24 plans; those without a result are left out. Staff only. */
  a_get_karte_ergebnisse: { takes: { karten: number[] }; answers: KarteResult[] }
  /**
   * Makes a plan of the same customer whose result is the mosaic of these plans' results, the first on top.
   * Returns its id; its jobs tell how far it is.
   */
  a_add_karte_mosaik: {
    takes: { karten: number[]; map_name: string } & Pick<MosaicValues, 'epsg'> &
      Partial<Pick<MosaicValues, 'res' | 'kompression' | 'ueberlappung'>>
    answers: number
  }
  /** Makes it again from what its sheets are now. Returns the job's id. */
  a_repeat_karte_mosaik: { takes: { karte_id: Id }; answers: number }
}

/** GET, staff only: the offset between the newest results of two plans. Answers a KarteSeam. */
export const seamPath = (karte: Id, other: Id): string => `/karte/${karte}/naht/${other}`
