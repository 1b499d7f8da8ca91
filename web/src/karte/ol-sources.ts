// Raster tile sources: tiles of our own server, fetched with the caller's token. Loaded only with the map.
import ImageTile from 'ol/source/ImageTile.js'
import type Projection from 'ol/proj/Projection.js'
import TileGrid from 'ol/tilegrid/TileGrid.js'
import type { BaseMap } from '#contract/base-map.ts'
import { levelsOf, TILE_SIZE } from '#contract/karte-files.ts'
import { fetchBlob } from '../data/blob.ts'
import { fetchBaseTile } from './base-maps.data.ts'
import { pathOf } from './path.ts'

/** Path of a tile below the general API's base path, as the contract's `…Paths` build it. */
export type TilePath = (z: number, x: number, y: number) => string

/** Pads the smaller tiles at the edge, because the map would stretch them. */
function padded(bitmap: ImageBitmap, edge: number): ImageBitmap | HTMLCanvasElement {
  if (bitmap.width === edge && bitmap.height === edge) return bitmap
  const canvas = document.createElement('canvas')
  canvas.width = edge
  canvas.height = edge
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas
}

/**
 * Fetches a tile as an image; blank if the server has none. Tiles never change under their address, so the
 * browser may cache them.
 */
export async function fetchTile(
  path: string,
  edge: number,
  signal?: AbortSignal,
  onPicture?: () => void,
): Promise<ImageBitmap | HTMLCanvasElement> {
  const blob = await fetchBlob(pathOf(path), signal, { kept: true })
  if (blob.size > 0) {
    const picture = padded(await createImageBitmap(blob), edge)
    onPicture?.()
    return picture
  }
  const empty = document.createElement('canvas')
  empty.width = edge
  empty.height = edge
  return empty
}

/** Web Mercator tiles of our server. `onPicture`: one that is not blank has come. */
export const mercatorSource = (
  tile: TilePath,
  {
    onPicture,
    ...zoom
  }: { readonly minZoom?: number; readonly maxZoom?: number; readonly onPicture?: () => void } = {},
): ImageTile =>
  new ImageTile({
    loader: (z, x, y, { signal }) => fetchTile(tile(z, x, y), 256, signal, onPicture),
    wrapX: false,
    transition: 0,
    ...zoom,
  })

/** A base map of pictures. A file may have larger tiles than 256 pixels: they are drawn finer. */
export const baseMapSource = (karte: BaseMap): ImageTile =>
  new ImageTile({
    loader: async (z, x, y, { signal }) => bitmapOf(await fetchBaseTile(karte, { z, x, y }, signal)),
    wrapX: false,
    transition: 0,
    minZoom: karte.min,
    maxZoom: karte.max,
  })

export async function bitmapOf(blob: Blob): Promise<ImageBitmap | HTMLCanvasElement> {
  if (blob.size > 0) return createImageBitmap(blob)
  const empty = document.createElement('canvas')
  empty.width = 256
  empty.height = 256
  return empty
}

/**
 * Property of sources that do not cover the whole map, as those saved on a device: the background stays below
 * them.
 */
export const PARTIAL = 'lueckenhaft'
/** Property of layers of drawn shapes that belong on paper; others are tools. */
export const PRINTED = 'gedruckt'
/** Set on a source once a tile of it has been drawn. */
export const ARRIVED = 'angekommen'

export interface ScanSource {
  readonly breite: number
  readonly hoehe: number
  readonly kachel: TilePath
}

/** Scan pixels per tile pixel, from level 0 to the last level, which is the scan itself. */
export const scanResolutions = ({ breite, hoehe }: Pick<ScanSource, 'breite' | 'hoehe'>): number[] => {
  const levels = levelsOf(breite, hoehe)
  return Array.from({ length: levels }, (_, level) => 2 ** (levels - 1 - level))
}

/** Tile pyramid of a scan in its own pixel coordinates. */
export const scanTiles = (scan: ScanSource, projection: Projection): ImageTile =>
  new ImageTile({
    loader: (z, x, y, { signal }) => fetchTile(scan.kachel(z, x, y), TILE_SIZE, signal),
    projection,
    tileGrid: new TileGrid({
      extent: projection.getExtent(),
      origin: [0, 0],
      resolutions: scanResolutions(scan),
      tileSize: TILE_SIZE,
    }),
    wrapX: false,
    transition: 0,
    interpolate: true,
  })
