// Corners of a walked ring laid on borders that exist: on their corners first, else on their sides; and along a
// border between two corners that lie on it, so that neighbours share every corner.
import { type Corner, distance, nearestOn } from './ring.ts'
import type { Xy } from './plane.ts'

/** A border that is there already: rings are closed, a line or a single point is not. */
export interface KnownLine {
  readonly points: readonly Xy[]
  readonly closed: boolean
}
export interface Snapped extends Corner {
  /** On the line with this number; null if it is free. */
  readonly line: number | null
  /** How far along, in corners of that line. */
  readonly along: number
}

/** Metres of a cell in which sides are looked up. */
const CELL = 25
const cellOf = (value: number): number => Math.floor(value / CELL)
interface Side {
  readonly line: number
  readonly at: number
  readonly a: Xy
  readonly b: Xy
}
type Sides = ReadonlyMap<string, readonly Side[]>
/** Every side, a single point too, by the cells that it may touch within reach, of those near the ring. */
function sidesByCell(lines: readonly KnownLine[], ring: readonly Xy[], within: number): Sides {
  const wanted = new Set(ring.map(({ x, y }) => `${cellOf(x)} ${cellOf(y)}`))
  const cells = new Map<string, Side[]>()
  for (const [line, { points, closed }] of lines.entries())
    for (const [at, a] of points.entries()) {
      const b = points[at + 1] ?? (closed ? points[0]! : a)
      const [east, north] = [Math.max(a.x, b.x) + within, Math.max(a.y, b.y) + within]
      for (let i = cellOf(Math.min(a.x, b.x) - within); i <= cellOf(east); i++)
        for (let j = cellOf(Math.min(a.y, b.y) - within); j <= cellOf(north); j++) {
          const key = `${i} ${j}`
          if (!wanted.has(key)) continue
          const known = cells.get(key)
          if (known === undefined) cells.set(key, [{ line, at, a, b }])
          else known.push({ line, at, a, b })
        }
    }
  return cells
}

type Found = Snapped & { readonly off: number }
/** The nearest corner within reach, else the nearest side. */
function nearest(place: Xy, sides: Sides, within: number): Snapped | null {
  let corner: Found | null = null
  let side: Found | null = null
  for (const { line, at, a, b } of sides.get(`${cellOf(place.x)} ${cellOf(place.y)}`) ?? []) {
    const off = distance(place, a)
    if (off <= within && off < (corner?.off ?? Infinity))
      corner = { x: a.x, y: a.y, line, along: at, off, fixed: true }
    const { x, y, along, distance: away } = nearestOn(place, a, b)
    if (away <= within && away < (side?.off ?? Infinity))
      side = { x, y, line, along: at + along, off: away, fixed: true }
  }
  const found = corner ?? side
  if (found === null) return null
  const { off: _off, ...snapped } = found
  return snapped
}

/** Corners of a line strictly between two places on it, the way that is shorter. */
function between({ points, closed }: KnownLine, from: number, to: number): Xy[] {
  const n = points.length
  const walk = (start: number, end: number): Xy[] => {
    const made: Xy[] = []
    for (let at = Math.floor(start) + 1; at < end - 1e-9; at++) made.push(points[at % n]!)
    return made
  }
  const direct = from <= to ? walk(from, to) : walk(to, from).toReversed()
  if (!closed) return direct
  const around = from <= to ? walk(to, from + n).toReversed() : walk(from, to + n)
  return lengthOf([...direct]) <= lengthOf([...around]) ? direct : around
}
const lengthOf = (points: readonly Xy[]): number =>
  points.reduce((sum, one, at) => (at === 0 ? 0 : sum + distance(points[at - 1]!, one)), 0)

/** `stray`: what is between two corners on one border may be so far from the line that was walked. */
export function snapRing(
  ring: readonly Corner[],
  lines: readonly KnownLine[],
  within: number,
  stray: number,
): Snapped[] {
  const sides = sidesByCell(lines, ring, within)
  const laid = ring.map((one): Snapped => nearest(one, sides, within) ?? { ...one, line: null, along: 0 })
  return laid.flatMap((one, at) => {
    const next = laid[(at + 1) % laid.length]!
    if (one.line === null || one.line !== next.line || laid.length < 2) return [one]
    const line = lines[one.line]!
    const way = between(line, one.along, next.along)
    const isNearWay = way.every((place) => nearestOn(place, one, next).distance <= stray)
    return isNearWay
      ? [one, ...way.map((place) => ({ ...place, line: one.line, along: 0, fixed: true }))]
      : [one]
  })
}
