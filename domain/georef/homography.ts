// The projection of one plane onto another.
import type { Direction, Frame, FramedPlaces } from './frame.ts'
import { weakestDirection } from './least-squares.ts'

/** Nine numbers, row by row. */
type Homography = Float64Array

/**
 * With a mean distance from the middle of √2, as QGIS does: what is minimised depends on the scale, and with
 * another one the same points are some centimetres apart.
 */
export function framedByDistance({ frame, xs, ys }: FramedPlaces): FramedPlaces {
  const sum = xs.reduce((total, x, i) => total + Math.hypot(x, ys[i]!), 0)
  const unit = sum / xs.length / Math.SQRT2 || 1
  const inUnits = (value: number) => value / unit
  return { frame: { ...frame, scale: frame.scale * unit }, xs: xs.map(inUnits), ys: ys.map(inUnits) }
}

/**
 * Direct linear transformation in framed coordinates (Hartley and Zisserman, Multiple View Geometry, 4.4).
 */
export function fitHomography(
  scan: FramedPlaces,
  karte: FramedPlaces,
  count: number,
): { readonly there: Homography; readonly back: Homography } | null {
  const rows = Math.max(2 * count, 9)
  const matrix = new Float64Array(rows * 9)
  for (let i = 0; i < count; i++) {
    const source = [scan.xs[i]!, scan.ys[i]!, 1] as const
    for (let k = 0; k < 3; k++) {
      matrix[k * rows + 2 * i] = source[k]!
      matrix[(3 + k) * rows + 2 * i + 1] = source[k]!
      matrix[(6 + k) * rows + 2 * i] = -karte.xs[i]! * source[k]!
      matrix[(6 + k) * rows + 2 * i + 1] = -karte.ys[i]! * source[k]!
    }
  }
  const there = weakestDirection(matrix, rows, 9)
  if (there === null) return null
  const back = adjugate(there)
  const determinant = there[0]! * back[0]! + there[1]! * back[3]! + there[2]! * back[6]!
  if (!(Math.abs(determinant) > 1e-12)) return null
  return { there, back }
}

/** The inverse up to scale, which does not matter for a homography. */
function adjugate(h: Homography): Homography {
  const [a, b, c, d, e, f, g, i, j] = h as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Float64Array.of(
    e * j - f * i,
    c * i - b * j,
    b * f - c * e,
    f * g - d * j,
    a * j - c * g,
    c * d - a * f,
    d * i - e * g,
    b * g - a * i,
    a * e - b * d,
  )
}

export function homographyDirection(h: Homography, from: Frame, to: Frame): Direction {
  return (x, y) => {
    const [px, py] = [(x - from.x) / from.scale, (y - from.y) / from.scale]
    const w = h[6]! * px + h[7]! * py + h[8]!
    return [
      to.x + (to.scale * (h[0]! * px + h[1]! * py + h[2]!)) / w,
      to.y + (to.scale * (h[3]! * px + h[4]! * py + h[5]!)) / w,
    ]
  }
}
