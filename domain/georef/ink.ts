// What is drawn on a sheet: how much darker a pixel is than the paper around it. Yellowed paper, folds and
// shadows of the scanner are no drawing.

/** A part of a sheet on the map's grid: grey values, and a mask with 255 where the sheet is and 0 elsewhere. */
export interface GreyPart {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
  readonly mask: Uint8Array
}

/** Darkness per pixel, and where it counts (1) or is unknown (0). */
export interface Ink {
  readonly width: number
  readonly height: number
  readonly ink: Float32Array
  readonly known: Uint8Array
}

/** Wider than the pen, narrower than shadows. */
const PAPER_RADIUS = 12
/** The grain of the paper and of the scanner. */
const GRAIN = 20
/** Black and brown ink count the same. */
const FULL = 96
/** Along the sheet's edge the paper ends, which is no line. */
const EDGE = 3

export function inkOf({ width, height, grey, mask }: GreyPart): Ink {
  const sums = createSums(width, height, (at) => (mask[at] === 0 ? 0 : grey[at]!))
  const counts = createSums(width, height, (at) => (mask[at] === 0 ? 0 : 1))
  const ink = new Float32Array(width * height)
  const known = new Uint8Array(width * height)
  const whole = (2 * EDGE + 1) ** 2
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (mask[at] === 0 || counts(x, y, EDGE) < whole) continue
      known[at] = 1
      const paper = sums(x, y, PAPER_RADIUS) / counts(x, y, PAPER_RADIUS)
      ink[at] = Math.min(FULL, Math.max(0, paper - grey[at]! - GRAIN))
    }
  return { width, height, ink, known }
}

/** Sums of squares around pixels in constant time; beyond the picture there is nothing. */
function createSums(width: number, height: number, value: (at: number) => number) {
  const stride = width + 1
  const sums = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += value(y * width + x)
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row
    }
  }
  return (x: number, y: number, radius: number): number => {
    const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)]
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)]
    return (
      sums[bottom * stride + right]! -
      sums[top * stride + right]! -
      sums[bottom * stride + left]! +
      sums[top * stride + left]!
    )
  }
}

/**
 * With softer edges, 1 2 1 in both directions: the correlation of sharp lines is a tent, whose top a parabola
 * misses by a quarter of a pixel.
 */
export function softened({ width, height, ink, known }: Ink): Ink {
  const across = new Float32Array(ink.length)
  const soft = new Float32Array(ink.length)
  const pass = (from: Float32Array, to: Float32Array, step: number, last: (at: number) => boolean): void => {
    for (let at = 0; at < from.length; at++) {
      const before = at >= step && !last(at - step) ? from[at - step]! : from[at]!
      const after = !last(at) ? from[at + step]! : from[at]!
      to[at] = (before + 2 * from[at]! + after) / 4
    }
  }
  pass(ink, across, 1, (at) => at % width === width - 1)
  pass(across, soft, width, (at) => at >= (height - 1) * width)
  return { width, height, ink: soft, known }
}

/** Half the size: the mean of what is known of four pixels. */
export function halved({ width, height, ink, known }: Ink): Ink {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const half: Ink = { width: w, height: h, ink: new Float32Array(w * h), known: new Uint8Array(w * h) }
  for (let y = 0, to = 0; y < h; y++)
    for (let x = 0; x < w; x++, to++) {
      let [sum, count] = [0, 0]
      for (let j = 2 * y; j < Math.min(height, 2 * y + 2); j++)
        for (let i = 2 * x; i < Math.min(width, 2 * x + 2); i++) {
          const at = j * width + i
          if (known[at] === 0) continue
          sum += ink[at]!
          count++
        }
      if (count < 2) continue
      half.known[to] = 1
      half.ink[to] = sum / count
    }
  return half
}

/** Pixels that are drawn, where both sheets are. */
export function drawnInBoth(a: Ink, b: Ink): readonly [ofA: number, ofB: number, common: number] {
  let [ofA, ofB, common] = [0, 0, 0]
  for (let at = 0; at < a.ink.length; at++) {
    if (a.known[at] === 0 || b.known[at] === 0) continue
    common++
    if (a.ink[at]! > 0) ofA++
    if (b.ink[at]! > 0) ofB++
  }
  return [ofA, ofB, common]
}
