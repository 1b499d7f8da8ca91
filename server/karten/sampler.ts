// Draws pixels of the map from pixels of the scan. The transformation is calculated at every sixteenth pixel
// and interpolated linearly in between, which is a hundred times faster; where that is measurably off, near
// the points of a spline, it is calculated at each pixel. No pixel differs by more than two grey values from
// what GDAL draws without tolerance.
import type { Pair } from '#domain/georef/frame.ts'
import type { Resampling } from '#domain/georef/output.ts'
import type { Raster } from '#domain/georef/raster.ts'

/** Pixels row by row, one to four channels each. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** A strip of the grid: its pixels, and a mask with 255 inside the scan and 0 outside. */
export interface Strip {
  readonly data: Uint8Array
  readonly mask: Uint8Array
  /** It contains nothing of the scan. */
  readonly empty: boolean
}

const STEP = 16
const STRAIGHT = 0.002

interface Kernel {
  readonly radius: number
  weight(distance: number): number
}

/** The kernels by their usual names; the same as GDAL's. */
const KERNELS: Readonly<Record<Exclude<Resampling, 'near'>, Kernel>> = {
  bilinear: { radius: 1, weight: (x) => 1 - x },
  cubic: {
    radius: 2,
    weight: (x) => (x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2),
  },
  cubicspline: { radius: 2, weight: (x) => (x < 1 ? (3 * x ** 3 - 6 * x * x + 4) / 6 : (2 - x) ** 3 / 6) },
  lanczos: {
    radius: 3,
    weight: (x) =>
      x === 0 ? 1 : (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * x) ** 2,
  },
}

/** Number of positions between two pixels for which weights are tabulated. */
const PLACES = 1024

function tableOf({ radius, weight }: Kernel): Float64Array {
  const taps = 2 * radius
  const table = new Float64Array((PLACES + 1) * taps)
  for (let place = 0; place <= PLACES; place++)
    for (let tap = 0; tap < taps; tap++) {
      const distance = Math.abs(place / PLACES - (tap - radius + 1))
      table[place * taps + tap] = distance < radius ? weight(distance) : 0
    }
  return table
}

/**
 * Draws strips of the grid.
 * @param scale how many pixels of the scan one pixel of `bild` stands for, which may be a smaller copy
 */
