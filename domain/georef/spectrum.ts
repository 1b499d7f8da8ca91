// Fourier transforms of pictures whose sides are powers of two, for correlations over all shifts at once.

/** A complex picture: row by row, real and imaginary parts apart. */
export interface Spectrum {
  readonly width: number
  readonly height: number
  readonly re: Float64Array
  readonly im: Float64Array
}

export const powerOfTwo = (least: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, least)))

export function spectrumOf(width: number, height: number): Spectrum {
  return { width, height, re: new Float64Array(width * height), im: new Float64Array(width * height) }
}

/** Transforms in place; `back` without dividing by the number of pixels. */
export function transformPicture({ width, height, re, im }: Spectrum, back = false): void {
  const along = createLine(width, back)
  for (let y = 0; y < height; y++) {
    const from = y * width
    along(re.subarray(from, from + width), im.subarray(from, from + width))
  }
  const down = createLine(height, back)
  const [columnRe, columnIm] = [new Float64Array(height), new Float64Array(height)]
  for (let x = 0; x < width; x++) {
    for (let y = 0, at = x; y < height; y++, at += width) {
      columnRe[y] = re[at]!
      columnIm[y] = im[at]!
    }
    down(columnRe, columnIm)
    for (let y = 0, at = x; y < height; y++, at += width) {
      re[at] = columnRe[y]!
      im[at] = columnIm[y]!
    }
  }
}

/** Cooley and Tukey's, of one length. */
function createLine(length: number, back: boolean) {
  const turn = ((back ? 2 : -2) * Math.PI) / length
  const cos = Float64Array.from({ length: length / 2 }, (_, i) => Math.cos(turn * i))
  const sin = Float64Array.from({ length: length / 2 }, (_, i) => Math.sin(turn * i))
  const reversed = new Uint32Array(length)
  for (let i = 1; i < length; i++) reversed[i] = (reversed[i >> 1]! >> 1) | (i & 1 ? length >> 1 : 0)
  return (re: Float64Array, im: Float64Array): void => {
    for (let i = 0; i < length; i++) {
      const j = reversed[i]!
      if (j <= i) continue
      ;[re[i], re[j]] = [re[j]!, re[i]!]
      ;[im[i], im[j]] = [im[j]!, im[i]!]
    }
    for (let half = 1; half < length; half *= 2) {
      const step = length / (2 * half)
      for (let start = 0; start < length; start += 2 * half)
        for (let k = 0, w = 0; k < half; k++, w += step) {
          const [a, b] = [start + k, start + k + half]
          const r = re[b]! * cos[w]! - im[b]! * sin[w]!
          const i = re[b]! * sin[w]! + im[b]! * cos[w]!
          re[b] = re[a]! - r
          im[b] = im[a]! - i
          re[a] = re[a]! + r
          im[a] = im[a]! + i
        }
    }
  }
}
