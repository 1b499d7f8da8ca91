// What a process beside the server does with a photo: reads what the camera says, and draws it in three sizes. Messages between the two.
import type { ExifTags } from '#domain/habitat/exif.ts'

/** Longest edge in pixels. */
export const GROESSEN = { klein: 320, mittel: 800, gross: 1600 } as const
export type Groesse = keyof typeof GROESSEN

/** More is no photo of a camera but a picture made to fill memory. */
export const MOST_PIXELS = 50_000_000
/** Less shows no tree. */
export const SMALLEST_EDGE = 32

export interface FotoArbeit {
  readonly nr: number
  readonly pfad: string
  readonly ziele: Readonly<Record<Groesse, string>>
}
export interface FotoErgebnis {
  /** As it is to be looked at: turned as the camera says. */
  readonly breite: number
  readonly hoehe: number
  readonly tags: ExifTags
}

/** bild_kaputt: it cannot be read to its end. bild_pixel, bild_klein: too many, too few pixels. bild_aufwand: it took more time or memory than a photo may. bild_platz: the disk is full. bild_absturz: the process ended. */
export type FotoCode = 'bild_kaputt' | 'bild_pixel' | 'bild_klein' | 'bild_aufwand' | 'bild_platz' | 'bild_absturz'

export class FotoFault extends Error {
  override readonly name = 'FotoFault'
  readonly code: FotoCode
  constructor(code: FotoCode, message: string) {
    super(message)
    this.code = code
  }
}

export type FotoNachricht =
  | { readonly nr: number; readonly kind: 'fertig'; readonly ergebnis: FotoErgebnis }
  | { readonly nr: number; readonly kind: 'fehler'; readonly code: FotoCode; readonly message: string }
