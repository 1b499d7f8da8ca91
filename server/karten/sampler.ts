// Draws pixels of the map from pixels of the scan. The transformation is calculated at every sixteenth pixel
// and interpolated linearly in between, which is a hundred times faster; where that is measurably off, near
// the points of a spline, it is calculated at each pixel. Hardly a pixel differs by more than one grey value
// from what GDAL draws without tolerance; docs/karten.md names the exceptions.
import type { Pair } from '#domain/georef/frame.ts'
import type { Resampling } from '#domain/georef/output.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { samplingOf } from './kernels.ts'
import { isPresent } from './present.ts'
import type { Cell, Picture, Ratio } from './sampling.ts'

/** A strip of the grid: its pixels, and a mask with 255 on the sheet and 0 beside it. */
export interface Strip {
  readonly data: Uint8Array
  readonly mask: Uint8Array
  /** It contains nothing of the scan. */
  readonly empty: boolean
}

const STEP = 16
const STRAIGHT = 0.002

type Place = (column: number, row: number) => Pair

/**
 * Draws strips of the grid.
 * @param covers whether the grid is around the whole picture, as GDAL's results are, or shows a part of it
 */
export function createSampler(
  picture: Picture,
  toScan: (east: number, north: number) => Pair,
  raster: Raster,
  resampling: Resampling,
  covers: 'whole' | 'part' = 'whole',
) {
  const nodes = Math.ceil(raster.breite / STEP) + 1
  /** Place in the scan of the centre of a pixel of the grid. */
  const scanPlace: Place = (column, row) =>
    toScan(raster.west + (column + 0.5) * raster.aufloesung, raster.nord - (row + 0.5) * raster.aufloesung)
  const ratio = ratioOf(picture, scanPlace, raster, covers)
  const { sample, enter } = samplingOf(picture, resampling, ratio, covers === 'whole')

  /** Whether the centre of a cell is where its corners suggest. */
  function isStraight(
    upperX: Float64Array,
    upperY: Float64Array,
    lowerX: Float64Array,
    lowerY: Float64Array,
    node: number,
    row: number,
  ): boolean {
    const [x, y] = scanPlace(node * STEP + STEP / 2, row + STEP / 2)
    const dx = (upperX[node]! + upperX[node + 1]! + lowerX[node]! + lowerX[node + 1]!) / 4 - x
    const dy = (upperY[node]! + upperY[node + 1]! + lowerY[node]! + lowerY[node + 1]!) / 4 - y
    return Math.abs(dx) < STRAIGHT && Math.abs(dy) < STRAIGHT
  }

  /** Columns and rows of the scan at the nodes of one row. */
  function nodeLine(row: number, xs: Float64Array, ys: Float64Array): void {
    for (let node = 0; node < nodes; node++) [xs[node], ys[node]] = scanPlace(node * STEP, row)
  }

  return function draw(top: number, rows: number): Strip {
    const { breite } = raster
    // White outside the scan: programs that ignore masks show paper there.
    const data = new Uint8Array(breite * rows * picture.channels).fill(255)
    const mask = new Uint8Array(breite * rows)
    let [upperX, upperY, lowerX, lowerY] = Array.from({ length: 4 }, () => new Float64Array(nodes)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    nodeLine(top, upperX, upperY)
    let empty = true
    for (let row = 0; row < rows; row += STEP) {
      nodeLine(top + row + STEP, lowerX, lowerY)
      const last = Math.min(STEP, rows - row)
      for (let node = 0; node + 1 < nodes; node++) {
        if (isBeside(upperX, lowerX, node, picture.width) || isBeside(upperY, lowerY, node, picture.height))
          continue
        const columns = Math.min(STEP, breite - node * STEP)
        const exact = !isStraight(upperX, upperY, lowerX, lowerY, node, top + row)
        enter?.(cellOf(upperX, upperY, lowerX, lowerY, node))
        for (let j = 0; j < last; j++) {
          const v = j / STEP
          const [x0, x1] = [
            upperX[node]! * (1 - v) + lowerX[node]! * v,
            upperX[node + 1]! * (1 - v) + lowerX[node + 1]! * v,
          ]
          const [y0, y1] = [
            upperY[node]! * (1 - v) + lowerY[node]! * v,
            upperY[node + 1]! * (1 - v) + lowerY[node + 1]! * v,
          ]
          const [dx, dy] = [(x1 - x0) / STEP, (y1 - y0) / STEP]
          let at = (row + j) * breite + node * STEP
          let [x, y] = [x0, y0]
          for (let i = 0; i < columns; i++) {
            if (exact) [x, y] = scanPlace(node * STEP + i, top + row + j)
            if (isSheet(picture, x, y)) {
              sample(x, y, data, at * picture.channels)
              mask[at] = 255
              empty = false
            }
            at += 1
            x += dx
            y += dy
          }
        }
      }
      ;[upperX, upperY, lowerX, lowerY] = [lowerX, lowerY, upperX, upperY]
    }
    return { data, mask, empty }
  }
}

const isSheet = ({ width, height, present }: Picture, x: number, y: number): boolean =>
  x >= 0 &&
  y >= 0 &&
  x < width &&
  y < height &&
  (present === undefined || isPresent(present, Math.floor(y) * width + Math.floor(x)))

/** Whether all four corners of a cell are outside the scan on the same side, or have no valid coordinates. */
function isBeside(upper: Float64Array, lower: Float64Array, node: number, length: number): boolean {
  const [a, b, c, d] = [upper[node]!, upper[node + 1]!, lower[node]!, lower[node + 1]!]
  return !(Math.max(a, b, c, d) >= 0 && Math.min(a, b, c, d) < length)
}

/** How far one pixel of the map to the right, and one down, leads on the scan along one of its sides. */
type Steps = readonly [right: number, down: number]

const stepsOf = (upper: Float64Array, lower: Float64Array, node: number): Steps => {
  const [a, b, c, d] = [upper[node]!, upper[node + 1]!, lower[node]!, lower[node + 1]!]
  return [(b - a + d - c) / (2 * STEP), (c - a + d - b) / (2 * STEP)]
}

function cellOf(
  upperX: Float64Array,
  upperY: Float64Array,
  lowerX: Float64Array,
  lowerY: Float64Array,
  node: number,
): Cell {
  const xs = [upperX[node]!, upperX[node + 1]!, lowerX[node]!, lowerX[node + 1]!]
  const ys = [upperY[node]!, upperY[node + 1]!, lowerY[node]!, lowerY[node + 1]!]
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    upper: Math.min(...ys),
    lower: Math.max(...ys),
    size: sizeOf(stepsOf(upperX, lowerX, node), stepsOf(upperY, lowerY, node)),
  }
}

