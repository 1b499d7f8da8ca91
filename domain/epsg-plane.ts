// Which of our coordinate systems a file means that names a relative of it.
import { EPSG_CODES } from './epsg.ts'

/**
 * Systems with the plane of one of ours: WGS 84 / UTM, which differs from ETRS89 by less than a metre and is
 * what many programs call it; UTM with heights above sea level; and Gauß-Krüger with the easting first by its own
 * number, which is the order that we use anyway.
 */
const SAME_PLANE: ReadonlyMap<number, number> = new Map([
  [32631, 25831],
  [32632, 25832],
  [32633, 25833],
  [5554, 25831],
  [5555, 25832],
  [5556, 25833],
  [5676, 31466],
  [5677, 31467],
  [5678, 31468],
  [5679, 31469],
  [5673, 2397],
  [5674, 2398],
  [5675, 2399],
])
/** Our system of a code's plane; null for one that we do not know. */
export function planeOf(code: number): number | null {
  const plane = SAME_PLANE.get(code) ?? code
  return EPSG_CODES.includes(plane) ? plane : null
}
