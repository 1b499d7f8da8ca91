// A small grey scan that is the same wherever it is drawn: slopes, a chequered pattern, fine lines. The
// stored results of GDAL and the tests are made from it.
import type { ControlPoint } from '#domain/georef/transform.ts'
import type { Picture } from './sampling.ts'

export const WIDTH = 160
export const HEIGHT = 120

/** @param times how often the sheet is as large in each direction; its lines are as fine as ever */
export function testPicture(times = 1): Picture {
  const [width, height] = [WIDTH * times, HEIGHT * times]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const slope = (x * 90) / width + (y * 90) / height
      const squares = ((x >> 4) ^ (y >> 4)) & 1 ? 60 : 0
      data[y * width + x] = x % 40 === 20 || y % 30 === 15 ? 0 : Math.floor(slope + squares)
    }
  return { width, height, channels: 1, data }
}

/** Turned by 5 degrees, 0.25 m per pixel, each point slightly off. */
export const CONTROL_POINTS: readonly ControlPoint[] = Array.from({ length: 14 }, (_, i) => {
  const column = 9 + ((i * 53) % 143)
  const row = 6 + ((i * 47) % 109)
  return {
    spalte: column,
    zeile: row,
    ost: Number((412_000 + 0.249 * column + 0.0218 * row + 0.11 * Math.sin(i)).toFixed(3)),
    nord: Number((5_987_000 + 0.0218 * column - 0.249 * row + 0.11 * Math.cos(2 * i)).toFixed(3)),
  }
})
