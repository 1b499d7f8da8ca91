// Scans of more than eight bits per value: 16 bits of a scanner, floating point of a height model. Their
// values are stretched from the darkest to the lightest, as viewers do; shown as they are they would be
// black or white.
import type { Sharp } from 'sharp'
import sharp from '#server/sharp.ts'
import { open } from 'node:fs/promises'
import type { Picture } from './sampling.ts'
import { directoriesOf } from './tiff-directories.ts'

export interface Deep {
  readonly picture: Picture
  /** What became black, and what became white. */
  readonly range: readonly [number, number]
}

/** The space in which the library hands out a picture's values unchanged. */
const UNCHANGED: Readonly<Record<string, 'grey16' | 'rgb16' | 'b-w' | 'scrgb'>> = {
  grey16: 'grey16',
  rgb16: 'rgb16',
  'b-w': 'b-w',
  scrgb: 'scrgb',
}
const EIGHT_BITS: ReadonlySet<string> = new Set(['uchar', 'char'])
/** At a time; 64 MB. */
const MOST_VALUES = 16_000_000

/** Null: a picture of eight bits. Where one with transparency shows nothing, there is no value. */
export async function readDeep(path: string, most: number): Promise<Deep | null> {
  const { width, height, channels, space, depth, hasAlpha, format } = await sharp(path, {
    limitInputPixels: most,
  }).metadata()
  const unchanged = UNCHANGED[space]
  const bands = hasAlpha ? channels - 1 : channels
  if (EIGHT_BITS.has(depth) || unchanged === undefined || (bands !== 1 && bands !== 3)) return null
  const colours = bands === 1 ? 1 : 3
  const nothing = format === 'tiff' ? await nothingOf(path) : null
  const isValue = ({ values, alpha }: Strip, at: number): boolean => {
    const value = values[at]!
    if (!Number.isFinite(value) || value === nothing) return false
    return alpha === null || alpha[Math.floor(at / colours)]! > 0
  }
  const rows = Math.max(1, Math.floor(MOST_VALUES / (width * channels)))
  const strip = stripsOf({
    path,
    most,
    space: unchanged,
    width,
    height,
    rows,
    alphaAt: hasAlpha ? colours : null,
  })

  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let top = 0; top < height; top += rows) {
    const read = await strip(top)
    for (let at = 0; at < read.values.length; at++) {
      if (!isValue(read, at)) continue
      lowest = Math.min(lowest, read.values[at]!)
      highest = Math.max(highest, read.values[at]!)
    }
  }
  if (lowest > highest) [lowest, highest] = [0, 0]
  // A sheet of one value is white.
  const black = highest > lowest ? lowest : lowest - 1
  const scale = 255 / (highest - black)
  const data = new Uint8Array(width * height * colours)
  const present = new Uint8Array(Math.ceil((width * height) / 8))
  let holes = false
  for (let top = 0, to = 0; top < height; top += rows) {
    const read = await strip(top)
    // Where there is no value, it is white for what knows no transparency.
    for (let at = 0; at < read.values.length; at++, to++) {
      const there = isValue(read, at)
      const pixel = Math.floor(to / colours)
      if (there) present[pixel >> 3]! |= 1 << (pixel & 7)
      else holes = true
      data[to] = there ? Math.round((read.values[at]! - black) * scale) : 255
    }
  }
  const picture = { width, height, channels: colours, data, ...(holes && { present }) }
  return { picture, range: [lowest, highest] }
}

interface Strip {
  readonly values: Float32Array
  /** One for each pixel; null for a picture without transparency. */
  readonly alpha: Float32Array | null
}
interface Strips {
  readonly path: string
  readonly most: number
  readonly space: 'grey16' | 'rgb16' | 'b-w' | 'scrgb'
  readonly width: number
  readonly height: number
  readonly rows: number
  /** The band of the transparency. */
  readonly alphaAt: 1 | 3 | null
}

/** Reads strips of rows; the last one is kept, and many scans have only one. */
function stripsOf({
  path,
  most,
  space,
  width,
  height,
  rows,
  alphaAt,
}: Strips): (top: number) => Promise<Strip> {
  let kept: (Strip & { readonly top: number }) | null = null
  async function band(top: number, take: (scan: Sharp) => Sharp): Promise<Float32Array> {
    const scan = sharp(path, { limitInputPixels: most, failOn: 'error', sequentialRead: true })
      .pipelineColourspace(space)
      .toColourspace(space)
      .extract({ left: 0, top, width, height: Math.min(rows, height - top) })
    const { buffer, byteOffset, length } = await take(scan).raw({ depth: 'float' }).toBuffer()
    return new Float32Array(buffer, byteOffset, length / 4)
  }
  return async (top) => {
    if (kept?.top === top) return kept
    kept = null
    // The library leaves transparency out of some spaces by itself.
    const values = await band(top, (scan) => scan.removeAlpha())
    const alpha = alphaAt === null ? null : await band(top, (scan) => scan.extractChannel(alphaAt))
    kept = { top, values, alpha }
    return kept
  }
}

const NO_VALUE = 42_113

/** The value that stands for none, which GDAL and the programs built on it write as text. */
async function nothingOf(path: string): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const [first] = await directoriesOf(file, new Set([NO_VALUE]), 100)
    const text = String.fromCharCode(...(first?.get(NO_VALUE) ?? [])).replace(/\0.*$/s, '')
    return text.trim() === '' || !Number.isFinite(Number(text)) ? null : Math.fround(Number(text))
  } finally {
    await file.close()
  }
}
