// Circular arcs as straight lines.
import { GeometryFault, type Vertex } from './geometry.ts'

/** Greatest distance between an arc and the lines that stand for it, in metres. */
export const ARC_TOLERANCE = 0.01
const MOST_PIECES_OF_ARC = 512

/** Every second point of a circular string is on the arc between its neighbours. */
export function arcs(points: readonly Vertex[]): Vertex[] {
  if (points.length < 3 || points.length % 2 === 0) throw new GeometryFault('geometrie_kaputt')
  const all: Vertex[] = [points[0]!]
  for (let at = 0; at + 2 < points.length; at += 2)
    all.push(...arc(points[at]!, points[at + 1]!, points[at + 2]!))
  return all
}

/** The points of one arc after its first. Heights rise evenly from one given point to the next. */
function arc(from: Vertex, over: Vertex, to: Vertex): Vertex[] {
  const [ax, ay] = [from[0] - over[0], from[1] - over[1]]
  const [bx, by] = [to[0] - over[0], to[1] - over[1]]
  const isCircle = from[0] === to[0] && from[1] === to[1]
  const doubleArea = 2 * (ax * by - ay * bx)
  if (!isCircle && Math.abs(doubleArea) < 1e-9 * (ax * ax + ay * ay + bx * bx + by * by)) return [over, to]
  const [a2, b2] = [ax * ax + ay * ay, bx * bx + by * by]
  const [cx, cy] = isCircle
    ? [over[0] + ax / 2, over[1] + ay / 2]
    : [over[0] + (by * a2 - ay * b2) / doubleArea, over[1] + (ax * b2 - bx * a2) / doubleArea]
  const radius = Math.hypot(from[0] - cx, from[1] - cy)
  const angleOf = ([x, y]: Vertex): number => Math.atan2(y - cy, x - cx)
  const turn = (angle: number): number => (angle + 4 * Math.PI) % (2 * Math.PI)
  const start = angleOf(from)
  const whole = isCircle ? 2 * Math.PI : turn(angleOf(to) - start)
  const half = isCircle ? Math.PI : turn(angleOf(over) - start)
  // Counter-clockwise if the middle point is met on that way.
  const isLeft = half <= whole
  // Degrees: a hundred-thousandth of one is about a metre.
  const tolerance =
    Math.abs(from[0]) <= 180 && Math.abs(from[1]) <= 90 ? ARC_TOLERANCE / 100_000 : ARC_TOLERANCE
  const step = 2 * Math.acos(Math.max(-1, 1 - tolerance / radius))
  const piece = (first: Vertex, last: Vertex, startAngle: number, sweep: number): Vertex[] => {
    const pieces = Math.min(MOST_PIECES_OF_ARC, Math.max(1, Math.ceil(Math.abs(sweep) / step)))
    return Array.from({ length: pieces }, (_, index) => {
      const part = (index + 1) / pieces
      if (part === 1) return last
      const angle = startAngle + sweep * part
      const z = first[2] + (last[2] - first[2]) * part
      return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle), z] as const
    })
  }
  const [first, second] = isLeft ? [half, whole - half] : [half - 2 * Math.PI, whole - half]
  return [...piece(from, over, start, first), ...piece(over, to, start + first, second)]
}
