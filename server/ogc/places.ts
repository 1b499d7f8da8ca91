// Boxes of the address and of filters, in the system of an indexed geometry.
import { Refusal } from '#server/errors.ts'
import type { Crs } from './crs.ts'
import type { Values } from './sql-text.ts'

/** Beyond it web mercator has no coordinates. */
const MOST_NORTH = 85.06

/**
 * West, south, east, north of four or six numbers in the order of the axes of their system.
 * @throws Refusal 400 if it is no box
 */
export function boxOf(
  numbers: readonly number[],
  crs: Crs,
): readonly [west: number, south: number, east: number, north: number] {
  const flat = numbers.length === 6 ? [0, 1, 3, 4].map((at) => numbers[at]!) : numbers
  const [a, b, c, d] = flat as [number, number, number, number]
  const [west, south, east, north] = crs.northFirst ? [b, a, d, c] : [a, b, c, d]
  const isBox = flat.length === 4 && flat.every((one) => Number.isFinite(one) && Math.abs(one) < 1e9)
  if (!isBox || south > north)
    throw new Refusal('bad_value', 'bbox: Erwartet werden vier Zahlen, West, Süd, Ost und Nord.')
  if (west > east)
    throw new Refusal('bad_value', 'bbox: Kästen über die Datumsgrenze hinweg gibt es hier nicht.')
  if (!crs.inDegrees) return [west, south, east, north]
  if (west < -180 || east > 180 || south < -90 || north > 90)
    throw new Refusal('bad_value', 'bbox: Diese Koordinaten liegen nicht auf der Erde.')
  const within = (degrees: number): number => Math.min(MOST_NORTH, Math.max(-MOST_NORTH, degrees))
  return [west, within(south), east, within(north)]
}

/** A box as a geometry in `epsg`. Its edges are curves there and are drawn with sixteen corners each. */
export function bboxShape(numbers: readonly number[], crs: Crs, epsg: number, values: Values): string {
  const box = boxOf(numbers, crs)
  const [west, south, east, north] = box.map((one) => values.add(one, 'float8'))
  const envelope = `public.st_makeenvelope(${west}, ${south}, ${east}, ${north}, ${crs.epsg})`
  if (crs.epsg === epsg) return envelope
  const [w, s, e, n] = box
  const longest = Math.max(e - w, n - s)
  if (longest === 0) return `public.st_transform(${envelope}, ${epsg})`
  const step = values.add(longest / 16, 'float8')
  return `public.st_transform(public.st_segmentize(${envelope}, ${step}), ${epsg})`
}
