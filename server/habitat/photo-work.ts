// What a process beside the server does with a photo: reads the camera's metadata, and draws it in three
// sizes. The messages between the two.
import type { ExifTags } from '#domain/habitat/exif.ts'

/** Longest edge in pixels. */
export const PHOTO_SIZES = { klein: 320, mittel: 800, gross: 1600 } as const
export type PhotoSize = keyof typeof PHOTO_SIZES

/** More is not a camera's photo but a picture made to fill memory. */
export const MOST_PIXELS = 50_000_000
/** A smaller photo shows no tree. */
export const SMALLEST_EDGE = 32

export interface PhotoWork {
  readonly nr: number
  readonly filePath: string
  readonly targets: Readonly<Record<PhotoSize, string>>
}
export interface PhotoResult {
  /** As displayed: rotated as the camera says. */
  readonly breite: number
  readonly hoehe: number
  readonly tags: ExifTags
}

/**
 * bild_kaputt: it cannot be read completely. bild_pixel, bild_klein: too many, too few pixels.
 * bild_aufwand: it took more time or memory than a photo may. bild_platz: the disk is full.
 * bild_absturz: the process ended.
 */
export type PhotoFaultCode =
  | 'bild_kaputt'
  | 'bild_pixel'
  | 'bild_klein'
  | 'bild_aufwand'
  | 'bild_platz'
  | 'bild_absturz'

export class PhotoFault extends Error {
  override readonly name = 'PhotoFault'
  readonly code: PhotoFaultCode
  constructor(code: PhotoFaultCode, message: string) {
    super(message)
    this.code = code
  }
}

export type PhotoMessage =
  | { readonly nr: number; readonly kind: 'fertig'; readonly ergebnis: PhotoResult }
  | { readonly nr: number; readonly kind: 'fehler'; readonly code: PhotoFaultCode; readonly message: string }
