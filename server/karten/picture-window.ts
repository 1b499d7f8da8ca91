// Adds up weighted pixels eight at a time, which JavaScript cannot: a few instructions for the processor's
// vectors, as WebAssembly. The part of the picture that a cell of the map needs is laid out for it, channel by channel.
import type { Cell, Picture, Weights } from './sampling.ts'

/** The part of it that is used here; the types of Node.js leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer; grow(pages: number): number }
  Instance: new (module: object, given: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

const TAPS = 8
/** Zeros behind the weights of a line: the last eight may begin at any of them. */
export const LINE_END = TAPS

type Bytes = readonly number[]
/** A whole number as WebAssembly writes it. */
function bytesOf(value: number): Bytes {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest & 127) | 128)
  }
}
const get = (local: number): Bytes => [0x20, local]
const set = (local: number): Bytes => [0x21, local]
const tee = (local: number): Bytes => [0x22, local]
const constant = (value: number): Bytes => [0x41, ...bytesOf(value)]
const vector = (code: number, ...more: Bytes): Bytes => [0xfd, ...bytesOf(code), ...more]
const NO_OFFSET: Bytes = [0, 0]
const ADD: Bytes = [0x6a]
const TWICE: Bytes = [...constant(1), 0x74]
const ADD_FLOATS: Bytes = [0x92]
const ZEROS = vector(0x0c, ...Array.from({ length: 16 }, () => 0))
const LOAD_PIXELS = vector(0x02, ...NO_OFFSET)
const LOAD_WEIGHTS = vector(0x00, ...NO_OFFSET)
const MULTIPLY_AND_ADD_PAIRS = vector(0xba)
const ADD_FOURS = vector(0xae)
const LOAD_WEIGHT = vector(0x09, ...NO_OFFSET)
const TO_FLOATS = vector(0xfa)
const MULTIPLY_FLOATS = vector(0xe6)
const ADD_FOUR_FLOATS = vector(0xe4)
const lane = (index: number): Bytes => vector(0x1f, index)
const STORE_FLOAT: Bytes = [0x38, 2, 0]
/** Runs its body, and again while the local, advanced by a step, is below the end. */
const loop = (body: Bytes, local: number, step: Bytes, end: number): Bytes =>
  [0x03, 0x40, body, get(local), step, ADD, tee(local), get(end), 0x49, 0x0d, 0, 0x0b].flat()

const [FROM, LINE, PLANE, ACROSS, TAP_END, DOWN, DOWN_END, OUT, OUT_END] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const
const [ROW, TAP, WEIGHT, SUM, ALL] = [9, 10, 11, 12, 13] as const

/** For each channel: for each row: for each eight pixels: sum += weights · pixels; all += weight · sum. */
const BODY: Bytes = [
  loop(
    [
      [get(FROM), set(ROW), get(DOWN), set(WEIGHT), ZEROS, set(ALL)].flat(),
      loop(
        [
          [ZEROS, set(SUM), constant(0), set(TAP)].flat(),
          loop(
            [
              [get(SUM), get(ROW), get(TAP), ADD, LOAD_PIXELS].flat(),
              [get(ACROSS), get(TAP), TWICE, ADD, LOAD_WEIGHTS].flat(),
              [MULTIPLY_AND_ADD_PAIRS, ADD_FOURS, set(SUM)].flat(),
            ].flat(),
            TAP,
            constant(TAPS),
            TAP_END,
          ),
          [get(ALL), get(SUM), TO_FLOATS, get(WEIGHT), LOAD_WEIGHT].flat(),
          [MULTIPLY_FLOATS, ADD_FOUR_FLOATS, set(ALL), get(ROW), get(LINE), ADD, set(ROW)].flat(),
        ].flat(),
        WEIGHT,
        constant(4),
        DOWN_END,
      ),
      [get(OUT), get(ALL), lane(0), get(ALL), lane(1), ADD_FLOATS].flat(),
      [get(ALL), lane(2), ADD_FLOATS, get(ALL), lane(3), ADD_FLOATS, STORE_FLOAT].flat(),
      [get(FROM), get(PLANE), ADD, set(FROM)].flat(),
    ].flat(),
    OUT,
    constant(4),
    OUT_END,
  ),
  0x0b,
].flat()

