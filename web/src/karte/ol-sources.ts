// Where pictures on a map come from: tiles of the own server, fetched with the caller's token. Loaded with the map alone.
import ImageTile from 'ol/source/ImageTile.js'
import type Projection from 'ol/proj/Projection.js'
import TileGrid from 'ol/tilegrid/TileGrid.js'
import { type BaseMap, baseMapPaths } from '#contract/base-map.ts'
import { levelsOf, TILE_SIZE } from '#contract/karte-files.ts'
import { fetchBlob } from '../data/blob.ts'
import { pathOf } from './path.ts'

/** Path of a tile under the base path of the general API, as the contract's `…Wege` give it. */
export type TilePath = (z: number, x: number, y: number) => string

/** A tile at the edge is smaller than the others; the map would stretch it. */
function padded(bitmap: ImageBitmap, edge: number): ImageBitmap | HTMLCanvasElement {
  if (bitmap.width === edge && bitmap.height === edge) return bitmap
  const canvas = document.createElement('canvas')
  canvas.width = edge
  canvas.height = edge
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas
}

/** The tile as a picture; where the server has nothing, nothing is drawn. Tiles never change under their address, so the browser may keep them. */
export async function fetchTile(
  path: string,
  edge: number,
  signal?: AbortSignal,
): Promise<ImageBitmap | HTMLCanvasElement> {
  const blob = await fetchBlob(pathOf(path), signal, { kept: true })
  if (blob.size > 0) return padded(await createImageBitmap(blob), edge)
  const empty = document.createElement('canvas')
  empty.width = edge
  empty.height = edge
  return empty
}

/** Tiles of the server in web mercator. */
export const mercatorSource = (
  kachel: TilePath,
  zoom: { readonly minZoom?: number; readonly maxZoom?: number } = {},
): ImageTile =>
  new ImageTile({
    loader: (z, x, y, { signal }) => fetchTile(kachel(z, x, y), 256, signal),
    wrapX: false,
    transition: 0,
    ...zoom,
  })

export const baseMapSource = ({ id, min, max }: BaseMap): ImageTile =>
  mercatorSource((z, x, y) => baseMapPaths.kachel(id, z, x, y), { minZoom: min, maxZoom: max })

export interface ScanSource {
  readonly breite: number
  readonly hoehe: number
  readonly kachel: TilePath
}

/** Pixels of the scan per pixel of the tile, from level 0 to the last one, which is the scan itself. */
export const scanResolutions = ({ breite, hoehe }: Pick<ScanSource, 'breite' | 'hoehe'>): number[] => {
  const levels = levelsOf(breite, hoehe)
  return Array.from({ length: levels }, (_, level) => 2 ** (levels - 1 - level))
}

/** Deep zoom of a scan in its own pixels. */
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
    // Sharp edges of pixels are what is looked for when the scan is enlarged.
    interpolate: true,
  })
