// Parts of tiled pictures: deep zoom in their own pixels, thumbnails, and results as tiles of web maps. The
// files were all written by this product or by its GDAL, never by a user.
import sharp from '#server/sharp.ts'
import { levelsOf, TILE_SIZE } from '#contract/karte-files.ts'
import type { Place, Conversion } from '#domain/projection.ts'
import type { Picture } from './sampling.ts'
import { createSampler } from './sampler.ts'
import type { GridExtent, Grid } from './grid.ts'
import { readMask, readTiff, type TiffHead, type TiffPage } from './read-tiff.ts'

const PREVIEW = 320
const QUALITY = 85
const WEB_TILE = 256
const HALF = 20_037_508.342789244
const MOST_ZOOM = 24
/** Extra pixels around the window, for what a kernel reaches that is twice as wide as a pixel. */
const MARGIN = 4

export interface TileImage {
  readonly mime: 'image/jpeg' | 'image/webp'
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

const open = (path: string, seite: number) =>
  sharp(path, { page: seite, limitInputPixels: false, sequentialRead: false })

/**
 * The smallest size with at least the wanted number of pixels, or one pixel less:
 * halves are rounded either way.
 */
const smallestCovering = (pictures: readonly TiffPage[], width: number): TiffPage =>
  pictures.findLast((picture) => picture.breite >= width - 1) ?? pictures[0]!

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
  z: number,
  x: number,
  y: number,
): Promise<TileImage | null> {
  const { lage, bilder } = head
  if (lage === null || z > MOST_ZOOM || x >= 2 ** z || y >= 2 ** z) return null
  const voll = bilder[0]!
  const resolution = (2 * HALF) / 2 ** z / WEB_TILE
  const raster = {
    west: x * WEB_TILE * resolution - HALF,
    nord: HALF - y * WEB_TILE * resolution,
    aufloesung: resolution,
    breite: WEB_TILE,
    hoehe: WEB_TILE,
  }
  const within = WITH_GRID.has(epsg) ? extent : null
  const zurKarte = converter.conversion(3857, epsg)
  const pixelOf = (east: number, north: number): readonly [number, number] => {
    const [e, n] =
      within === null || isWithin(within, east, north) ? computed(zurKarte, east, north) : NOWHERE
    return [(e - lage.west) / lage.aufloesung, (lage.nord - n) / lage.aufloesung]
  }
  const window = windowOf(raster, pixelOf, voll)
  if (window === null) return null
  // At least as many pixels as the tile has, and at most twice as many.
  const picture = smallestCovering(
    bilder,
    Math.ceil((voll.breite * WEB_TILE) / Math.max(window.breite, window.hoehe)),
  )
  const cut = await cutOf(path, head, picture, window)
  const toPicture = (east: number, north: number): readonly [number, number] => {
    const [column, row] = pixelOf(east, north)
    return [column * cut.u - cut.left, row * cut.v - cut.top]
  }
  const { data, mask, empty } = createSampler(cut.bild, toPicture, raster, 'bilinear', 'part')(0, WEB_TILE)
  if (empty) return null
  const pixels = toRgba(data, mask, cut.bild.channels)
  if (pixels === null) return null
  const content = await sharp(pixels, { raw: { width: WEB_TILE, height: WEB_TILE, channels: 4 } })
    .webp({ quality: QUALITY, effort: 1 })
    .toBuffer()
  return { mime: 'image/webp', inhalt: content }
}

const NOWHERE: Place = [Number.NaN, Number.NaN]
/** Systems on Bessel's ellipsoid, which need the grid. */
const WITH_GRID: ReadonlySet<number> = new Set([31466, 31467, 31468, 31469])

/** Takes web mercator coordinates, whose degrees match those of the grid closely enough for this check. */
function isWithin({ west, sued, ost, nord }: GridExtent, x: number, y: number): boolean {
  const lon = (x / HALF) * 180
  const lat = (Math.atan(Math.sinh((y / HALF) * Math.PI)) * 180) / Math.PI
  return lon > west && lon < ost && lat > sued && lat < nord
}

/** Not every place has coordinates in every system, and grids are limited. */
function computed(conversion: Conversion, east: number, north: number): Place {
  try {
    return conversion([east, north])
  } catch {
    return NOWHERE
  }
}

interface PixelWindow {
  readonly left: number
  readonly top: number
  readonly breite: number
  readonly hoehe: number
}

const PROBES = 8

/**
 * What the tile covers in pixels of the full size, which may extend beyond the picture; null if they do not
 * meet. A tile that lies partly outside the system's area may cover the whole picture.
 */
function windowOf(
  { west, nord, aufloesung }: { west: number; nord: number; aufloesung: number },
  pixelOf: (east: number, north: number) => readonly [number, number],
  { breite, hoehe }: TiffPage,
): PixelWindow | null {
  const side = WEB_TILE * aufloesung
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i <= PROBES; i++)
    for (let j = 0; j <= PROBES; j++) {
      const [column, row] = pixelOf(west + (side * i) / PROBES, nord - (side * j) / PROBES)
      if (!Number.isFinite(column) || !Number.isFinite(row)) return { left: 0, top: 0, breite, hoehe }
      left = Math.min(left, column)
      right = Math.max(right, column)
      top = Math.min(top, row)
      bottom = Math.max(bottom, row)
    }
  if (right <= 0 || bottom <= 0 || left >= breite || top >= hoehe) return null
  return { left, top, breite: right - left, hoehe: bottom - top }
}

/** Pixels of one size around the window, with transparency as the last channel. */
async function cutOf(path: string, { bilder, masks }: TiffHead, image: TiffPage, window: PixelWindow) {
  const voll = bilder[0]!
  const [u, v] = [image.breite / voll.breite, image.hoehe / voll.hoehe]
  const left = Math.max(0, Math.floor(window.left * u) - MARGIN)
  const top = Math.max(0, Math.floor(window.top * v) - MARGIN)
  const width = Math.max(
    1,
    Math.min(image.breite, Math.ceil((window.left + window.breite) * u) + MARGIN) - left,
  )
  const height = Math.max(1, Math.min(image.hoehe, Math.ceil((window.top + window.hoehe) * v) + MARGIN) - top)
  const area = { left: Math.min(left, image.breite - 1), top: Math.min(top, image.hoehe - 1), width, height }
  const maskPage = masks.find(({ breite, hoehe }) => breite === image.breite && hoehe === image.hoehe)
  const [picture, alpha] = await Promise.all([
    open(path, image.seite).extract(area).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
    maskPage === undefined ? null : readMask(path, maskPage, area),
  ])
  return { bild: joined(picture, alpha), u, v, left: area.left, top: area.top }
}

interface RawPixels {
  readonly data: Buffer
  readonly info: { readonly width: number; readonly height: number; readonly channels: number }
}
function joined({ data, info: { width, height, channels } }: RawPixels, alpha: Uint8Array | null): Picture {
  if (alpha === null) return { width, height, channels, data }
  const step = channels + 1
  const all = new Uint8Array(width * height * step)
  for (let i = 0, from = 0, to = 0; i < width * height; i++, to += step) {
    for (let channel = 0; channel < channels; channel++) all[to + channel] = data[from++]!
    all[to + channels] = alpha[i]!
  }
  return { width, height, channels: step, data: all }
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
