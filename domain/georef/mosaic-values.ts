/** One sheet of a mosaic, as it was when the mosaic was ordered. */
export interface MosaicSheet {
  readonly karte_id: number
  readonly name: string
  readonly datei_id: number
}

/** Of two sheets, the upper one covers the lower, or the darker pixel counts: paper covers no drawing. */
export type Overlap = 'oben' | 'dunkel'

/** How the results of several plans become one. */
export interface MosaicValues {
  readonly epsg: number
  /** Map units per pixel; null uses those of the finest sheet. */
  readonly res: number | null
  readonly kompression: 'jpeg' | 'deflate'
  readonly ueberlappung: Overlap
  /** The first lies on top. */
  readonly blaetter: readonly MosaicSheet[]
}
