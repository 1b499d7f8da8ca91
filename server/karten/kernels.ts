// How the value of a pixel of the map is made from pixels of the scan around its place. On a result that is
// coarser than the scan the kernels widen, as GDAL's do: all of the scan counts, and thin lines stay.
import type { Resampling } from '#domain/georef/output.ts'
import type { Kernel, Picture, Ratio, Sample, Sampling } from './sampling.ts'
import { mean, wide } from './wide-kernel.ts'

/** The kernels by their usual names; the same as GDAL's. */
const KERNELS: Readonly<Record<Exclude<Resampling, 'near' | 'average'>, Kernel>> = {
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

/** Up to this ratio the kernels stay narrow, as in GDAL. */
const NARROW = 1 / 0.95

/** @param isLarge many pixels are drawn from this picture, and preparing it pays */
export function samplingOf(
  picture: Picture,
  resampling: Resampling,
  [across, down]: Ratio,
  isLarge = false,
): Sampling {
  if (resampling === 'near') return { sample: nearest(picture) }
  if (resampling === 'average') return mean(picture)
  if (across > NARROW || down > NARROW)
    return wide(picture, KERNELS[resampling], [Math.max(1, across), Math.max(1, down)], isLarge)
  if (resampling === 'bilinear')
    return { sample: picture.channels === 3 ? bilinearColours(picture) : bilinear(picture) }
  return {
    sample:
      resampling === 'cubic' && picture.channels === 3
        ? cubicColours(picture)
        : kernel(picture, KERNELS[resampling]),
  }
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
