// Composes the scan into one small picture for the overlay, from its tiles.
import { TILE_SIZE } from '#contract/karte-files.ts'
import { fetchTile, type ScanSource, scanResolutions } from '../../karte/ol-sources.ts'

/** Longer edge of the picture of the scan; every graphics card supports this size. */
const PICTURE = 4096

/** A picture of the scan, from tiles of the finest level that fits. */
export interface ScanImage {
  readonly canvas: HTMLCanvasElement
  /** Pixels of the picture per pixel of the scan. */
  readonly anteil: number
}

/** First the whole scan in one tile, then finer ones, so that something is visible at once. */
export async function fetchScanPicture(
  scan: ScanSource,
  signal: AbortSignal,
  onPicture: (picture: ScanImage) => void,
): Promise<void> {
  const resolutions = scanResolutions(scan)
  const longest = Math.max(scan.breite, scan.hoehe)
  const fine = Math.max(
    0,
    resolutions.findLastIndex((resolution) => longest / resolution <= PICTURE),
  )
  for (const level of fine === 0 ? [0] : [0, fine]) {
    const resolution = resolutions[level]!
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(scan.breite / resolution)
    canvas.height = Math.ceil(scan.hoehe / resolution)
    const context = canvas.getContext('2d')!
    const tiles: [number, number][] = []
    for (let y = 0; y * TILE_SIZE < canvas.height; y++)
      for (let x = 0; x * TILE_SIZE < canvas.width; x++) tiles.push([x, y])
    // A few at a time, because the pane beside it requests tiles too.
    const fetchNext = async (): Promise<void> => {
      for (let tile = tiles.pop(); tile !== undefined; tile = tiles.pop()) {
        const [x, y] = tile
        const picture = await fetchTile(scan.kachel(level, x, y), TILE_SIZE, signal)
        context.drawImage(picture, x * TILE_SIZE, y * TILE_SIZE)
      }
    }
    await Promise.all(Array.from({ length: 4 }, fetchNext))
    if (signal.aborted) return
    onPicture({ canvas, anteil: 1 / resolution })
  }
}