/** The side of a pixel of the map, however it is turned. */
const sideOf = ([right, down]: Steps): number => Math.hypot(right, down)

/** A sheet turned by more than 20 degrees. */
const THIN = 0.6

/**
 * The rectangle of a mean. GDAL's has two opposite corners of the pixel, and nothing is left of it where the
 * sheet is turned by 45 degrees; there it is around all four.
 */
function sizeOf(x: Steps, y: Steps): Ratio {
  const size = [Math.abs(x[0] + x[1]), Math.abs(y[0] + y[1])] as const
  const isThin = size[0] < THIN * sideOf(x) || size[1] < THIN * sideOf(y)
  return isThin ? [Math.abs(x[0]) + Math.abs(x[1]), Math.abs(y[0]) + Math.abs(y[1])] : size
}

/** What GDAL's ratio may differ from that of the pixels: it may be sharper, not blurred. */
const SHARPEST = 1.6
const SOFTEST = 0.95

/**
 * GDAL divides the sizes of the whole sheet and its whole grid, which is a little sharper where the sheet is
 * turned. Where it would blur, as with a sheet turned on its side, or leave gaps, the pixels in the middle
 * of the grid say it, as they do where the grid shows only a part.
 */
function ratioOf(
  { width, height }: Picture,
  scanPlace: Place,
  raster: Raster,
  covers: 'whole' | 'part',
): Ratio {
  const [column, row] = [(raster.breite - 1) / 2, (raster.hoehe - 1) / 2]
  const [left, right] = [scanPlace(column - 0.5, row), scanPlace(column + 0.5, row)]
  const [above, below] = [scanPlace(column, row - 0.5), scanPlace(column, row + 0.5)]
  const own: Ratio = [0, 1].map((side) =>
    sideOf([right[side]! - left[side]!, below[side]! - above[side]!]),
  ) as unknown as Ratio
  if (!own.every(Number.isFinite)) return [1, 1]
  if (covers === 'part') return own
  const theirs = [rounded(width / raster.breite), rounded(height / raster.hoehe)] as const
  const fits = theirs.every((ratio, side) => {
    const sharper = own[side]! / ratio
    return sharper >= SOFTEST && sharper <= SHARPEST
  })
  return fits ? theirs : own
}

/** As GDAL does: to a whole number if it is near one. */
const rounded = (ratio: number): number => {
  const whole = Math.round(ratio)
  return ratio > 1 && Math.abs(ratio - whole) < 0.05 ? whole : ratio
}
