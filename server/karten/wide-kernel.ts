// Kernels that are wider than a pixel of the scan, and the mean of what a pixel of the map covers. Both are
// weights along the columns and along the rows around a place.
import { createWindow, LINE_END } from './picture-window.ts'
import type { Cell, Kernel, Picture, Ratio, Sample, Sampling, Weights } from './sampling.ts'

/** What a line of weights adds up to: in whole numbers, which are added faster, and in 32 bits. */
const UNIT = 2 ** 14
/** Number of positions between two pixels of the map for which weights are tabulated. */
const PLACES = 1024

/** A wide kernel changes so slowly that fewer places do; the table is about as large for each width. */
function weightsOf({ radius, weight }: Kernel, ratio: number): Weights {
  const reach = Math.ceil(radius * ratio)
  const taps = 2 * reach
  const line = taps + LINE_END
  const places = Math.max(16, Math.ceil(PLACES / ratio))
  const table = new Int16Array((places + 1) * line)
  const [first, counts, sums] = [0, 0, 0].map(() => new Int32Array(places + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  for (let place = 0; place <= places; place++) {
    const exact = Array.from({ length: taps }, (_, tap) => {
      const distance = Math.abs(place / places - (tap - reach + 1)) / ratio
      return distance < radius ? weight(distance) : 0
    })
    const sum = exact.reduce((all, one) => all + one, 0)
    const whole = exact.map((one) => Math.round((one / sum) * UNIT))
    const from = whole.findIndex((one) => one !== 0)
    const to = whole.findLastIndex((one) => one !== 0) + 1
    table.set(whole.slice(from, to), place * line)
    first[place] = from - reach + 1
    counts[place] = to - from
    sums[place] = whole.reduce((all, one) => all + one, 0)
  }
  return { places, reach, line, table, first, counts, sums }
}

/** Pixels along one side of the picture and their weights, of which only those within the picture add up. */
interface Span {
  /** First pixel, which may be outside, its weight in the table, how many of both, and the sum. */
  start: number
  at: number
  count: number
  sum: number
}
const emptySpan = (): Span => ({ start: 0, at: 0, count: 0, sum: 0 })

function findSpan(span: Span, place: number, length: number, weights: Weights): void {
  const before = Math.floor(place - 0.5)
  const nearest = Math.round((place - 0.5 - before) * weights.places)
  span.start = before + weights.first[nearest]!
  span.at = nearest * weights.line
  span.count = weights.counts[nearest]!
  span.sum = weights.sums[nearest]!
  if (span.start >= 0 && span.start + span.count <= length) return
  span.sum = 0
  const from = span.start < 0 ? -span.start : 0
  const to = Math.min(span.count, length - span.start)
  for (let tap = span.at + from; tap < span.at + to; tap++) span.sum += weights.table[tap]!
}

/** Leaves out what is outside the picture. */
function clip(span: Span, length: number): void {
  const skipped = span.start < 0 ? -span.start : 0
  span.start += skipped
  span.at += skipped
  span.count = Math.min(length - span.start, span.count - skipped)
}

/** Up to this ratio a cell of the map and what its kernels reach is a small part of the scan. */
const MOST_WINDOWED = 32

/** Pixels outside the scan have no weight. */
export function wide(picture: Picture, kernelKind: Kernel, ratio: Ratio, isLarge: boolean): Sampling {
  const { width, height, channels } = picture
  // A pixel of the map that is larger than the whole scan, as on a map of the world, needs no wider kernel.
  const [across, down] = [Math.min(ratio[0], width), Math.min(ratio[1], height)]
  const [columns, rows] = [weightsOf(kernelKind, across), weightsOf(kernelKind, down)]
  const [x, y] = [emptySpan(), emptySpan()]
  const sums = new Float64Array(channels)
  const add = addOf(picture)
  const window = isLarge && Math.max(...ratio) <= MOST_WINDOWED ? createWindow(picture, columns, rows) : null
  const sample: Sample = (column, row, into, at) => {
    findSpan(x, column, width, columns)
    findSpan(y, row, height, rows)
    const all = x.sum * y.sum
    if (window === null || !window.add(x, y, sums)) {
      clip(x, width)
      clip(y, height)
      add(picture, columns.table, x, rows.table, y, sums)
    }
    for (let channel = 0; channel < channels; channel++) {
      const value = sums[channel]! / all
      into[at + channel] = value <= 0 ? 0 : value >= 255 ? 255 : value + 0.5
    }
  }
  return window === null ? { sample } : { sample, enter: window.enter }
}

type Add = (
  picture: Picture,
  across: Int16Array,
  x: Readonly<Span>,
  down: Int16Array,
  y: Readonly<Span>,
  sums: Float64Array,
) => void

const addOf = ({ channels }: Picture): Add => (channels === 3 ? addColours : addChannels)

const addColours: Add = ({ width, data }, across, x, down, y, sums) => {
  const [begin, end] = [x.at, x.at + x.count]
  let [red, green, blue] = [0, 0, 0]
  let from = (y.start * width + x.start) * 3
  for (let j = y.at; j < y.at + y.count; j++, from += 3 * width) {
    let [r, g, b] = [0, 0, 0]
    for (let tap = begin, p = from; tap < end; tap++, p += 3) {
      const one = across[tap]!
      r += one * data[p]!
      g += one * data[p + 1]!
      b += one * data[p + 2]!
    }
    const vertical = down[j]!
    red += vertical * r
    green += vertical * g
    blue += vertical * b
  }
  sums[0] = red
  sums[1] = green
  sums[2] = blue
}

const addChannels: Add = ({ width, channels, data }, across, x, down, y, sums) => {
  for (let channel = 0; channel < channels; channel++) {
    let from = (y.start * width + x.start) * channels + channel
    let all = 0
    for (let j = 0; j < y.count; j++, from += width * channels) {
      let row = 0
      for (let i = 0, p = from; i < x.count; i++, p += channels) row += across[x.at + i]! * data[p]!
      all += down[y.at + j]! * row
    }
    sums[channel] = all
  }
}

/** The mean of what a pixel of the map covers, as a rectangle on the scan; pixels count by the part covered. */
export function mean(picture: Picture): Sampling {
  const { width, height, channels } = picture
  const sums = new Float64Array(channels)
  const add = addOf(picture)
  const [x, y] = [emptySpan(), emptySpan()]
  let size: Ratio = [1, 1]
  let [columns, rows] = [new Int16Array(0), new Int16Array(0)]
  return {
    enter(cell: Cell) {
      size = cell.size
      columns = roomFor(columns, Math.min(width, Math.ceil(size[0]) + 1))
      rows = roomFor(rows, Math.min(height, Math.ceil(size[1]) + 1))
    },
    sample(column, row, into, at) {
      cover(x, column, size[0], width, columns)
      cover(y, row, size[1], height, rows)
      add(picture, columns, x, rows, y, sums)
      const all = x.sum * y.sum
      for (let channel = 0; channel < channels; channel++) into[at + channel] = sums[channel]! / all + 0.5
    },
  }
}

const roomFor = (room: Int16Array<ArrayBuffer>, length: number) =>
  room.length < length ? new Int16Array(length) : room

/** A place that is this near to the edge of a pixel is on it. */
const NOTHING = 1e-10

/** What a length covers of the pixels along one side of the picture; one pixel alone counts as covered. */
function cover(span: Span, place: number, size: number, length: number, weights: Int16Array): void {
  const [from, to] = [Math.max(0, place - size / 2), Math.min(length, place + size / 2)]
  span.start = Math.min(length - 1, Math.floor(from + NOTHING))
  span.count = Math.max(1, Math.ceil(to - NOTHING) - span.start)
  span.sum = 0
  for (let i = 0; i < span.count; i++) {
    const pixel = span.start + i
    const part = span.count === 1 ? 1 : Math.min(pixel + 1, to) - Math.max(pixel, from)
    weights[i] = Math.round(part * UNIT)
    span.sum += weights[i]!
  }
}