/** One function of nine whole numbers, which are places in the memory it is given. */
function compile(): object {
  const [I32, V128] = [0x7f, 0x7b]
  const code: Bytes = [2, 3, I32, 2, V128, ...BODY]
  const section = (id: number, bytes: Bytes): Bytes => [id, ...bytesOf(bytes.length), ...bytes]
  const parameters = Array.from({ length: 9 }, () => I32)
  const name = (letter: string): Bytes => [1, letter.charCodeAt(0)]
  return new WebAssembly.Module(
    Uint8Array.from([
      0,
      0x61,
      0x73,
      0x6d,
      1,
      0,
      0,
      0,
      ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
      ...section(2, [1, ...name('e'), ...name('m'), 2, 0, 0]),
      ...section(3, [1, 0]),
      ...section(7, [1, ...name('f'), 0, 0]),
      ...section(10, [1, ...bytesOf(code.length), ...code]),
    ]),
  )
}

type AddUp = (
  from: number,
  line: number,
  plane: number,
  across: number,
  taps: number,
  down: number,
  downEnd: number,
  out: number,
  outEnd: number,
) => void

const PAGE = 65_536
/** Around a cell, whose pixels need not be within the rectangle of its corners. */
const BESIDE = 2

interface Along {
  readonly start: number
  readonly at: number
  readonly count: number
}

/** The weights, the results and the window share one memory. */
export function createWindow(picture: Picture, columns: Weights, rows: Weights) {
  const { channels } = picture
  const across = 4 * channels
  const down = across + 2 * columns.table.length + (columns.table.length % 2) * 2
  const pixels = down + 4 * rows.table.length
  const memory = new WebAssembly.Memory({ initial: Math.ceil(pixels / PAGE) + 1 })
  const instance = new WebAssembly.Instance(compile(), { e: { m: memory } })
  const addUp = instance.exports['f'] as AddUp
  new Int16Array(memory.buffer, across, columns.table.length).set(columns.table)
  new Float32Array(memory.buffer, down, rows.table.length).set(rows.table)
  let results = new Float32Array(memory.buffer, 0, channels)
  let bytes = new Uint8Array(memory.buffer, pixels)
  let [left, top, line, high] = [0, 0, 0, 0]

  function enter(cell: Cell): void {
    left = Math.floor(cell.left) - columns.reach - BESIDE
    top = Math.floor(cell.upper) - rows.reach - BESIDE
    line = Math.ceil(cell.right) + columns.reach + BESIDE - left
    high = Math.ceil(cell.lower) + rows.reach + BESIDE - top
    const needed = line * high * channels + LINE_END
    if (needed > bytes.length) {
      memory.grow(Math.ceil((needed - bytes.length) / PAGE))
      results = new Float32Array(memory.buffer, 0, channels)
      bytes = new Uint8Array(memory.buffer, pixels)
    }
    layOut(picture, left, top, line, high, bytes)
  }

  /** False: the place is not in the window. */
  function add(x: Along, y: Along, sums: Float64Array): boolean {
    const [column, row] = [x.start - left, y.start - top]
    if (column < 0 || row < 0 || column + x.count > line || row + y.count > high) return false
    addUp(
      pixels + row * line + column,
      line,
      line * high,
      across + 2 * x.at,
      x.count,
      down + 4 * y.at,
      down + 4 * (y.at + y.count),
      0,
      4 * channels,
    )
    for (let channel = 0; channel < channels; channel++) sums[channel] = results[channel]!
    return true
  }
  return { enter, add }
}

/** One channel after the other, with zeros outside the picture. */
function layOut(
  { width, height, channels, data }: Picture,
  left: number,
  top: number,
  line: number,
  high: number,
  into: Uint8Array,
): void {
  const [from, to] = [Math.max(0, left), Math.min(width, left + line)]
  if (from > left || to < left + line || top < 0 || top + high > height)
    into.fill(0, 0, line * high * channels)
  const plane = line * high
  for (let row = Math.max(0, top); row < Math.min(height, top + high); row++) {
    let target = (row - top) * line + from - left
    let p = (row * width + from) * channels
    if (channels === 3)
      for (let column = from; column < to; column++, target++, p += 3) {
        into[target] = data[p]!
        into[target + plane] = data[p + 1]!
        into[target + 2 * plane] = data[p + 2]!
      }
    else
      for (let column = from; column < to; column++, target++)
        for (let channel = 0; channel < channels; channel++) into[target + channel * plane] = data[p++]!
  }
}
