// Curves of drawings as straight lines at most a centimetre off.
import { ARC_TOLERANCE, arcs } from '#domain/vermessung/arc.ts'
import type { Vertex } from '#domain/vermessung/geometry.ts'

const MOST_PIECES = 512
/** Halvings of a piece of a spline. */
const DEEPEST = 9

/** From (included) to `to` (excluded): a bulge is the tangent of a quarter of the arc's angle, left-handed positive. */
export function bulged(from: Vertex, to: Vertex, bulge: number): Vertex[] {
  if (bulge === 0 || !Number.isFinite(bulge)) return [from]
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  if (dx === 0 && dy === 0) return [from]
  const over: Vertex = [
    (from[0] + to[0] + bulge * dy) / 2,
    (from[1] + to[1] - bulge * dx) / 2,
    (from[2] + to[2]) / 2,
  ]
  return arcs([from, over, to]).slice(0, -1)
}

interface EllipseArc {
  readonly centre: Vertex
  /** From the centre to the end of the longer half axis. */
  readonly major: readonly [x: number, y: number]
  /** Shorter to longer half axis. */
  readonly ratio: number
  /** Radians along the curve, counter-clockwise. */
  readonly from: number
  readonly to: number
}

/** A circle is an ellipse of ratio 1. Null if it has no size. */
export function ellipse({ centre, major, ratio, from, to }: EllipseArc): Vertex[] | null {
  const radius = Math.hypot(...major)
  const whole = 2 * Math.PI
  const sweep = to > from ? Math.min(to - from, whole) : whole - ((from - to) % whole)
  if (!(radius > 0) || !Number.isFinite(sweep) || !Number.isFinite(ratio)) return null
  const step = 2 * Math.acos(Math.max(-1, 1 - ARC_TOLERANCE / radius))
  const pieces = Math.min(MOST_PIECES, Math.max(4, Math.ceil(sweep / step)))
  return Array.from({ length: pieces + 1 }, (_, nr) => {
    const angle = from + (sweep * nr) / pieces
    const [c, s] = [Math.cos(angle), Math.sin(angle) * ratio]
    return [centre[0] + major[0] * c - major[1] * s, centre[1] + major[1] * c + major[0] * s, centre[2]]
  })
}

export interface Spline {
  readonly degree: number
  readonly knots: readonly number[]
  readonly poles: readonly Vertex[]
  /** One for each pole; none: all the same. */
  readonly weights: readonly number[]
}

const MOST_DEGREE = 10

/** Null if the knots do not fit the poles. */
export function spline(curve: Spline): Vertex[] | null {
  const { degree, knots, poles, weights } = curve
  if (!(degree >= 1 && degree <= MOST_DEGREE) || knots.length !== poles.length + degree + 1) return null
  if (weights.length > 0 && weights.length !== poles.length) return null
  if (knots.some((knot, at) => !Number.isFinite(knot) || (at > 0 && knot < knots[at - 1]!))) return null
  const corners = [...new Set(knots.slice(degree, poles.length + 1))]
  const all: Vertex[] = [pointAt(curve, corners[0]!)]
  for (const [at, from] of corners.slice(0, -1).entries()) halve(curve, from, corners[at + 1]!, all)
  return all
}

/** Appends the points after `from` up to `to`. */
function halve(curve: Spline, from: number, to: number, all: Vertex[], depth = 0): void {
  const [start, end] = [all.at(-1)!, pointAt(curve, to)]
  const inside = [0.25, 0.5, 0.75].map((part) => pointAt(curve, from + (to - from) * part))
  if (
    depth >= DEEPEST ||
    (depth > 0 && inside.every((point) => besideLine(point, start, end) <= ARC_TOLERANCE))
  )
    return void all.push(end)
  const middle = (from + to) / 2
  halve(curve, from, middle, all, depth + 1)
  halve(curve, middle, to, all, depth + 1)
}

function besideLine([x, y]: Vertex, [ax, ay]: Vertex, [bx, by]: Vertex): number {
  const length = Math.hypot(bx - ax, by - ay)
  if (length === 0) return Math.hypot(x - ax, y - ay)
  return Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length
}

/** De Boor's scheme, in homogeneous coordinates. */
function pointAt({ degree, knots, poles, weights }: Spline, at: number): Vertex {
  let span = degree
  while (span < poles.length - 1 && knots[span + 1]! <= at) span += 1
  const points = Array.from({ length: degree + 1 }, (_, nr) => {
    const [x, y, z] = poles[span - degree + nr]!
    const w = weights[span - degree + nr] ?? 1
    return [x * w, y * w, z * w, w]
  })
  for (let round = 1; round <= degree; round++)
    for (let nr = degree; nr >= round; nr--) {
      const low = knots[span - degree + nr]!
      const width = knots[span + 1 + nr - round]! - low
      const part = width === 0 ? 0 : (at - low) / width
      points[nr] = points[nr]!.map((value, axis) => points[nr - 1]![axis]! * (1 - part) + value * part)
    }
  const [x, y, z, w] = points[degree]! as [number, number, number, number]
  return [x / w, y / w, z / w]
}
