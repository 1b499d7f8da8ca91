// Prepares a photo from the camera or gallery for storage: read completely at once, because a browser may
// lose access to a picked file; checked by its bytes; with a thumbnail for lists.
import { PHOTO_MOST_BYTES } from '#contract/habitat-images.ts'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { timeOfFile } from './device-clock.ts'

export class PhotoError extends ToldError {
  override readonly name = 'PhotoError'
  readonly origin = undefined
  readonly code: 'leer' | 'gross' | 'heic' | 'typ' | 'lesen' | 'unsicher'
  constructor(code: PhotoError['code'], message: string) {
    super(message)
    this.code = code
  }
}

export type PhotoType = 'image/jpeg' | 'image/png' | 'image/webp' | 'heic'
const text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))
/** Type by magic bytes, whatever the file name says. */
export function photoTypeOf(head: Uint8Array): PhotoType | null {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  if (head[0] === 0x89 && text(head, 1, 4) === 'PNG') return 'image/png'
  if (text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP') return 'image/webp'
  if (text(head, 4, 8) === 'ftyp' && /hei[cxms]|hev[cxms]|mif1|msf1/.test(text(head, 8, 48))) return 'heic'
  return null
}

export interface ReadyPhoto {
  readonly original: Blob
  readonly sha256: string
  readonly groesse: number
  readonly typ: string
  readonly name: string
  readonly vorschau: Blob | null
  readonly aufgenommen_am: string
}
/** Rejects with PhotoError. */
export async function readPhoto(file: File): Promise<ReadyPhoto> {
  if (file.size === 0) throw new PhotoError('leer', t('{name} ist leer.', { name: file.name }))
  if (file.size > PHOTO_MOST_BYTES)
    throw new PhotoError(
      'gross',
      t('{name} ist größer als {most}.', { name: file.name, most: formatBytes(PHOTO_MOST_BYTES) }),
    )
  const bytes = await file.arrayBuffer().catch(() => {
    throw new PhotoError(
      'lesen',
      t('{name} ließ sich nicht lesen. Bitte nehmen Sie das Foto noch einmal auf.', { name: file.name }),
    )
  })
  const kind = photoTypeOf(new Uint8Array(bytes, 0, Math.min(64, bytes.byteLength)))
  if (kind === 'heic')
    throw new PhotoError(
      'heic',
      t(
        'Fotos im Format HEIC lassen sich nicht verwenden. Stellen Sie die Kamera auf JPEG („Maximale ' +
          'Kompatibilität“) und nehmen Sie das Foto noch einmal auf.',
      ),
    )
  if (kind === null)
    throw new PhotoError(
      'typ',
      t('{name} ist kein Foto, das sich verwenden lässt: JPEG, PNG oder WebP.', { name: file.name }),
    )
  if (globalThis.crypto?.subtle === undefined)
    throw new PhotoError(
      'unsicher',
      t('Fotos lassen sich nur über eine gesicherte Verbindung (https) aufnehmen.'),
    )
  const original = new Blob([bytes], { type: kind })
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return {
    original,
    sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    groesse: bytes.byteLength,
    typ: kind,
    name: nameOf(file.name, kind),
    vorschau: await previewOf(original),
    // For a camera file this is now; a gallery file has its own time.
    aufgenommen_am: timeOfFile(file.lastModified).toISOString(),
  }
}
const nameOf = (name: string, kind: string): string => name.trim().slice(-150) || `Foto.${kind.slice(6)}`

const EDGE_PX = 320
/**
 * Upright, at most 320 pixels. Null if this browser cannot draw it; the server checks whether it is intact.
 */
async function previewOf(original: Blob): Promise<Blob | null> {
  try {
    const picture = await createImageBitmap(original, { imageOrientation: 'from-image' })
    const scale = Math.min(1, EDGE_PX / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
  } catch {
    return null
  }
}
