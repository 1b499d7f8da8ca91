// Base maps as the server offers them. Tiles come through the server's own proxy: no third party learns who looks at what.

export interface Grundkarte {
  readonly id: string
  readonly titel: string
  /** Shown on the map and on paper. */
  readonly quelle: string
  readonly minZoom: number
  readonly maxZoom: number
  /** Under the base path of the general API; tiles of 256 pixels in web mercator. */
  readonly kachel: (z: number, x: number, y: number) => string
}

/** Until a base map is chosen, or where none is configured. */
export const KEINE_GRUNDKARTE = ''
