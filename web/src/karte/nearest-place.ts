// The place of an object that is nearest to somebody: on its straights too, not only at its points. Pure.
import { planeAt, type Xy } from '#domain/border/plane.ts'
import { type Degrees, distanceBetween } from './mercator.ts'

export interface Near extends Degrees {
  readonly meter: number
}
export interface Nearest {
  /** Anywhere on the object. */
  readonly place: Near
  /** Among its points: ends, bends, the corners of a ring. */
  readonly corner: Near
}

const footOn = (a: Xy, b: Xy): Xy => {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const square = dx * dx + dy * dy
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, -(a.x * dx + a.y * dy) / square))
  return { x: a.x + share * dx, y: a.y + share * dy }
}
const squared = ({ x, y }: Xy): number => x * x + y * y

/**
 * Null if there is no point at all, or none within `within` metres. `closed`: the last point of each part is
 * connected with its first.
 */
export function nearestOn(
  parts: readonly (readonly Degrees[])[],
  to: Degrees,
  { within = Number.POSITIVE_INFINITY, closed = false } = {},
): Nearest | null {
  const plane = planeAt(to)
  let [place, corner] = [null as Xy | null, null as Degrees | null]
  let [placeFar, cornerFar] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const part of parts) {
    let before = closed && part.length > 2 ? plane.to(part.at(-1)!) : null
    for (const one of part) {
      const here = plane.to(one)
      const foot = before === null ? here : footOn(before, here)
      if (squared(here) < cornerFar) [corner, cornerFar] = [one, squared(here)]
      if (squared(foot) < placeFar) [place, placeFar] = [foot, squared(foot)]
      before = here
    }
  }
  // The plane is true to a thousandth.
  if (place === null || corner === null || placeFar > (within * 1.01) ** 2) return null
  const measured = ({ lon, lat }: Degrees): Near => ({ lon, lat, meter: distanceBetween(to, { lon, lat }) })
  // The corner's own digits, not those of the way through the plane.
  return { corner: measured(corner), place: measured(placeFar < cornerFar ? plane.from(place) : corner) }
}
