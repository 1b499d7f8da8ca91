// Scans of more than eight bits per value: 16 bits of a scanner, floating point of a height model. Their
// values are stretched from the darkest to the lightest, as any viewer does; shown as they are they would be
// black or white.
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

/** Null: a picture of eight bits, or one with transparency, which the library converts by itself. */
export async function readDeep(path: string, most: number): Promise<Deep | null> {
  const { width, height, channels, space, depth, hasAlpha, format } = await sharp(path, {
    limitInputPixels: most,
  }).metadata()
  const unchanged = UNCHANGED[space]
  if (EIGHT_BITS.has(depth) || hasAlpha || unchanged === undefined || (channels !== 1 && channels !== 3))
    return null
  const nothing = format === 'tiff' ? await nothingOf(path) : null
  const isValue = (value: number) => Number.isFinite(value) && value !== nothing
  const rows = Math.max(1, Math.floor(MOST_VALUES / (width * channels)))
  const strip = stripsOf(path, most, unchanged, width, height, rows)

  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let top = 0; top < height; top += rows)
    for (const value of await strip(top))
      if (isValue(value)) {
        if (value < lowest) lowest = value
        if (value > highest) highest = value
      }
  if (lowest > highest) [lowest, highest] = [0, 0]
  // A sheet of one value is white.
  const black = highest > lowest ? lowest : lowest - 1
  const scale = 255 / (highest - black)
  const data = new Uint8Array(width * height * channels)
  for (let top = 0, to = 0; top < height; top += rows)
    // Where there is no value, the sheet is white.
    for (const value of await strip(top))
      data[to++] = isValue(value) ? Math.round((value - black) * scale) : 255
  return { picture: { width, height, channels, data }, range: [lowest, highest] }
}

/** Reads strips of rows; the last one is kept, and many scans have only one. */
function stripsOf(
  path: string,
  most: number,
  space: 'grey16' | 'rgb16' | 'b-w' | 'scrgb',
  width: number,
  height: number,
  rows: number,
): (top: number) => Promise<Float32Array> {
  let kept: { readonly top: number; readonly values: Float32Array } | null = null
  return async (top) => {
    if (kept?.top === top) return kept.values
    kept = null
    const { buffer, byteOffset, length } = await sharp(path, {
      limitInputPixels: most,
      failOn: 'error',
      sequentialRead: true,
    })
      .pipelineColourspace(space)
      .toColourspace(space)
      .extract({ left: 0, top, width, height: Math.min(rows, height - top) })
      .raw({ depth: 'float' })
      .toBuffer()
    kept = { top, values: new Float32Array(buffer, byteOffset, length / 4) }
    return kept.values
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