export function createSampler(
  picture: Picture,
  zumScan: (east: number, north: number) => Pair,
  raster: Raster,
  resampling: Resampling,
  scale = 1,
) {
  const nodes = Math.ceil(raster.breite / STEP) + 1
  const sample = sampleOf(picture, resampling)

  /** Place in the scan of the centre of a pixel of the grid. */
  function scanPlace(column: number, row: number): Pair {
    const [columnName, line] = zumScan(
      raster.west + (column + 0.5) * raster.aufloesung,
      raster.nord - (row + 0.5) * raster.aufloesung,
    )
    return [columnName / scale, line / scale]
  }

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
            if (x >= 0 && y >= 0 && x < picture.width && y < picture.height) {
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

/** Whether all four corners of a cell are outside the scan on the same side, or have no valid coordinates. */
function isBeside(upper: Float64Array, lower: Float64Array, node: number, length: number): boolean {
  const [a, b, c, d] = [upper[node]!, upper[node + 1]!, lower[node]!, lower[node + 1]!]
  return !(Math.max(a, b, c, d) >= 0 && Math.min(a, b, c, d) < length)
}

function sampleOf(picture: Picture, resampling: Resampling): Sample {
  if (resampling === 'near') return nearest(picture)
  if (resampling === 'bilinear') return picture.channels === 3 ? bilinearColours(picture) : bilinear(picture)
  return resampling === 'cubic' && picture.channels === 3
    ? cubicColours(picture)
    : kernel(picture, KERNELS[resampling])
}

type Sample = (x: number, y: number, into: Uint8Array, at: number) => void

function nearest({ width, channels, data }: Picture): Sample {
  return (x, y, into, at) => {
    const from = (Math.floor(y) * width + Math.floor(x)) * channels
    for (let channel = 0; channel < channels; channel++) into[at + channel] = data[from + channel]!
  }
}

/**
 * Interpolates between the centres of four pixels; at the edge of the scan the outermost pixels are repeated.
 */
function bilinear({ width, height, channels, data }: Picture): Sample {
  return (x, y, into, at) => {
    const left = Math.floor(x - 0.5)
    const upper = Math.floor(y - 0.5)
    const u = x - 0.5 - left
    const v = y - 0.5 - upper
    const x0 = left < 0 ? 0 : left
    const x1 = left + 1 < width ? left + 1 : width - 1
    const y0 = (upper < 0 ? 0 : upper) * width
    const y1 = (upper + 1 < height ? upper + 1 : height - 1) * width
    const [a, b, c, d] = [(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v]
    for (let channel = 0; channel < channels; channel++) {
      const value =
        a * data[(y0 + x0) * channels + channel]! +
        b * data[(y0 + x1) * channels + channel]! +
        c * data[(y1 + x0) * channels + channel]! +
        d * data[(y1 + x1) * channels + channel]!
      into[at + channel] = value + 0.5
    }
  }
}

/** The same for three colours away from the edge, unrolled. */
function bilinearColours(picture: Picture): Sample {
  const { width, height, data } = picture
  const atEdge = bilinear(picture)
  const line = 3 * width
  return (x, y, into, at) => {
    const left = Math.floor(x - 0.5)
    const upper = Math.floor(y - 0.5)
    if (left < 0 || upper < 0 || left + 1 >= width || upper + 1 >= height) return atEdge(x, y, into, at)
    const u = x - 0.5 - left
    const v = y - 0.5 - upper
    const b = u * (1 - v)
    const c = (1 - u) * v
    const d = u * v
    const a = (1 - u) * (1 - v)
    const p = upper * line + left * 3
    const q = p + line
    into[at] = a * data[p]! + b * data[p + 3]! + c * data[q]! + d * data[q + 3]! + 0.5
    into[at + 1] = a * data[p + 1]! + b * data[p + 4]! + c * data[q + 1]! + d * data[q + 4]! + 0.5
    into[at + 2] = a * data[p + 2]! + b * data[p + 5]! + c * data[q + 2]! + d * data[q + 5]! + 0.5
  }
}

/**
 * `kernel` for cubic with three colours, which nearly every plan uses, unrolled: takes a third of the time.
 * Away from the edge its weights add up to one.
 */
function cubicColours(picture: Picture): Sample {
  const { width, height, data } = picture
  const atEdge = bilinear(picture)
  const table = tableOf(KERNELS.cubic)
  const line = 3 * width
  return (x, y, into, at) => {
    const left = Math.floor(x - 0.5)
    const upper = Math.floor(y - 0.5)
    if (left < 1 || upper < 1 || left + 2 >= width || upper + 2 >= height) return atEdge(x, y, into, at)
    const across = Math.round((x - 0.5 - left) * PLACES) * 4
    const down = Math.round((y - 0.5 - upper) * PLACES) * 4
    const [a, b, c, d] = [table[across]!, table[across + 1]!, table[across + 2]!, table[across + 3]!]
    let [red, green, blue] = [0, 0, 0]
    let from = (upper - 1) * line + (left - 1) * 3
    for (let j = 0; j < 4; j++, from += line) {
      const vertical = table[down + j]!
      red += vertical * (a * data[from]! + b * data[from + 3]! + c * data[from + 6]! + d * data[from + 9]!)
      green +=
        vertical * (a * data[from + 1]! + b * data[from + 4]! + c * data[from + 7]! + d * data[from + 10]!)
      blue +=
        vertical * (a * data[from + 2]! + b * data[from + 5]! + c * data[from + 8]! + d * data[from + 11]!)
    }
    into[at] = red <= 0 ? 0 : red >= 255 ? 255 : red + 0.5
    into[at + 1] = green <= 0 ? 0 : green >= 255 ? 255 : green + 0.5
    into[at + 2] = blue <= 0 ? 0 : blue >= 255 ? 255 : blue + 0.5
  }
}

/**
 * Pixels outside the scan have no weight; cubic, which would sharpen the edge, falls back to
 * bilinear there, as in GDAL.
 */
function kernel(picture: Picture, kernelKind: Kernel): Sample {
  const { width, height, channels, data } = picture
  const atEdge = kernelKind === KERNELS.cubic ? bilinear(picture) : null
  const table = tableOf(kernelKind)
  const taps = 2 * kernelKind.radius
  const sums = new Float64Array(channels)
  return (x, y, into, at) => {
    const left = Math.floor(x - 0.5)
    const upper = Math.floor(y - 0.5)
    if (atEdge !== null && (left < 1 || upper < 1 || left + 2 >= width || upper + 2 >= height))
      return atEdge(x, y, into, at)
    const across = Math.round((x - 0.5 - left) * PLACES) * taps
    const down = Math.round((y - 0.5 - upper) * PLACES) * taps
    sums.fill(0)
    let all = 0
    for (let j = 0; j < taps; j++) {
      const row = upper + j - kernelKind.radius + 1
      if (row < 0 || row >= height) continue
      const vertical = table[down + j]!
      for (let i = 0; i < taps; i++) {
        const column = left + i - kernelKind.radius + 1
        if (column < 0 || column >= width) continue
        const weight = vertical * table[across + i]!
        all += weight
        const from = (row * width + column) * channels
        for (let channel = 0; channel < channels; channel++) sums[channel]! += weight * data[from + channel]!
      }
    }
    for (let channel = 0; channel < channels; channel++) {
      const value = sums[channel]! / all
      into[at + channel] = value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5
    }
  }
}
