// Photos of habitat trees: rows of app.habitatbilder. Bytes are asked for under the general API's paths, never under their SHA-256.

export type HabitatImageType = 'image/jpeg' | 'image/png' | 'image/webp'

export interface HabitatImage {
  id: number
  /** UUID made by the device: what is sent twice is one photo. */
  kennung: string
  habitat_id: number
  idHQ: number
  client_id: number
  dateiname: string
  typ: HabitatImageType
  /** Bytes and pixels of the original. */
  groesse: number
  breite: number
  hoehe: number
  sha256: string
  /** SHA-256 of the WebP derivatives of 320, 800 and 1600 pixels; null until they are made. */
  klein: string | null
  mittel: string | null
  gross: string | null
  /** By the camera's clock. */
  aufgenommen_am: string | null
  /** Degrees clockwise from north. */
  richtung: number | null
  exif_lage: { type: 'Point'; coordinates: [number, number] } | null
  /** Metres between the photo's own position and the tree's. */
  exif_abweichung_m: number | null
  bemerkung: string | null
  titelbild: boolean
  created_at: string
  created_by: string | null
  version: number
  geaendert_am: string
  geaendert_von: string | null
}

export type HabitatImageSize = 'original' | 'klein' | 'mittel' | 'gross'

/** Under the base path of the general API; every request carries the bearer token. */
export const habitatImagePaths = {
  /**
   * Resumable upload (tus 1.0.0) of a photo to a tree, both by their kennung; the tree has to be there. Metadata: `filename`; `sha256` of the bytes; `bemerkung`; `aufgenommen_am` (ISO), which counts where the
   * photo itself says no time. The last answer names the photo in the header `Habitat-Bild`. Of a photo that is there already the first answer has this header: nothing needs to be sent any more, and what is sent
   * all the same is answered as received.
   */
  upload: (baum: string, bild: string) => `/habitatbaum/${baum}/bild/${bild}/upload`,
  /** The bytes; ranges are answered. `original` is what was uploaded, to be saved; the others are WebP of at most 320, 800 and 1600 pixels on the longer edge. */
  bytes: (bild: number | string, groesse: HabitatImageSize) => `/habitatbilder/${bild}/${groesse}`,
} as const

/** Bytes of a photo at most. */
export const PHOTO_MOST_BYTES = 40 * 1024 * 1024
