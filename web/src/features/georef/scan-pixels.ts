// Brightness of a part of the scan at its full resolution, from its tiles.
import { TILE_SIZE } from '#contract/karte-files.ts'
import type { GreyPicture } from '#domain/georef/crossing.ts'
import { fetchTile, type ScanSource, scanResolutions } from '../../karte/ol-sources.ts'

export interface ScanPart {
  readonly picture: GreyPicture
  /** Column and row of the picture's upper left corner in the scan. */
  readonly left: number
  readonly top: number
}

/**
 * The square around a place, as far as it is on the scan; null if it is beside it.
 * @param reach pixels from the place to the square's edges
 */
export async function readScan(
  scan: ScanSource,
  { x, y, reach }: { readonly x: number; readonly y: number; readonly reach: number },
  signal?: AbortSignal,
): Promise<ScanPart | null> {
  const [left, top] = [Math.max(0, Math.floor(x - reach)), Math.max(0, Math.floor(y - reach))]
  const width = Math.min(scan.breite, Math.ceil(x + reach)) - left
  const height = Math.min(scan.hoehe, Math.ceil(y + reach)) - top
  if (!(width > 0) || !(height > 0)) return null
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return null
  const level = scanResolutions(scan).length - 1
  const tiles: Promise<void>[] = []
  for (let row = Math.floor(top / TILE_SIZE); row * TILE_SIZE < top + height; row++)
    for (let column = Math.floor(left / TILE_SIZE); column * TILE_SIZE < left + width; column++)
      tiles.push(
        fetchTile(scan.kachel(level, column, row), TILE_SIZE, signal).then((tile) =>
          context.drawImage(tile, column * TILE_SIZE - left, row * TILE_SIZE - top),
        ),
      )
  await Promise.all(tiles)
  const { data } = context.getImageData(0, 0, width, height)
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++)
    grey[at] = 0.299 * (data[4 * at] ?? 0) + 0.587 * (data[4 * at + 1] ?? 0) + 0.114 * (data[4 * at + 2] ?? 0)
  return { picture: { width, height, grey }, left, top }
}
