// A part of a result as it is drawn on another grid: the smallest stored size that is fine enough, cut out around
// what the grid covers, with what the mask leaves out transparent.
import sharp from '#server/sharp.ts'
import type { Resampling } from '#domain/georef/output.ts'
import type { Raster } from '#domain/georef/raster.ts'
import type { Conversion, Place } from '#domain/projection.ts'
import { readMask, type TiffHead, type TiffPage } from './read-tiff.ts'
import { createSampler, type Strip } from './sampler.ts'
import type { Picture } from './sampling.ts'

/** From a place on the grid to a pixel of the result; not a number where there is none. */
export type PixelOf = (east: number, north: number) => readonly [column: number, row: number]

export interface PartOf {
  readonly raster: Raster
  readonly pixelOf: PixelOf
}
export interface Part extends Omit<Strip, 'empty'> {
  /** With transparency as the last channel if there are two or four. */
  readonly channels: number
}

/** Extra pixels around the window, for what a kernel reaches that is twice as wide as a pixel. */
const MARGIN = 4
/** Along each side of the grid. */
const PROBES = 8

export const NOWHERE: Place = [Number.NaN, Number.NaN]

/** Not every place has coordinates in every system, and grids are limited. */
export function computed(conversion: Conversion, place: Place): Place {
  try {
    return conversion(place)
  } catch {
    return NOWHERE
  }
}

export const openPage = (path: string, pageNumber: number) =>
  sharp(path, { page: pageNumber, limitInputPixels: false, sequentialRead: false })

/**
 * The smallest size with at least the wanted number of pixels, or one pixel less:
 * halves are rounded either way.
 */
export const smallestCovering = (pictures: readonly TiffPage[], width: number): TiffPage =>
  pictures.findLast((picture) => picture.breite >= width - 1) ?? pictures[0]!

/** Null if the result has nothing there. */
export async function drawPart(
  path: string,
  head: TiffHead,
  { raster, pixelOf }: PartOf,
  resampling: Resampling,
): Promise<Part | null> {
  const voll = head.bilder[0]!
  const window = windowOf(raster, pixelOf, voll)
  if (window === null) return null
  // At least as many pixels as the grid has, and at most twice as many.
  const picture = smallestCovering(
    head.bilder,
    Math.ceil((voll.breite * Math.max(raster.breite, raster.hoehe)) / Math.max(window.breite, window.hoehe)),
  )
  const cut = await cutOf(path, head, picture, window)
  const toPicture: PixelOf = (east, north) => {
    const [column, row] = pixelOf(east, north)
    return [column * cut.u - cut.left, row * cut.v - cut.top]
  }
  const drawn = createSampler(cut.bild, toPicture, raster, resampling, 'part')(0, raster.hoehe)
  return drawn.empty ? null : { data: drawn.data, mask: drawn.mask, channels: cut.bild.channels }
}

interface PixelWindow {
  readonly left: number
  readonly top: number
  readonly breite: number
  readonly hoehe: number
}

/**
 * What the grid covers in pixels of the full size, which may extend beyond the picture; null if they do not
 * meet. A grid that is partly outside the system's area may cover the whole picture.
 */
function windowOf(raster: Raster, pixelOf: PixelOf, { breite, hoehe }: TiffPage): PixelWindow | null {
  const [width, height] = [raster.breite * raster.aufloesung, raster.hoehe * raster.aufloesung]
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i <= PROBES; i++)
    for (let j = 0; j <= PROBES; j++) {
      const [column, row] = pixelOf(raster.west + (width * i) / PROBES, raster.nord - (height * j) / PROBES)
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
    openPage(path, image.seite).extract(area).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
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
