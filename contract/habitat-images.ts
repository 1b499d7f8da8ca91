// Photos of habitat trees: rows of app.habitatbilder. Bytes are requested under the general API's paths,
// never by their SHA-256.

export type HabitatImageType = 'image/jpeg' | 'image/png' | 'image/webp'

export interface HabitatImage {
  id: number
  /** UUID made by the device: sending the same photo twice stores it once. */
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
  /** According to the camera's clock. */
  aufgenommen_am: string | null
  /** Degrees clockwise from north. */
  richtung: number | null
  exif_lage: { type: 'Point'; coordinates: [number, number] } | null
  /** Metres between the position recorded in the photo and the tree's. */
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
   * Resumable upload (tus 1.0.0) of a photo of a tree, both identified by their kennung; the tree must exist.
   * Metadata: `filename`; `sha256` of the bytes; `bemerkung`; `aufgenommen_am` (ISO), used if the photo
   * itself records no time. The last response names the photo in the header `Habitat-Bild`. For a photo that
   * already exists, the first response has this header: nothing more needs to be sent, and anything sent
   * anyway is acknowledged as received.
   */
  upload: (tree: string, picture: string) => `/habitatbaum/${tree}/bild/${picture}/upload`,
  /**
   * The bytes; range requests are supported. `original` is the uploaded file, for download; the others are
   * WebP of at most 320, 800 and 1600 pixels on the longer edge.
   */
  bytes: (picture: number | string, size: HabitatImageSize) => `/habitatbilder/${picture}/${size}`,
} as const

/** Maximum size of a photo in bytes. */
export const PHOTO_MOST_BYTES = 40 * 1024 * 1024
