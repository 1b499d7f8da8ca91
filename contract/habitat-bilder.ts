// Photos of habitat trees: rows of app.habitatbilder. Bytes are asked for under the general API's paths, never under their SHA-256.

export type HabitatbildTyp = 'image/jpeg' | 'image/png' | 'image/webp'

export interface Habitatbild {
  id: number
  /** UUID made by the device: what is sent twice is one photo. */
  kennung: string
  habitat_id: number
  idHQ: number
  client_id: number
  dateiname: string
  typ: HabitatbildTyp
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
