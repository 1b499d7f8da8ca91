// Parts of tiled pictures: deep zoom in their own pixels, thumbnails, and results as tiles of web maps. The
// files were all written by this product or by its GDAL, never by a user.
import sharp from '#server/sharp.ts'
import { levelsOf, TILE_SIZE } from '#contract/karte-files.ts'
import type { Converter } from '#domain/projection.ts'
import type { GridExtent, Grid } from './grid.ts'
import { readTiff, type TiffHead } from './read-tiff.ts'
import {
  computed,
  drawPart,
  NOWHERE,
  openPage as open,
  type PixelOf,
  smallestCovering,
} from './result-part.ts'

const PREVIEW = 320
const QUALITY = 85
const WEB_TILE = 256
const HALF = 20_037_508.342789244
const MOST_ZOOM = 24

export interface TileImage {
  readonly mime: 'image/jpeg' | 'image/webp' | 'image/png'
  readonly inhalt: Buffer
}

/** Caches heads by path; a file with a given name never changes. */
export function createHeads(most = 200): (path: string) => Promise<TiffHead> {
  const kept = new Map<string, Promise<TiffHead>>()
  return (path) => {
    const known = kept.get(path)
    const head = known ?? readTiff(path)
    kept.delete(path)
    kept.set(path, head)
    if (known === undefined) head.catch(() => kept.delete(path))
    if (kept.size > most) kept.delete(kept.keys().next().value!)
    return head
  }
}

/** Null if there is no such tile. */
export async function cutTile(
  path: string,
  head: TiffHead,
  z: number,
  x: number,
  y: number,
): Promise<TileImage | null> {
  const { breite, hoehe } = head.bilder[0]!
  const levels = levelsOf(breite, hoehe)
  if (z >= levels) return null
  const shrink = 2 ** (levels - 1 - z)
  const [width, height] = [Math.ceil(breite / shrink), Math.ceil(hoehe / shrink)]
  const [left, top] = [x * TILE_SIZE, y * TILE_SIZE]
  if (left >= width || top >= height) return null
  const [columns, rows] = [Math.min(TILE_SIZE, width - left), Math.min(TILE_SIZE, height - top)]
  const picture = smallestCovering(head.bilder, width)
  const [u, v] = [picture.breite / width, picture.hoehe / height]
  const along = (from: number, length: number, scale: number, most: number) => {
    const start = Math.min(most - 1, Math.round(from * scale))
    return [start, Math.max(1, Math.min(most, Math.round((from + length) * scale)) - start)] as const
  }
  const [fromX, takeX] = along(left, columns, u, picture.breite)
  const [fromY, takeY] = along(top, rows, v, picture.hoehe)
  let image = open(path, picture.seite).extract({ left: fromX, top: fromY, width: takeX, height: takeY })
  if (takeX !== columns || takeY !== rows) image = image.resize({ width: columns, height: rows, fit: 'fill' })
  return {
    mime: 'image/jpeg',
    inhalt: await image.flatten({ background: 'white' }).jpeg({ quality: QUALITY }).toBuffer(),
  }
}

export async function drawPreview(path: string, head: TiffHead): Promise<TileImage> {
  const { breite, hoehe } = head.bilder[0]!
  const wanted = Math.ceil((breite * PREVIEW) / Math.max(breite, hoehe))
  const content = await open(path, smallestCovering(head.bilder, wanted).seite)
    .flatten({ background: 'white' })
    .resize({ width: PREVIEW, height: PREVIEW, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY })
    .toBuffer()
  return { mime: 'image/jpeg', inhalt: content }
}

/** A tile of the web map from a result; null if it contains nothing of the result. */
export async function drawOverlay(
  path: string,
  head: TiffHead,
  { converter, extent }: Pick<Grid, 'converter' | 'extent'>,
  epsg: number,
  [z, x, y]: readonly [z: number, x: number, y: number],
  mime: 'image/webp' | 'image/png' = 'image/webp',
): Promise<TileImage | null> {
  const { lage } = head
  if (lage === null || z > MOST_ZOOM || x >= 2 ** z || y >= 2 ** z) return null
  const resolution = (2 * HALF) / 2 ** z / WEB_TILE
  const raster = {
    west: x * WEB_TILE * resolution - HALF,
    nord: HALF - y * WEB_TILE * resolution,
    aufloesung: resolution,
    breite: WEB_TILE,
    hoehe: WEB_TILE,
  }
  const drawn = await drawPart(
    path,
    head,
    { raster, pixelOf: pixelOf(lage, converter, extent, epsg) },
    'bilinear',
  )
  if (drawn === null) return null
  const { data, mask, channels } = drawn
  const pixels = toRgba(data, mask, channels)
  if (pixels === null) return null
  const tile = sharp(pixels, { raw: { width: WEB_TILE, height: WEB_TILE, channels: 4 } })
  const written =
    mime === 'image/png'
      ? tile.png({ compressionLevel: 3, palette: false })
      : tile.webp({ quality: QUALITY, effort: 1 })
  return { mime, inhalt: await written.toBuffer() }
}

/** From a place on the web map to a pixel of the result. */
function pixelOf(
  { west, nord, aufloesung }: NonNullable<TiffHead['lage']>,
  converter: Converter,
  extent: GridExtent | null,
  epsg: number,
): PixelOf {
  const within = WITH_GRID.has(epsg) ? extent : null
  const toKarte = converter.conversion(3857, epsg)
  return (east, north) => {
    const [e, n] =
      within === null || isWithin(within, east, north) ? computed(toKarte, [east, north]) : NOWHERE
    return [(e - west) / aufloesung, (nord - n) / aufloesung]
  }
}

/** Systems on Bessel's ellipsoid, which need the grid. */
const WITH_GRID: ReadonlySet<number> = new Set([31466, 31467, 31468, 31469])

/** Takes web mercator coordinates, whose degrees match those of the grid closely enough for this check. */
function isWithin({ west, sued, ost, nord }: GridExtent, x: number, y: number): boolean {
  const lon = (x / HALF) * 180
  const lat = (Math.atan(Math.sinh((y / HALF) * Math.PI)) * 180) / Math.PI
  return lon > west && lon < ost && lat > sued && lat < nord
}

/** Null if all of it is transparent. */
function toRgba(data: Uint8Array, mask: Uint8Array, channels: number): Uint8Array | null {
  const rgba = new Uint8Array(mask.length * 4)
  const grey = channels < 3
  let any = false
  for (let i = 0; i < mask.length; i++) {
    const from = i * channels
    const alpha = mask[i] === 0 ? 0 : channels === 2 || channels === 4 ? data[from + channels - 1]! : 255
    if (alpha === 0) continue
    any = true
    rgba[4 * i] = data[from]!
    rgba[4 * i + 1] = data[grey ? from : from + 1]!
    rgba[4 * i + 2] = data[grey ? from : from + 2]!
    rgba[4 * i + 3] = alpha
  }
  return any ? rgba : null
}
